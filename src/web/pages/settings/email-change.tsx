import * as z from 'zod'
import { changeEmail } from '../../../domain/users/confirm'
import { Button } from '../../components/button'
import { CheckboxField, TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Change e-mail address'
const emailMaxLength = 300

const form = z.object({
  email: textField(emailMaxLength),
  current_password: textField(),
  sign_out_apps: textField(),
})

export const emailChangePage = memberPage({
  kind: 'settings',
  path: paths.emailChange,
  title,
  access: 'signed-in',
  menu: { label: 'Change e-mail', order: 60 },
  form,
  submissions: [{ run: change }],
  notices: {
    email: 'Your e-mail address is changed.',
    // The address of the page alone proves nothing: without a new e-mail address no mail was sent.
    'email-sent': ({ unconfirmedEmail }) =>
      unconfirmedEmail === null
        ? null
        : 'Please follow the link we sent to your new address. Until then the old one stays.',
  },
  noticesAt: paths.account,
  load: (ctx) => ({ isConfirmedByMail: ctx.mailer !== null }),
  view: ({ site, viewer, csrfToken, session, errors, typed, found }) => (
    <EmailChangePage
      site={site}
      viewer={viewer}
      csrfToken={csrfToken}
      currentEmail={session.email}
      email={typed('email').slice(0, emailMaxLength)}
      errors={errors}
      isConfirmedByMail={found.isConfirmedByMail}
    />
  ),
})

async function change({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { accountId } = session
  // An open browser must neither allow to try passwords nor to send mail without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  await changeEmail(ctx, accountId, {
    email: input.email,
    currentPassword: input.current_password,
    keepSessionId: session.id,
    endsApplications: input.sign_out_apps === 'true',
  })
  return { notice: ctx.mailer === null ? ('email' as const) : ('email-sent' as const) }
}

export type EmailChangeField = 'email' | 'current_password' | 'sign_out_apps'

export interface EmailChangePageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly currentEmail: string
  /** The new address, as typed. */
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
      title={title}
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
        <CheckboxField name="sign_out_apps" label="Sign out all apps, too" isChecked={false} isOptional />
        <p class="muted">This signs you out of all other browsers.</p>
        {isConfirmedByMail && (
          <p class="muted">We send a link to the new address. Until you follow it, the old one stays.</p>
        )}
        <Button>Change address</Button>
      </PostForm>
    </FormPage>
  )
}
