import * as z from 'zod'
import { passwordLengths } from '../../../domain/users/check-sign-up'
import { changePassword } from '../../../domain/users/passwords'
import { Button } from '../../components/button'
import { CheckboxField, TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import { NewPasswordFields } from '../../components/new-password'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { refuseMismatch } from '../../password-mismatch'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Change password'

const form = z.object({
  current_password: textField(),
  password: textField(),
  password_confirmation: textField(),
  sign_out_apps: textField(),
})

export const passwordChangePage = memberPage({
  kind: 'settings',
  path: paths.passwordChange,
  title,
  access: 'signed-in',
  menu: { label: 'Change password', order: 70 },
  form,
  submissions: [{ run: change }],
  notices: { password: 'Your password is changed. All other browsers are signed out.' },
  noticesAt: paths.account,
  // Password managers look here for the page where passwords are changed.
  redirectsFrom: ['/.well-known/change-password'],
  load: () => ({}),
  view: ({ site, viewer, csrfToken, errors }) => (
    <PasswordChangePage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      errors={errors}
      passwordMinLength={passwordLengths.min}
    />
  ),
})

async function change({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  // An open browser must not allow to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${session.accountId}`)
  const { password, password_confirmation: passwordConfirmation, current_password: current } = input
  refuseMismatch({ password, passwordConfirmation })
  await changePassword(ctx, session.accountId, {
    current,
    next: password,
    keepSessionId: session.id,
    endsApplications: input.sign_out_apps === 'true',
  })
  return { notice: 'password' as const }
}

export type PasswordChangeField = 'current_password' | 'password' | 'password_confirmation' | 'sign_out_apps'

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
      title={title}
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
        <CheckboxField name="sign_out_apps" label="Sign out all apps, too" isChecked={false} isOptional />
        <p class="muted">This signs you out of all other browsers.</p>
        <Button>Change password</Button>
      </PostForm>
    </FormPage>
  )
}
