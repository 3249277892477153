import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { execute } from '../../db/query'
import { findApplication } from '../../domain/sessions/applications'
import { takeForNetwork } from '../../domain/sessions/flood'
import { endSession } from '../../domain/sessions/web-session'
import { checkPasskey } from '../../domain/sign-in/passkeys'
import { findMemberById } from '../../domain/users/find'
import { checkPassword } from '../../domain/users/passwords'
import { Invalid } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import type { TextKey } from '../../lib/translate'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import { AccountCard } from '../components/account-card'
import { Banner } from '../components/banner'
import { Button, ButtonLink } from '../components/button'
import { TextField } from '../components/field'
import { PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { Layout } from '../components/layout'
import { PasskeyForm } from '../components/passkey-form'
import { clearSecretCookie } from '../cookies'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import type { FormErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { hasDraft } from '../member-pages/draft'
import { showPage } from '../page'
import { usePage } from '../page-context'
import { deviceHashOf, openPage, type PageRequest, startBrowserSession, summaryOf } from '../page-request'
import { type PasskeyOptions, signInOptions } from '../passkey-options'
import { paths, signInStepPath, signUpPath } from '../paths'
import { leadsAway, leadsToApplication, returnToOf } from '../return-to'
import type { AccountSummary, SignUpState } from '../site'
import { leadToSecondStep, pathAfterSignIn } from './sign-in-step'

export function signInRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.signIn, async (c) => {
    const visit = await openPage(c)
    const returnTo = returnToOf(c, c.req.query('return_to'))
    if (visit.session !== null) return c.redirect(returnTo ?? visit.site.start)
    const notice = messages.get(c.req.query('done') ?? '') ?? null
    return showSignIn(c, visit, { username: '', errors: {}, message: notice, returnTo, status: 200 })
  })
  app.post(paths.signIn, signIn)
  app.post(paths.signInPasskey, signInWithPasskey)
  app.get(paths.signOut, async (c) => {
    const visit = await openPage(c)
    const session = visit.session ?? visit.restricted
    if (session === null) return c.redirect(paths.front)
    const page = { viewer: null, csrfToken: await csrfTokenFor(c, visit) }
    return showPage(c, <SignOutPage account={summaryOf(c, session)} returnTo={null} />, page)
  })
  app.post(paths.signOut, async (c) => {
    const visit = await openPage(c)
    const form = await readCsrfForm(c, visit)
    const session = visit.session ?? visit.restricted
    if (session !== null) await endSession(c.get('ctx'), session.accountId, session.id)
    clearSecretCookie(c, 'session')
    // Drafts that scripts keep on the device must not be found by the next person.
    c.header('Clear-Site-Data', '"storage"')
    return c.redirect(returnToOf(c, form('return_to')) ?? paths.front, 303)
  })
  return app
}

/** Codes rather than texts in the address: links must not put words on the page. */
const messages: ReadonlyMap<string, TextKey> = new Map([
  ['again', 'signIn.signOnceMoreSecond'],
  ['deleted', 'signIn.accountDeleted'],
  ['reset', 'signIn.newPasswordSavedSign'],
])

async function signIn(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  const username = form('username').slice(0, 300)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const returnTo = returnToOf(c, form('return_to'))
  const deviceHash = await deviceHashOf(c)
  const password = form('password').slice(0, 1_000)
  const member = await checkPassword(ctx, { login: username, password, deviceHash })
  // An unknown name and a wrong password get the same sentence.
  if (member === null)
    return showSignIn(c, visit, {
      username,
      errors: { form: 'problem.wrongNamePassword' },
      message: null,
      returnTo,
      status: 422,
    })
  const isComplete = !(await leadToSecondStep(c, member, deviceHash))
  if (!isComplete) return c.redirect(signInStepPath(returnTo), 303)
  await startBrowserSession(c, visit, member)
  return c.redirect(pathAfterSignIn(member, returnTo, visit.site), 303)
}

/** Signs in by a passkey alone: the authenticator knows the person, so it is two factors by itself. */
async function signInWithPasskey(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const returnTo = returnToOf(c, form('return_to'))
  const refuse = (problems: readonly Problem[]) =>
    showSignIn(c, visit, { username: '', errors: { form: problems }, message: null, returnTo, status: 422 })
  let accountId: AccountId
  try {
    accountId = await checkPasskey(ctx, form('credential'), form('csrf_token'))
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    return refuse(failure.problems)
  }
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return refuse([problem('passkey_unknown')])
  await startBrowserSession(c, visit, member)
  return c.redirect(pathAfterSignIn(member, returnTo, visit.site), 303)
}

interface SignInFormState {
  readonly username: string
  readonly errors: FormErrors<SignInField>
  readonly message: TextKey | null
  readonly returnTo: string | null
  readonly status: 200 | 422
}

const kept = 'signIn.whatTypedKeptSign'

async function showSignIn(c: AppContext, visit: PageRequest, shown: SignInFormState) {
  const { username, errors, message, returnTo, status } = shown
  const hasKept = returnTo !== null && (await hasDraft(c, returnTo))
  const csrfToken = await csrfTokenFor(c, visit)
  const page = {
    username,
    returnTo,
    signUp: visit.settings.registrations,
    passkeyOptions: await signInOptions(c.get('ctx'), csrfToken),
    applicationName: await requestingApplicationName(c, returnTo),
  }
  return showPage(c, <SignInPage {...page} />, {
    csrfToken,
    errors,
    message: message ?? (hasKept ? kept : null),
    status,
    formsLeadAway: leadsAway(returnTo, visit.site),
    script: 'passkeys.js',
  })
}

async function requestingApplicationName(c: AppContext, returnTo: string | null): Promise<string | null> {
  const { db, config } = c.get('ctx')
  if (returnTo === null || !leadsToApplication(returnTo)) return null
  const clientId = URL.parse(returnTo, config.origin)?.searchParams.get('client_id') ?? ''
  const application = await execute(db, findApplication(c.get('ctx'), clientId))
  return application?.name ?? null
}

export type SignInField = 'username' | 'password'

export interface SignInPageProps {
  /** E-mail address or user name, as typed before. */
  readonly username: string
  /** Name of the application that sent the person here. */
  readonly applicationName: string | null
  /** Path on this server that sign-in leads to. */
  readonly returnTo: string | null
  readonly signUp: SignUpState
  readonly passkeyOptions: PasskeyOptions
}

export function SignInPage(props: SignInPageProps) {
  const t = useTranslation()
  const { site, message: notice } = usePage()
  const { applicationName, returnTo, username } = props
  return (
    <FormPage
      title={t('common.signIn')}
      intro={
        <>
          <p class="quiet">
            {applicationName === null
              ? t.rich('signIn.accountDomain', { b: strong, domain: site.domain })
              : t.rich('signIn.accountDomainContinueApp', {
                  b: strong,
                  domain: site.domain,
                  app: <bdi>{applicationName}</bdi>,
                })}
          </p>
          {notice !== null && (
            <Banner kind="success">
              <p>{t(notice)}</p>
            </Banner>
          )}
        </>
      }
      after={
        props.signUp !== 'closed' && (
          <p class="aside">
            {t.rich('signIn.newHereSignUp', {
              link: (words) => <a href={signUpPath(returnTo)}>{words}</a>,
            })}
          </p>
        )
      }
    >
      <PostForm action={paths.signIn} hidden={{ return_to: returnTo }}>
        <TextField
          name="username"
          label={t('signIn.emailAddressUserName')}
          value={username}
          autocomplete="username"
          inputmode="email"
        />
        <TextField
          name="password"
          label={t('field.password')}
          type="password"
          autocomplete="current-password"
        />
        <Button>{t('common.signIn')}</Button>
      </PostForm>
      <p>
        <a href={paths.passwordForgotten}>{t('signIn.forgottenYourPassword')}</a>
      </p>
      <PasskeyForm
        action={paths.signInPasskey}
        act="get"
        options={props.passkeyOptions}
        hidden={{ return_to: returnTo }}
      >
        <Button look="secondary">{t('signIn.signPasskey')}</Button>
      </PasskeyForm>
    </FormPage>
  )
}

/** Words that stand out in a sentence. */
function strong(words: Child[]) {
  return <strong>{words}</strong>
}

export interface SignOutPageProps {
  /** The account of the session; the page has no link to it. */
  readonly account: AccountSummary
  readonly returnTo: string | null
}

export function SignOutPage({ account, returnTo }: SignOutPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('common.signOut')} heading={t('signIn.signOut')} isAlone isPrivate>
      <div class="block">
        <AccountCard account={account} domain={site.domain} isLink={false} />
        <p>{t('signIn.endsSessionBrowserApps')}</p>
        <PostForm action={paths.signOut} hidden={{ return_to: returnTo }}>
          <div class="actions">
            <Button>{t('common.signOut')}</Button>
            <ButtonLink look="secondary" href={paths.home}>
              {t('signIn.staySignedIn')}
            </ButtonLink>
          </div>
        </PostForm>
      </div>
    </Layout>
  )
}
