import type { Child } from 'hono/jsx'
import { WaitingLinks } from '../../components/account-notice'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { FormPageProps, PageProps } from '../../site'

/** Cause: a sign-up, a request for another mail, or sign-in with an unconfirmed address. */
export type ConfirmationStage = 'signed-up' | 'asked-again' | 'unconfirmed'

export interface CheckMailPageProps extends FormPageProps {
  readonly email: string
  readonly stage: ConfirmationStage
  /** Time of the sign-up, for the member who is signed in. */
  readonly since?: Date
}

/** Page after sign-up, and after sign-in before the link of the mail was followed. */
export function CheckMailPage({ site, viewer, csrfToken, email, stage, since }: CheckMailPageProps) {
  const t = useTranslation()
  return (
    <Layout site={site} viewer={viewer} title={t('Check your mail')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('Check your mail')}</h1>
        <MailSentence email={email} stage={stage} />
        <p class="muted">
          {t('Nothing there? It can take a few minutes, and it may have landed among the spam.')}
        </p>
        <PostForm action={paths.resendConfirmation} csrfToken={csrfToken} hidden={{ email }}>
          <Button look="secondary">{t('Send it again')}</Button>
        </PostForm>
        <Waiting since={since} isUnconfirmed />
      </div>
    </Layout>
  )
}

/** Promises no more than is known: every address gets the same answer, also one without an account. */
function MailSentence({ email, stage }: Pick<CheckMailPageProps, 'email' | 'stage'>) {
  const t = useTranslation()
  const values = { address: (words: Child[]) => <strong>{words}</strong>, email }
  switch (stage) {
    case 'signed-up':
      return (
        <p>
          {t.rich(
            'A link is on its way to <address>{email}</address>. Open it to confirm that the address is yours; then your account is ready.',
            values,
          )}
        </p>
      )
    case 'asked-again':
      return (
        <p>
          {t.rich(
            'If an account with the address <address>{email}</address> waits to be confirmed, a new link is on its way to it.',
            values,
          )}
        </p>
      )
    case 'unconfirmed':
      return (
        <p>
          {t.rich(
            'Your address <address>{email}</address> is not confirmed yet. Open the link in the mail you were sent, or have it sent again.',
            values,
          )}
        </p>
      )
  }
}

export interface NoMailPageProps extends Pick<CheckMailPageProps, keyof FormPageProps | 'email' | 'since'> {
  readonly stage: Exclude<ConfirmationStage, 'signed-up'>
}

/** `CheckMailPage` of a server that sends no mail, and so takes every address as confirmed. */
export function NoMailPage({ site, viewer, csrfToken, email, stage, since }: NoMailPageProps) {
  const t = useTranslation()
  const values = { address: (words: Child[]) => <strong>{words}</strong>, email }
  const title = stage === 'unconfirmed' ? t('Confirm your address') : t('No mail is needed')
  return (
    <Layout site={site} viewer={viewer} title={title} width="narrow" isPrivate>
      <div class="card">
        <h1>{title}</h1>
        {stage === 'unconfirmed' ? (
          <>
            <p>
              {t.rich(
                'Your address <address>{email}</address> is not confirmed yet. {domain} sends no e-mail, so your word is enough.',
                { ...values, domain: site.domain },
              )}
            </p>
            <PostForm action={paths.resendConfirmation} csrfToken={csrfToken} hidden={{ email }}>
              <Button>{t('It is my address')}</Button>
            </PostForm>
            <Waiting since={since} isUnconfirmed />
          </>
        ) : (
          <>
            <p>
              {t.rich(
                '{domain} sends no e-mail: an account with the address <address>{email}</address> is confirmed without one.',
                { ...values, domain: site.domain },
              )}
            </p>
            <div class="actions">
              {viewer === null ? (
                <ButtonLink href={paths.signIn}>{t('Sign in')}</ButtonLink>
              ) : (
                <ButtonLink href={paths.account}>{t('Go to your account')}</ButtonLink>
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
  /** Time of the sign-up, for the member who is signed in. */
  readonly since?: Date
}

export function WaitingForApprovalPage({ site, viewer, answersByMail, since }: WaitingForApprovalPageProps) {
  const t = useTranslation()
  return (
    <Layout site={site} viewer={viewer} title={t('Waiting for approval')} width="narrow" isPrivate>
      <div class="card">
        <h1>{t('Waiting for approval')}</h1>
        <p>
          {t('Thank you. The people who look after {domain} will read your request.', {
            domain: site.domain,
          })}
        </p>
        {answersByMail ? (
          <p>{t('You get an e-mail once it has been decided. You need not do anything until then.')}</p>
        ) : (
          <p>{t('This server sends no e-mail: come back and sign in to see whether it has been decided.')}</p>
        )}
        <Waiting since={since} />
        <div class="actions">
          <ButtonLink look="secondary" href={paths.home}>
            {t('Back to the front page')}
          </ButtonLink>
        </div>
      </div>
    </Layout>
  )
}

interface WaitingProps {
  readonly since: Date | undefined
  readonly isUnconfirmed?: boolean
}

/** Since when a signed-in member waits, and what they can do until then. */
function Waiting({ since, isUnconfirmed = false }: WaitingProps) {
  const t = useTranslation()
  if (since === undefined) return null
  return (
    <>
      <p>{t.rich('You signed up on {day}.', { day: <Day at={since} /> })}</p>
      <WaitingLinks>
        {isUnconfirmed && <a href={paths.emailChange}>{t('Change e-mail address')}</a>}
      </WaitingLinks>
    </>
  )
}
