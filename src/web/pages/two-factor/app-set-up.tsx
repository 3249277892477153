import type { TotpSetUp } from '../../../domain/sign-in/factors'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { QrCode } from '../../components/qr-code'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'

export interface AppSetUpProps {
  readonly setUp: TotpSetUp
}

/** Secret of a new authenticator app, and the form that confirms that the app has it. */
export function AppSetUp({ setUp }: AppSetUpProps) {
  const t = useTranslation()
  return (
    <section class="card" aria-labelledby="set-up">
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
