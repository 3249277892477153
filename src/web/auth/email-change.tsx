import { Button } from '../components/button'
import { TextField } from '../components/field'
import { type FormErrors, PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { PasswordManagerUsername } from '../components/password-manager-username'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

export type EmailChangeField = 'email' | 'current_password'

export interface EmailChangePageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly currentEmail: string
  /** What was typed. */
  readonly email: string
  readonly errors: FormErrors<EmailChangeField>
  /** A link has to be followed before the new address counts. */
  readonly isConfirmedByMail: boolean
}

export function EmailChangePage(props: EmailChangePageProps) {
  const { site, viewer, csrfToken, currentEmail, email, errors, isConfirmedByMail } = props
  const { fields = {} } = errors
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title="Change e-mail address"
      heading="Change e‑mail address"
      errors={errors}
      intro={
        <p class="lead">
          Now it is <strong>{currentEmail}</strong>.
        </p>
      }
      after={
        <p class="aside">
          <a href={paths.account}>Back to your account</a>
        </p>
      }
    >
      <PostForm action={paths.emailChange} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="email"
          label="New e-mail address"
          type="email"
          value={email}
          autocomplete="email"
          errors={fields.email}
        />
        <TextField
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          errors={fields.current_password}
        />
        {isConfirmedByMail && (
          <p class="muted">We send a link to the new address. Until you follow it, the old one stays.</p>
        )}
        <Button>Change address</Button>
      </PostForm>
    </FormPage>
  )
}
