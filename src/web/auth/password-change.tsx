import { Button } from '../components/button'
import { TextField } from '../components/field'
import { type FormErrors, PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { NewPasswordFields } from '../components/new-password'
import { PasswordManagerUsername } from '../components/password-manager-username'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export type PasswordChangeField = 'current_password' | 'password' | 'password_confirmation'

export interface PasswordChangePageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<PasswordChangeField>
  readonly passwordMinLength: number
}

export function PasswordChangePage(props: PasswordChangePageProps) {
  const { site, viewer, csrfToken, errors, passwordMinLength } = props
  const { fields = {} } = errors
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title="Change password"
      errors={errors}
      after={
        <p class="aside">
          <a href={paths.account}>Back to your account</a>
        </p>
      }
    >
      <PostForm action={paths.passwordChange} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="current_password"
          label="Current password"
          type="password"
          autocomplete="current-password"
          errors={fields.current_password}
        />
        <NewPasswordFields
          label="New password"
          minLength={passwordMinLength}
          errors={fields.password}
          confirmationErrors={fields.password_confirmation}
        />
        <p class="muted">This signs you out of all other browsers. Your apps stay signed in.</p>
        <Button>Change password</Button>
      </PostForm>
    </FormPage>
  )
}
