import type { Factors } from '../../../domain/sign-in/factors'
import type { Passkey } from '../../../domain/sign-in/passkeys'
import type { TotpSetUp } from '../../../domain/sign-in/totp'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import type { PageFrame } from '../../member-pages/declaration'
import type { PasskeyOptions } from '../../passkey-options'
import { paths } from '../../paths'
import { AppSetUp, type TwoFactorField } from './app-set-up'
import { PasskeySection } from './passkeys'

export const title = 'Two-factor authentication'

export interface TwoFactorPageProps extends PageFrame {
  readonly factors: Factors
  readonly passkeys: readonly Passkey[]
  readonly passkeyOptions: PasskeyOptions
  /** Whether the role of the user requires a second factor. */
  readonly isRequired: boolean
  /** Whether the user has given their password lately, without which nothing is changed. */
  readonly isRecent: boolean
  /** Authenticator app that is being set up. */
  readonly setUp: TotpSetUp | null
  readonly errors: FormErrors<TwoFactorField>
  readonly message: string | null
}

export function TwoFactorPage(props: TwoFactorPageProps) {
  const { site, viewer, errors, message, factors, isRecent, setUp } = props
  const isOn = factors.hasTotp || factors.passkeyCount > 0
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" hasErrors={hasErrors(errors)} isPrivate>
      <h1>{title}</h1>
      {message !== null && (
        <Banner kind="success">
          <p>{message}</p>
        </Banner>
      )}
      <ErrorSummary errors={errors} />
      {props.isRequired && !isOn && (
        <Banner kind="info">
          <p>
            Your role on this server requires it. Set up an app or a passkey, and everything else is open to
            you. If you came here from an app, start again there afterwards.
          </p>
        </Banner>
      )}
      <p class="lead">
        {isOn
          ? 'It is on: your password alone does not open your account.'
          : 'It is off. With it, whoever learns your password still cannot sign in.'}
      </p>
      {setUp !== null && <AppSetUp {...props} setUp={setUp} />}
      {!isRecent && <PasswordFirst {...props} />}
      {isRecent && setUp === null && (
        <>
          <AppSection {...props} />
          <PasskeySection {...props} />
          {isOn && <RecoverySection {...props} />}
          {isOn && !props.isRequired && <OffSection {...props} />}
        </>
      )}
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

function PasswordFirst({ viewer, csrfToken, errors }: TwoFactorPageProps) {
  return (
    <section class="card" aria-labelledby="confirm">
      <h2 id="confirm">First, your password</h2>
      <p>So that nobody else changes how you sign in at a browser you left open.</p>
      <PostForm action={`${paths.twoFactor}/password`} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          errors={errors.fields?.current_password}
        />
        <Button>Go on</Button>
      </PostForm>
    </section>
  )
}

function AppSection({ csrfToken, factors }: TwoFactorPageProps) {
  return (
    <section class="card" aria-labelledby="app">
      <h2 id="app">Authenticator app</h2>
      {factors.hasTotp ? (
        <>
          <p>It is set up. When you sign in, you enter the six digits it shows.</p>
          <details class="confirm">
            <summary>Remove it…</summary>
            <PostForm action={`${paths.twoFactor}/app/remove`} csrfToken={csrfToken}>
              <p>
                Its codes no longer work here.
                {factors.passkeyCount === 0 && ' Two-factor authentication is then off.'}
              </p>
              <Button look="danger">Remove the app</Button>
            </PostForm>
          </details>
        </>
      ) : (
        <>
          <p>
            An app on your phone shows six digits that change every half minute. Any app for one-time
            passwords (TOTP) will do, and many password managers can as well.
          </p>
          <PostForm action={`${paths.twoFactor}/app`} csrfToken={csrfToken}>
            <Button>Set up an app</Button>
          </PostForm>
        </>
      )}
    </section>
  )
}

function RecoverySection({ csrfToken, factors: { recoveryCodeCount } }: TwoFactorPageProps) {
  return (
    <section class="card" aria-labelledby="recovery">
      <h2 id="recovery">Recovery codes</h2>
      <p>
        {recoveryCodeCount === 0
          ? 'You have none left. Make new ones, before you lose your phone.'
          : `You have ${recoveryCodeCount} of them left, each of which works once.`}
      </p>
      <details class="confirm">
        <summary>Make new ones…</summary>
        <PostForm action={`${paths.twoFactor}/recovery-codes`} csrfToken={csrfToken}>
          <p>The ones you have no longer work then.</p>
          <Button>Make new codes</Button>
        </PostForm>
      </details>
    </section>
  )
}

function OffSection({ viewer, csrfToken, errors }: TwoFactorPageProps) {
  return (
    <section class="card" aria-labelledby="off">
      <h2 id="off">Turn it off</h2>
      <details class="confirm">
        <summary>Turn two-factor authentication off…</summary>
        <PostForm action={`${paths.twoFactor}/off`} csrfToken={csrfToken}>
          <p>This removes the app, all passkeys and the recovery codes.</p>
          <PasswordManagerUsername username={viewer.acct} />
          <TextField
            name="current_password"
            label="Your password"
            type="password"
            autocomplete="current-password"
            errors={errors.fields?.current_password}
          />
          <Button look="danger">Turn it off</Button>
        </PostForm>
      </details>
    </section>
  )
}
