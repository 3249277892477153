import { Button, ButtonLink } from '../components/button'
import { ContactCard } from '../components/contact-card'
import { EmailLinkForm } from '../components/email-link-form'
import { type FormErrors, PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { Layout } from '../components/layout'
import { NewPasswordFields } from '../components/new-password'
import { paths } from '../paths'
import type { Contact, FormPageProps, PageProps } from '../site'

export interface PasswordForgottenPageProps extends FormPageProps {
  readonly email: string
  readonly errors: FormErrors<'email'>
}

/** Asks for the address to send a reset link to. */
export function PasswordForgottenPage({
  site,
  viewer,
  csrfToken,
  email,
  errors,
}: PasswordForgottenPageProps) {
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title="Reset your password"
      errors={errors}
      intro={<p class="lead">We send you a link with which you can choose a new one.</p>}
      after={<BackToSignIn />}
    >
      <EmailLinkForm action={paths.passwordForgotten} {...{ csrfToken, email, errors }} />
    </FormPage>
  )
}

/** The answer to every address alike, so that nobody can find out who has an account. */
export function PasswordResetSentPage({ site, viewer }: PageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Check your mail" width="narrow" isPrivate>
      <div class="card">
        <h1>Check your mail</h1>
        <p>
          If an account here belongs to that address, a link to choose a new password is on its way to it. The
          link works for a few hours.
        </p>
        <p class="muted">Nothing there? It can take a few minutes, and it may have landed among the spam.</p>
      </div>
      <BackToSignIn />
    </Layout>
  )
}

export interface PasswordResetByAdminPageProps extends PageProps {
  readonly contact: Contact
}

/** For a server that sends no mail. */
export function PasswordResetByAdminPage({ site, viewer, contact }: PasswordResetByAdminPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Reset your password" width="narrow" isPrivate>
      <div class="card">
        <h1>Reset your password</h1>
        <p>
          {site.domain} sends no e-mail, so it cannot send you a reset link. The person who looks after the
          server can give you one: tell them your user name, and be ready to show that the account is yours.
        </p>
        <ContactCard contact={contact} domain={site.domain} />
      </div>
      <BackToSignIn />
    </Layout>
  )
}

export interface PasswordResetPageProps extends FormPageProps {
  /** From the link; null when it is unknown, used or too old. */
  readonly token: string | null
  readonly errors: FormErrors<'password' | 'password_confirmation'>
  readonly passwordMinLength: number
}

/** Where the link of the mail leads. */
export function PasswordResetPage(props: PasswordResetPageProps) {
  const { site, viewer, csrfToken, token, errors } = props
  const { fields = {} } = errors
  if (token === null) return <BadLinkPage site={site} viewer={viewer} />
  return (
    <FormPage site={site} viewer={viewer} title="Choose a new password" errors={errors}>
      <PostForm action={paths.passwordReset} csrfToken={csrfToken} hidden={{ reset_password_token: token }}>
        <NewPasswordFields
          label="New password"
          minLength={props.passwordMinLength}
          errors={fields.password}
          confirmationErrors={fields.password_confirmation}
        />
        <p class="muted">This signs you out of all browsers and apps.</p>
        <Button>Save new password</Button>
      </PostForm>
    </FormPage>
  )
}

function BadLinkPage({ site, viewer }: PageProps) {
  return (
    <Layout site={site} viewer={viewer} title="This link no longer works" width="narrow" isPrivate>
      <div class="card">
        <h1>This link no longer works</h1>
        <p>It was used already, or it is too old. Ask for a new one.</p>
        <div class="actions">
          <ButtonLink href={paths.passwordForgotten}>Send a new link</ButtonLink>
        </div>
      </div>
      <BackToSignIn />
    </Layout>
  )
}

function BackToSignIn() {
  return (
    <p class="aside">
      <a href={paths.signIn}>Back to sign in</a>
    </p>
  )
}
