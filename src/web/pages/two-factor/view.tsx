import type { Factors, TotpSetUp } from '../../../domain/sign-in/factors'
import type { Passkey } from '../../../domain/sign-in/passkeys'
import { Banner } from '../../components/banner'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { CurrentPasswordField, PasswordManagerUsername } from '../../components/new-password'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import { useMember } from '../../page-context'
import type { PasskeyOptions } from '../../passkey-options'
import { paths } from '../../paths'
import { AppSetUp } from './app-set-up'
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
      <p class="lead">
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
    <section class="card" aria-labelledby="confirm">
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
    <section class="card" aria-labelledby="app">
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
    <section class="card" aria-labelledby="recovery">
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
    <section class="card" aria-labelledby="off">
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
