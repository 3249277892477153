import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { execute } from '../../db/query'
import { findApplication } from '../../domain/sessions/applications'
import { takeForNetwork } from '../../domain/sessions/flood'
import { checkPasskey } from '../../domain/sign-in/passkeys'
import { findMemberById } from '../../domain/users/find'
import { checkPassword } from '../../domain/users/passwords'
import { Invalid } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import type { TextKey } from '../../lib/translate'
import { type AppContext, type AppEnv, clientIp } from '../../ports/app-env'
import { Banner } from '../components/banner'
import { Button } from '../components/button'
import { TextField } from '../components/field'
import { PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { PasskeyForm } from '../components/passkey-form'
import { csrfTokenFor, readCsrfForm } from '../csrf'
import type { FormErrors } from '../form-errors'
import { useTranslation } from '../i18n/context'
import { hasDraft } from '../member-pages/draft'
import { showPage } from '../page'
import { usePage } from '../page-context'
import { deviceHashOf, openPage, type PageRequest, startBrowserSession } from '../page-request'
import { type PasskeyOptions, signInOptions } from '../passkey-options'
import { paths, signInStepPath, signUpPath } from '../paths'
import { leadsAway, leadsToApplication, returnToOf } from '../return-to'
import type { SignUpState } from '../site'
import { accountsOfBrowser, type BrowserAccount } from './accounts/browser-accounts'
import { AccountList } from './accounts/view'
import { leadToSecondStep, pathAfterSignIn } from './sign-in-step'

export function signInRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.signIn, async (c) => {
    const visit = await openPage(c)
    const returnTo = returnToOf(c, c.req.query('return_to'))
    const isAdded = c.req.query('add') === '1'
    if (visit.session !== null && !isAdded) return c.redirect(returnTo ?? visit.site.start)
    const message = messages.get(c.req.query('done') ?? '') ?? null
    return showSignIn(c, visit, { ...blank, message, returnTo, isAdded })
  })
  app.post(paths.signIn, signIn)
  app.post(paths.signInPasskey, signInWithPasskey)
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
  const isAdded = form('add') === '1'
  const deviceHash = await deviceHashOf(c)
  const password = form('password').slice(0, 1_000)
  const member = await checkPassword(ctx, { login: username, password, deviceHash })
  // An unknown name and a wrong password get the same sentence.
  if (member === null)
    return showSignIn(c, visit, {
      ...blank,
      username,
      errors: { form: 'problem.wrongNamePassword' },
      returnTo,
      isAdded,
      status: 422,
    })
  const isComplete = !(await leadToSecondStep(c, member, deviceHash))
  if (!isComplete) return c.redirect(signInStepPath(returnTo, isAdded), 303)
  await startBrowserSession(c, visit, member, { isAdded })
  return c.redirect(pathAfterSignIn(member, returnTo, visit.site), 303)
}

/** Signs in by a passkey alone: the authenticator knows the person, so it is two factors by itself. */
async function signInWithPasskey(c: AppContext) {
  const ctx = c.get('ctx')
  const visit = await openPage(c)
  const form = await readCsrfForm(c, visit)
  await takeForNetwork(ctx, 'signInsByIp', clientIp(c))
  const returnTo = returnToOf(c, form('return_to'))
  const isAdded = form('add') === '1'
  const refuse = (problems: readonly Problem[]) =>
    showSignIn(c, visit, { ...blank, errors: { form: problems }, returnTo, isAdded, status: 422 })
  let accountId: AccountId
  try {
    accountId = await checkPasskey(ctx, form('credential'), form('csrf_token'))
  } catch (failure) {
    if (!(failure instanceof Invalid)) throw failure
    return refuse(failure.problems)
  }
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) return refuse([problem('passkey_unknown')])
  await startBrowserSession(c, visit, member, { isAdded })
  return c.redirect(pathAfterSignIn(member, returnTo, visit.site), 303)
}

interface SignInFormState {
  readonly username: string
  readonly errors: FormErrors<SignInField>
  readonly message: TextKey | null
  readonly returnTo: string | null
  /** The accounts that this browser is signed in to stay. */
  readonly isAdded: boolean
  readonly status: 200 | 422
}

const blank: SignInFormState = {
  username: '',
  errors: {},
  message: null,
  returnTo: null,
  isAdded: false,
  status: 200,
}

const kept = 'signIn.whatTypedKeptSign'

async function showSignIn(c: AppContext, visit: PageRequest, shown: SignInFormState) {
  const { username, errors, message, returnTo, isAdded, status } = shown
  const hasKept = returnTo !== null && (await hasDraft(c, returnTo))
  const csrfToken = await csrfTokenFor(c, visit)
  const page = {
    username,
    returnTo,
    isAdded,
    accounts: visit.slots.length > 0 || visit.restricted !== null ? await accountsOfBrowser(c, visit) : [],
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
  /** Adds an account to those of this browser. */
  readonly isAdded: boolean
  /** Accounts of this browser to go on with. */
  readonly accounts: readonly BrowserAccount[]
  readonly signUp: SignUpState
  readonly passkeyOptions: PasskeyOptions
}

export function SignInPage(props: SignInPageProps) {
  const t = useTranslation()
  const { site, message: notice } = usePage()
  const { applicationName, returnTo, username, isAdded, accounts } = props
  const hidden = { return_to: returnTo, add: isAdded ? '1' : null }
  return (
    <FormPage
      title={isAdded ? t('accounts.add') : t('common.signIn')}
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
        <>
          {accounts.length > 0 && (
            <section class="block" aria-labelledby="accounts">
              <h2 id="accounts">{t('accounts.inThisBrowser')}</h2>
              <AccountList accounts={accounts} returnTo={returnTo} />
            </section>
          )}
          {props.signUp !== 'closed' && !isAdded && (
            <p class="aside">
              {t.rich('signIn.newHereSignUp', {
                link: (words) => <a href={signUpPath(returnTo)}>{words}</a>,
              })}
            </p>
          )}
        </>
      }
    >
      <PostForm action={paths.signIn} hidden={hidden}>
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
      <PasskeyForm action={paths.signInPasskey} act="get" options={props.passkeyOptions} hidden={hidden}>
        <Button look="secondary">{t('signIn.signPasskey')}</Button>
      </PasskeyForm>
    </FormPage>
  )
}

/** Words that stand out in a sentence. */
function strong(words: Child[]) {
  return <strong>{words}</strong>
}
