import { Button, ButtonLink } from '../../components/button'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { paths } from '../../paths'
import type { FormPageProps, PageProps } from '../../site'

/** Cause: a sign-up, a request for another mail, or sign-in with an unconfirmed address. */
export type ConfirmationStage = 'signed-up' | 'asked-again' | 'unconfirmed'

export interface CheckMailPageProps extends FormPageProps {
  readonly email: string
  readonly stage: ConfirmationStage
}

/** Page after sign-up, and after sign-in before the link of the mail was followed. */
export function CheckMailPage({ site, viewer, csrfToken, email, stage }: CheckMailPageProps) {
  return (
    <Layout site={site} viewer={viewer} title="Check your mail" width="narrow" isPrivate>
      <div class="card">
        <h1>Check your mail</h1>
        <MailSentence email={email} stage={stage} />
        <p class="muted">Nothing there? It can take a few minutes, and it may have landed among the spam.</p>
        <PostForm action={paths.resendConfirmation} csrfToken={csrfToken} hidden={{ email }}>
          <Button look="secondary">Send it again</Button>
        </PostForm>
      </div>
    </Layout>
  )
}

/** Promises no more than is known: every address gets the same answer, also one without an account. */
function MailSentence({ email, stage }: Pick<CheckMailPageProps, 'email' | 'stage'>) {
  const address = <strong>{email}</strong>
  switch (stage) {
    case 'signed-up':
      return (
        <p>
          A link is on its way to {address}. Open it to confirm that the address is yours; then your account
          is ready.
        </p>
      )
    case 'asked-again':
      return (
        <p>If an account with the address {address} waits to be confirmed, a new link is on its way to it.</p>
      )
    case 'unconfirmed':
      return (
        <p>
          Your address {address} is not confirmed yet. Open the link in the mail you were sent, or have it
          sent again.
        </p>
      )
  }
}

export interface NoMailPageProps extends FormPageProps {
  readonly email: string
  readonly stage: Exclude<ConfirmationStage, 'signed-up'>
}

/** `CheckMailPage` of a server that sends no mail, and so takes every address as confirmed. */
export function NoMailPage({ site, viewer, csrfToken, email, stage }: NoMailPageProps) {
  const title = stage === 'unconfirmed' ? 'Confirm your address' : 'No mail is needed'
  return (
    <Layout site={site} viewer={viewer} title={title} width="narrow" isPrivate>
      <div class="card">
        <h1>{title}</h1>
        {stage === 'unconfirmed' ? (
          <>
            <p>
              Your address <strong>{email}</strong> is not confirmed yet. {site.domain} sends no e-mail, so
              your word is enough.
            </p>
            <PostForm action={paths.resendConfirmation} csrfToken={csrfToken} hidden={{ email }}>
              <Button>It is my address</Button>
            </PostForm>
          </>
        ) : (
          <>
            <p>
              {site.domain} sends no e-mail: an account with the address <strong>{email}</strong> is confirmed
              without one.
            </p>
            <div class="actions">
              {viewer === null ? (
                <ButtonLink href={paths.signIn}>Sign in</ButtonLink>
              ) : (
                <ButtonLink href={paths.account}>Go to your account</ButtonLink>
              )}
            </div>
          </>
        )}
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
