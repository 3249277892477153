import { Button } from '../components/button'
import { TextField } from '../components/field'
import { type FormErrors, PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { PasswordManagerUsername } from '../components/password-manager-username'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

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
      title="Delete account"
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
