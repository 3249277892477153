import { Hono } from 'hono'
import { both, execute } from '../../db/query'
import { listAuthorized, revokeApplication } from '../../domain/sessions/authorized-applications'
import { endSession, listSessions, type WebSession } from '../../domain/sessions/web-session'
import { mayInvite } from '../../domain/users/invites'
import { describeBrowser } from '../../lib/browser'
import type { AppContext, AppEnv } from '../../platform/app-env'
import { AccountPage } from '../auth/account'
import { StartPage } from '../auth/start'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import { showPage } from '../page'
import { openPage } from '../page-request'
import { paths } from '../paths'
import { sendsMail } from './confirmation'
import { toSignIn } from './sign-in'

const messages: Readonly<Record<string, string>> = {
  password: 'Your password is changed. All other browsers are signed out.',
  application: 'The application can no longer use your account.',
  session: 'That browser is signed out.',
  email: 'Your e-mail address is changed.',
  'email-sent': 'Please follow the link we sent to your new address. Until then the old one stays.',
  preferences: 'Your preferences are saved.',
  mail: 'What you are mailed about is saved.',
  cleanup: 'What happens to your old posts is saved.',
}

export function accountRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get('/settings', (c) => c.redirect(paths.account))
  app.get(paths.account, showAccount)
  app.get(paths.start, showStart)
  app.get(paths.authorizedApplications, showAccount)
  const revoke = revoking(`${paths.account}?done=application`, (c, session, id) =>
    revokeApplication(c.get('ctx'), session.accountId, id),
  )
  app.post(`${paths.authorizedApplications}/:id/revoke`, revoke)
  app.delete(`${paths.authorizedApplications}/:id`, revoke)
  app.post(
    `${paths.sessions}/:id/revoke`,
    revoking(`${paths.account}?done=session`, (c, session, id) =>
      endSession(c.get('ctx'), session.accountId, id),
    ),
  )
  return app
}

/** Does something to one thing of the person's own, then goes on to `next`; an id of somebody else's does nothing. */
export function revoking(
  next: string,
  act: (c: AppContext, session: WebSession, id: number) => Promise<void>,
) {
  return async (c: AppContext) => {
    const visit = await openPage(c)
    await readCsrfForm(c, visit)
    if (visit.session === null) return c.redirect(paths.signIn, 303)
    const id = Number(c.req.param('id'))
    if (Number.isSafeInteger(id)) await act(c, visit.session, id)
    return c.redirect(next, 303)
  }
}

/** The address alone proves nothing: no mail was sent to somebody who has no new address. */
function messageOf(c: AppContext, { unconfirmedEmail }: WebSession): string | null {
  const done = c.req.query('done') ?? ''
  return done === 'email-sent' && unconfirmedEmail === null ? null : (messages[done] ?? null)
}

async function showAccount(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const { site, viewer, session } = visit
  if (viewer === null || session === null) return toSignIn(c)
  const { accountId, email, unconfirmedEmail, confirmed } = session
  const [applications, sessions] = await execute(
    ctx.db,
    both(listAuthorized(ctx, accountId), listSessions(ctx, accountId)),
  )
  const page = {
    ...{ site, viewer, email, isEmailConfirmed: confirmed, csrfToken: await csrfTokenFor(c, visit) },
    ...{ unconfirmedEmail, sendsMail: sendsMail(c), mayInvite: mayInvite(session) },
    message: messageOf(c, session),
    applications: applications.map((application) => ({ ...application, id: String(application.id) })),
    sessions: sessions.map(({ id, userAgent, ip, createdAt }) => ({
      ...{ id: String(id), browser: describeBrowser(userAgent), ip: ip ?? 'unknown', since: createdAt },
      isCurrent: id === session.id,
    })),
  }
  return showPage(c, <AccountPage {...page} />)
}

/** What somebody new does next. */
async function showStart(c: AppContext) {
  const { site, viewer } = await openPage(c)
  if (viewer === null) return toSignIn(c)
  return showPage(c, <StartPage {...{ site, viewer }} />)
}
