import type { TotpSetUp } from '../../../domain/sign-in/totp'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { QrCode } from '../../components/qr-code'
import { paths } from '../../paths'

export type TwoFactorField = 'current_password' | 'code' | 'name' | 'credential'

export interface AppSetUpProps {
  readonly csrfToken: string
  readonly setUp: TotpSetUp
  readonly errors: FormErrors<TwoFactorField>
}

/** Secret of a new authenticator app, and the form that confirms that the app has it. */
export function AppSetUp({ csrfToken, setUp, errors }: AppSetUpProps) {
  return (
    <section class="card" aria-labelledby="set-up">
      <h2 id="set-up">Set up your app</h2>
      <ol>
        <li>
          <p>Scan this picture with the app.</p>
          <QrCode text={setUp.uri} label="QR code with the secret for your app; it stands below in letters" />
          <p>
            If you cannot, enter this secret instead: <code class="secret">{inGroups(setUp.secret)}</code>
          </p>
          <p>
            On the phone itself, <a href={setUp.uri}>open it in the app</a>.
          </p>
        </li>
        <li>
          <p>Enter the six digits that the app shows now. Only then it counts.</p>
          <PostForm action={`${paths.twoFactor}/app/confirm`} csrfToken={csrfToken}>
            <TextField
              name="code"
              label="Code"
              autocomplete="one-time-code"
              inputmode="numeric"
              maxlength={20}
              errors={errors.fields?.code}
            />
            <Button>Confirm</Button>
          </PostForm>
        </li>
      </ol>
      <PostForm action={`${paths.twoFactor}/app/cancel`} csrfToken={csrfToken} class="inline">
        <Button look="link">Cancel</Button>
      </PostForm>
    </section>
  )
}

/** Letters in groups of four, which are easier to type. */
function inGroups(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(' ')
}
