import type { Factors } from '../../../domain/sign-in/factors'
import type { Passkey } from '../../../domain/sign-in/passkeys'
import type { TotpSetUp } from '../../../domain/sign-in/totp'
import { message } from '../../../lib/translate'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { CurrentPasswordField } from '../../components/current-password-field'
import { type FormErrors, PostForm } from '../../components/form'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import type { PageFrame } from '../../member-pages/declaration'
import type { PasskeyOptions } from '../../passkey-options'
import { paths } from '../../paths'
import { AppSetUp, type TwoFactorField } from './app-set-up'
import { PasskeySection } from './passkeys'

export const title = message('Two-factor authentication')

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
  const t = useTranslation()
  const { site, viewer, errors, message: notice, factors, isRecent, setUp } = props
  const isOn = factors.hasTotp || factors.passkeyCount > 0
  return (
    <SettingsLayout site={site} viewer={viewer} title={t(title)} errors={errors} message={notice}>
      {props.isRequired && !isOn && (
        <Banner kind="info">
          <p>
            {t(
              'Your role on this server requires it. Set up an app or a passkey, and everything else is open to you. If you came here from an app, start again there afterwards.',
            )}
          </p>
        </Banner>
      )}
      <p class="lead">
        {isOn
          ? t('It is on: your password alone does not open your account.')
          : t('It is off. With it, whoever learns your password still cannot sign in.')}
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
    </SettingsLayout>
  )
}

function PasswordFirst({ viewer, csrfToken, errors }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="confirm">
      <h2 id="confirm">{t('First, your password')}</h2>
      <p>{t('So that nobody else changes how you sign in at a browser you left open.')}</p>
      <PostForm action={`${paths.twoFactor}/password`} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <CurrentPasswordField errors={errors.fields?.current_password} />
        <Button>{t('Go on')}</Button>
      </PostForm>
    </section>
  )
}

function AppSection({ csrfToken, factors }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="app">
      <h2 id="app">{t('Authenticator app')}</h2>
      {factors.hasTotp ? (
        <>
          <p>{t('It is set up. When you sign in, you enter the six digits it shows.')}</p>
          <details class="confirm">
            <summary>{t('Remove it…')}</summary>
            <PostForm action={`${paths.twoFactor}/app/remove`} csrfToken={csrfToken}>
              <p>
                {factors.passkeyCount === 0
                  ? t('Its codes no longer work here. Two-factor authentication is then off.')
                  : t('Its codes no longer work here.')}
              </p>
              <Button look="danger">{t('Remove the app')}</Button>
            </PostForm>
          </details>
        </>
      ) : (
        <>
          <p>
            {t(
              'An app on your phone shows six digits that change every half minute. Any app for one-time passwords (TOTP) will do, and many password managers can as well.',
            )}
          </p>
          <PostForm action={`${paths.twoFactor}/app`} csrfToken={csrfToken}>
            <Button>{t('Set up an app')}</Button>
          </PostForm>
        </>
      )}
    </section>
  )
}

function RecoverySection({ csrfToken, factors: { recoveryCodeCount } }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="recovery">
      <h2 id="recovery">{t('Recovery codes')}</h2>
      <p>
        {recoveryCodeCount === 0
          ? t('You have none left. Make new ones, before you lose your phone.')
          : t(
              '{count, plural, one {You have # of them left. It works once.} other {You have # of them left, each of which works once.}}',
              { count: recoveryCodeCount },
            )}
      </p>
      <details class="confirm">
        <summary>{t('Make new ones…')}</summary>
        <PostForm action={`${paths.twoFactor}/recovery-codes`} csrfToken={csrfToken}>
          <p>{t('The ones you have no longer work then.')}</p>
          <Button>{t('Make new codes')}</Button>
        </PostForm>
      </details>
    </section>
  )
}

function OffSection({ viewer, csrfToken, errors }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="off">
      <h2 id="off">{t('Turn it off')}</h2>
      <details class="confirm">
        <summary>{t('Turn two-factor authentication off…')}</summary>
        <PostForm action={`${paths.twoFactor}/off`} csrfToken={csrfToken}>
          <p>{t('This removes the app, all passkeys and the recovery codes.')}</p>
          <PasswordManagerUsername username={viewer.acct} />
          <CurrentPasswordField errors={errors.fields?.current_password} />
          <Button look="danger">{t('Turn it off')}</Button>
        </PostForm>
      </details>
    </section>
  )
}
