import { Hono } from 'hono'
import { execute } from '../../db/query'
import { findApplication } from '../../domain/sessions/applications'
import { takeForNetwork } from '../../domain/sessions/flood'
import { endSession } from '../../domain/sessions/web-session'
import { checkPassword, signInRefusal } from '../../domain/users/passwords'
import type { AppEnv } from '../../platform/app-env'
import { type AppContext, clientIp } from '../../platform/app-env'
import { type SignInField, SignInPage } from '../auth/sign-in'
import { SignOutPage } from '../auth/sign-out'
import type { FormErrors } from '../components/form'
import { clearSecretCookie } from '../cookies'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage, type PageRequest, startBrowserSession } from '../page-request'
import { paths } from '../paths'
import { localPath } from '../return-to'

export function signInRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.signIn, async (c) => {
    const visit = await openPage(c)
    const returnTo = returnToOf(c, c.req.query('return_to'))
    if (visit.session !== null) return c.redirect(returnTo ?? paths.account)
    const message = messages[c.req.query('done') ?? ''] ?? null
    return showSignIn(c, visit, { username: '', errors: {}, message, returnTo, status: 200 })
  })
  app.post(paths.signIn, signIn)
  app.get(paths.signOut, async (c) => {
    const visit = await openPage(c)
    if (visit.viewer === null) return c.redirect(paths.home)
    const csrfToken = await csrfTokenFor(c, visit)
    const { site, viewer } = visit
    return showPage(c, <SignOutPage {...{ site, viewer, csrfToken }} returnTo={null} />)
  })
  app.post(paths.signOut, async (c) => {
    const visit = await openPage(c)
    const form = await readCsrfForm(c, visit)
    if (visit.session !== null) await endSession(c.get('ctx'), visit.session.accountId, visit.session.id)
    clearSecretCookie(c, 'session')
    return c.redirect(returnToOf(c, form('return_to')) ?? paths.home, 303)
  })
  return app
}

/** Codes rather than texts in the address, so that nobody can make the page say something. */
const messages: Readonly<Record<string, string>> = {
  deleted: 'Your account is deleted.',
  reset: 'Your new password is saved. Sign in with it.',
}

async function signIn(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const username = form('username').slice(0, 300)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const returnTo = returnToOf(c, form('return_to'))
  const member = await checkPassword(ctx, username, form('password').slice(0, 1_000))
  // One sentence whether the name is unknown or the password wrong.
  const refusal = member === null ? 'Wrong name or password.' : signInRefusal(member)
  if (member === null || refusal !== null)
    return showSignIn(c, visit, {
      ...{ username, errors: { form: refusal ?? '' }, message: null, returnTo },
      status: 422,
    })
  await startBrowserSession(c, visit, member)
  return c.redirect(returnTo ?? paths.account, 303)
}

interface SignInFormState {
  readonly username: string
  readonly errors: FormErrors<SignInField>
  readonly message: string | null
  readonly returnTo: string | null
  readonly status: 200 | 422
}

async function showSignIn(c: AppContext, visit: PageRequest, shown: SignInFormState) {
  const { site, viewer, settings } = visit
  const { status, ...rest } = shown
  const page = {
    ...{ site, viewer, ...rest, signUp: settings.registrations },
    ...{
      csrfToken: await csrfTokenFor(c, visit),
      applicationName: await requestingApplicationName(c, shown.returnTo),
    },
  }
  return showPage(c, <SignInPage {...page} />, {
    status,
    formsLeadAway: leadsToApplication(shown.returnTo),
  })
}

/** Whoever was here before may go straight on to the application. */
export function leadsToApplication(returnTo: string | null): boolean {
  return returnTo?.startsWith(paths.authorize) === true
}

async function requestingApplicationName(c: AppContext, returnTo: string | null): Promise<string | null> {
  const { db, config } = c.get('ctx')
  if (returnTo === null || !leadsToApplication(returnTo)) return null
  const clientId = URL.parse(returnTo, config.origin)?.searchParams.get('client_id') ?? ''
  const application = await execute(db, findApplication(c.get('ctx'), clientId))
  return application?.name ?? null
}

export function returnToOf(c: AppContext, text: string | undefined): string | null {
  return localPath(text, c.get('ctx').config.origin)
}

/** Sends somebody who is not signed in to sign in, and back to where they were. */
export function toSignIn(c: AppContext): Response {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(`${paths.signIn}?${new URLSearchParams({ return_to: pathname + search })}`)
}
