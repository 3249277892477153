import { type Passkey, passkeyLimits } from '../../../domain/sign-in/passkeys'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { PasskeyForm } from '../../components/passkey-form'
import { useTranslation } from '../../i18n/context'
import type { PasskeyOptions } from '../../passkey-options'
import { paths } from '../../paths'

export interface PasskeySectionProps {
  readonly passkeys: readonly Passkey[]
  readonly passkeyOptions: PasskeyOptions
}

/** The passkeys of an account, and the form that adds one. */
export function PasskeySection({ passkeys, passkeyOptions }: PasskeySectionProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="passkeys">
      <h2 id="passkeys">{t('twoFactor.passkeys.passkeys')}</h2>
      <p>{t('twoFactor.passkeys.passkeySignsByFingerprint')}</p>
      {passkeys.length > 0 && (
        <ul class="entries">
          {passkeys.map((passkey) => (
            <li>
              <PasskeyEntry passkey={passkey} />
            </li>
          ))}
        </ul>
      )}
      {passkeys.length < passkeyLimits.count && (
        <PasskeyForm action={`${paths.twoFactor}/passkeys`} act="create" options={passkeyOptions}>
          <TextField
            name="name"
            label={t('twoFactor.passkeys.namePasskey')}
            hint={t('twoFactor.passkeys.namePasskey.hint')}
            autocomplete="off"
            maxlength={passkeyLimits.nameLength}
          />
          <Button>{t('twoFactor.passkeys.addAPasskey')}</Button>
        </PasskeyForm>
      )}
    </section>
  )
}

function PasskeyEntry({ passkey }: { passkey: Passkey }) {
  const t = useTranslation()
  const { id, name, backedUp, createdAt, lastUsedAt } = passkey
  return (
    <>
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <p class="quiet small">
        {t.rich('twoFactor.passkeys.addedDay', { day: <Day at={createdAt} /> })}
        {' · '}
        {lastUsedAt === null
          ? t('common.neverUsed')
          : t.rich('common.lastUsedDay', { day: <Day at={lastUsedAt} /> })}
        {backedUp && <> · {t('twoFactor.passkeys.synchronised')}</>}
      </p>
      <details class="confirm">
        <summary>
          {t.rich('twoFactor.passkeys.removeName', {
            hidden: (words) => <span class="hidden">{words}</span>,
            name,
          })}
        </summary>
        <PostForm action={`${paths.twoFactor}/passkeys/${id}/remove`}>
          <p>{t('twoFactor.passkeys.noLongerOpensAccount')}</p>
          <Button look="danger">{t('twoFactor.passkeys.removeThePasskey')}</Button>
        </PostForm>
      </details>
    </>
  )
}
