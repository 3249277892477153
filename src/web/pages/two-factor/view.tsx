import type { Factors, TotpSetUp } from '../../../domain/sign-in/factors'
import type { Passkey } from '../../../domain/sign-in/passkeys'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { CurrentPasswordField, PasswordManagerUsername } from '../../components/new-password'
import { QrCode } from '../../components/qr-code'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import { useMember } from '../../page-context'
import type { PasskeyOptions } from '../../passkey-options'
import { paths } from '../../paths'
import { PasskeySection } from './passkeys'

export const title = 'common.twoFactorAuthentication'

export interface TwoFactorPageProps {
  readonly factors: Factors
  readonly passkeys: readonly Passkey[]
  readonly passkeyOptions: PasskeyOptions
  /** Whether the role of the user requires a second factor. */
  readonly isRequired: boolean
  /** Whether the user has given their password lately, without which nothing is changed. */
  readonly isRecent: boolean
  /** Authenticator app that is being set up. */
  readonly setUp: TotpSetUp | null
}

export function TwoFactorPage(props: TwoFactorPageProps) {
  const t = useTranslation()
  const { factors, isRecent, setUp } = props
  const isOn = factors.hasTotp || factors.passkeyCount > 0
  return (
    <SettingsLayout title={t(title)}>
      {props.isRequired && !isOn && (
        <Banner kind="info">
          <p>{t('twoFactor.roleServerRequiresSet')}</p>
        </Banner>
      )}
      <p class="quiet">
        {isOn ? t('twoFactor.passwordAloneDoesNot') : t('twoFactor.offWhoeverLearnsPassword')}
      </p>
      {setUp !== null && <AppSetUp {...props} setUp={setUp} />}
      {!isRecent && <PasswordFirst />}
      {isRecent && setUp === null && (
        <>
          <AppSection {...props} />
          <PasskeySection {...props} />
          {isOn && <RecoverySection {...props} />}
          {isOn && !props.isRequired && <OffSection />}
        </>
      )}
    </SettingsLayout>
  )
}

function PasswordFirst() {
  const t = useTranslation()
  const viewer = useMember()
  return (
    <section class="block" aria-labelledby="confirm">
      <h2 id="confirm">{t('twoFactor.firstYourPassword')}</h2>
      <p>{t('twoFactor.nobodyElseChangesHow')}</p>
      <PostForm action={`${paths.twoFactor}/password`}>
        <PasswordManagerUsername username={viewer.acct} />
        <CurrentPasswordField />
        <Button>{t('twoFactor.goOn')}</Button>
      </PostForm>
    </section>
  )
}

function AppSection({ factors }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="app">
      <h2 id="app">{t('twoFactor.authenticatorApp')}</h2>
      {factors.hasTotp ? (
        <>
          <p>{t('twoFactor.setUpWhenSign')}</p>
          <details class="confirm">
            <summary>{t('twoFactor.removeIt')}</summary>
            <PostForm action={`${paths.twoFactor}/app/remove`}>
              <p>
                {factors.passkeyCount === 0
                  ? t('twoFactor.codesNoLongerWorkHere')
                  : t('twoFactor.codesNoLongerWork')}
              </p>
              <Button look="danger">{t('twoFactor.removeTheApp')}</Button>
            </PostForm>
          </details>
        </>
      ) : (
        <>
          <p>{t('twoFactor.appPhoneShowsSix')}</p>
          <PostForm action={`${paths.twoFactor}/app`}>
            <Button>{t('twoFactor.setUpApp')}</Button>
          </PostForm>
        </>
      )}
    </section>
  )
}

function RecoverySection({ factors: { recoveryCodeCount } }: TwoFactorPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="recovery">
      <h2 id="recovery">{t('twoFactor.recoveryCodes')}</h2>
      <p>
        {recoveryCodeCount === 0
          ? t('twoFactor.haveNoneLeftMake')
          : t('twoFactor.haveLeftEachWhich', { count: recoveryCodeCount })}
      </p>
      <details class="confirm">
        <summary>{t('twoFactor.makeNewOnes')}</summary>
        <PostForm action={`${paths.twoFactor}/recovery-codes`}>
          <p>{t('twoFactor.onesHaveNoLonger')}</p>
          <Button>{t('twoFactor.makeNewCodes')}</Button>
        </PostForm>
      </details>
    </section>
  )
}

function OffSection() {
  const t = useTranslation()
  const viewer = useMember()
  return (
    <section class="block" aria-labelledby="off">
      <h2 id="off">{t('twoFactor.turnItOff')}</h2>
      <details class="confirm">
        <summary>{t('twoFactor.turnTwoFactorAuthentication')}</summary>
        <PostForm action={`${paths.twoFactor}/off`}>
          <p>{t('twoFactor.removesAppAllPasskeys')}</p>
          <PasswordManagerUsername username={viewer.acct} />
          <CurrentPasswordField />
          <Button look="danger">{t('twoFactor.turnItOff')}</Button>
        </PostForm>
      </details>
    </section>
  )
}

interface AppSetUpProps {
  readonly setUp: TotpSetUp
}

/** Secret of a new authenticator app, and the form that confirms that the app has it. */
function AppSetUp({ setUp }: AppSetUpProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="set-up">
      <h2 id="set-up">{t('twoFactor.app.setUpApp')}</h2>
      <ol>
        <li>
          <p>{t('twoFactor.app.scanPictureApp')}</p>
          <QrCode text={setUp.uri} label={t('twoFactor.app.qrCodeSecretApp')} />
          <p>
            {t.rich('twoFactor.app.ifCannotEnterSecret', {
              code: (words) => <code class="secret">{words}</code>,
              secret: inGroups(setUp.secret),
            })}
          </p>
          <p>
            {t.rich('twoFactor.app.phoneItselfOpenApp', {
              link: (words) => <a href={setUp.uri}>{words}</a>,
            })}
          </p>
        </li>
        <li>
          <p>{t('twoFactor.app.enterSixDigitsApp')}</p>
          <PostForm action={`${paths.twoFactor}/app/confirm`}>
            <TextField
              name="code"
              label={t('field.code')}
              autocomplete="one-time-code"
              inputmode="numeric"
              maxlength={20}
            />
            <Button>{t('twoFactor.app.confirm')}</Button>
          </PostForm>
        </li>
      </ol>
      <PostForm action={`${paths.twoFactor}/app/cancel`} class="inline">
        <Button look="link">{t('common.cancel')}</Button>
      </PostForm>
    </section>
  )
}

/** Letters in groups of four, which are easier to type. */
function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
