import * as z from 'zod'
import { deleteOwnAccount } from '../../../domain/accounts/delete-own'
import { findWithPassword } from '../../../domain/users/passwords'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { type FormErrors, PostForm } from '../../components/form'
import { FormPage } from '../../components/form-page'
import { PasswordManagerUsername } from '../../components/password-manager-username'
import { clearSecretCookie } from '../../cookies'
import { textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Delete account'

const form = z.object({ current_password: textField() })

export const deletionPage = memberPage({
  kind: 'settings',
  path: paths.deletion,
  title,
  access: 'signed-in',
  isBeforeTerms: true,
  menu: { label: 'Delete account', order: 100 },
  form,
  submissions: [{ run: deleteAccount }],
  notices: {},
  load: () => ({}),
  view: ({ site, viewer, csrfToken, errors }) => (
    <DeletionPage site={site} viewer={viewer} csrfToken={csrfToken} errors={errors} />
  ),
})

async function deleteAccount({ c, ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { accountId } = session
  // An open browser must not allow to try passwords without end.
  await ctx.throttle.take('signInsByName', `account ${accountId}`)
  await findWithPassword(ctx, accountId, input.current_password)
  await deleteOwnAccount(ctx, accountId)
  clearSecretCookie(c, 'session')
  return { redirectTo: `${paths.signIn}?done=deleted` }
}

export type DeletionField = 'current_password'

export interface DeletionPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<DeletionField>
}

/** Leaving for good. */
export function DeletionPage({ site, viewer, csrfToken, errors }: DeletionPageProps) {
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title={title}
      errors={errors}
      after={
        <p class="aside">
          <a href={paths.account}>Keep the account</a>
        </p>
      }
    >
      <p>
        This deletes your profile, your posts and your pictures for good, here at once. Other servers are
        asked to delete their copies. Your name stays taken: nobody will be able to pass for you.
      </p>
      <p>
        To keep your followers, <a href={paths.migration}>move the account</a> instead.
      </p>
      <PostForm action={paths.deletion} csrfToken={csrfToken}>
        <PasswordManagerUsername username={viewer.acct} />
        <TextField
          name="current_password"
          label="Your password"
          type="password"
          autocomplete="current-password"
          errors={errors.fields?.current_password}
        />
        <Button look="danger">Delete my account</Button>
      </PostForm>
    </FormPage>
  )
}
