import { Button, ButtonLink } from '../components/button'
import { PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { Notice } from '../components/notice'
import { paths } from '../paths'
import type { FormPageProps, PageProps } from '../site'

export interface CheckMailPageProps extends FormPageProps {
  readonly email: string
  /** The mail has just been sent once more. */
  readonly wasResent: boolean
}

/** After sign-up, and for whoever signs in before following the link in the mail. */
export function CheckMailPage({ site, viewer, csrfToken, email, wasResent }: CheckMailPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Check your mail" width="narrow" isPrivate>
      <div class="card">
        <h1>Check your mail</h1>
        <p>
          We sent a link to <strong>{email}</strong>. Open it to confirm that the address is yours; then your
          account is ready.
        </p>
        <p class="muted">Nothing there? It can take a few minutes, and it may have landed among the spam.</p>
        <PostForm action={paths.resendConfirmation} csrfToken={csrfToken} hidden={{ email }}>
          {wasResent && (
            <Notice kind="success">
              <p>We have sent it once more.</p>
            </Notice>
          )}
          <Button look="secondary">Send it again</Button>
        </PostForm>
      </div>
    </Layout>
  )
}

export interface WaitingForApprovalPageProps extends PageProps {
  /** Whether the answer comes by e-mail: a server without a mailer cannot promise it. */
  readonly answersByMail: boolean
}

export function WaitingForApprovalPage({ site, viewer, answersByMail }: WaitingForApprovalPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Waiting for approval" width="narrow" isPrivate>
      <div class="card">
        <h1>Waiting for approval</h1>
        <p>Thank you. The people who look after {site.domain} will read your request.</p>
        {answersByMail ? (
          <p>You get an e-mail once it has been decided. You need not do anything until then.</p>
        ) : (
          <p>This server sends no e-mail: come back and sign in to see whether it has been decided.</p>
        )}
        <div class="actions">
          <ButtonLink look="secondary" href={paths.home}>
            Back to the front page
          </ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
