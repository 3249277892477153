import type { Child } from 'hono/jsx'
import { WaitingLinks } from '../../components/account-notice'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'

/** Cause: a sign-up, a request for another mail, or sign-in with an unconfirmed address. */
export type ConfirmationStage = 'signed-up' | 'asked-again' | 'unconfirmed'

export interface CheckMailPageProps {
  readonly email: string
  readonly stage: ConfirmationStage
  /** Time of the sign-up, for the member who is signed in. */
  readonly since?: Date
}

/** Page after sign-up, and after sign-in before the link of the mail was followed. */
export function CheckMailPage({ email, stage, since }: CheckMailPageProps) {
  const t = useTranslation()
  return (
    <Layout title={t('common.checkYourMail')} isAlone isPrivate>
      <div class="block">
        <MailSentence email={email} stage={stage} />
        <p class="quiet small">{t('common.nothingThereCanTake')}</p>
        <PostForm action={paths.resendConfirmation} hidden={{ email }}>
          <Button look="secondary">{t('signUp.done.sendItAgain')}</Button>
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
      return <p>{t.rich('signUp.done.linkWayEmailOpen', values)}</p>
    case 'asked-again':
      return <p>{t.rich('signUp.done.ifAccountAddressEmail', values)}</p>
    case 'unconfirmed':
      return <p>{t.rich('signUp.done.addressEmailNotConfirmedYet', values)}</p>
  }
}

export interface NoMailPageProps extends Pick<CheckMailPageProps, 'email' | 'since'> {
  readonly stage: Exclude<ConfirmationStage, 'signed-up'>
}

/** `CheckMailPage` of a server that sends no mail, and so takes every address as confirmed. */
export function NoMailPage({ email, stage, since }: NoMailPageProps) {
  const t = useTranslation()
  const { site, viewer } = usePage()
  const values = { address: (words: Child[]) => <strong>{words}</strong>, email }
  const title = stage === 'unconfirmed' ? t('common.confirmYourAddress') : t('signUp.done.noMailNeeded')
  return (
    <Layout title={title} isAlone isPrivate>
      <div class="block">
        {stage === 'unconfirmed' ? (
          <>
            <p>{t.rich('signUp.done.addressEmailNotConfirmed', { ...values, domain: site.domain })}</p>
            <PostForm action={paths.resendConfirmation} hidden={{ email }}>
              <Button>{t('signUp.done.myAddress')}</Button>
            </PostForm>
            <Waiting since={since} isUnconfirmed />
          </>
        ) : (
          <>
            <p>{t.rich('signUp.done.domainSendsNoEmail', { ...values, domain: site.domain })}</p>
            <div class="actions">
              {viewer === null ? (
                <ButtonLink href={paths.signIn}>{t('common.signIn')}</ButtonLink>
              ) : (
                <ButtonLink href={paths.account}>{t('common.goAccount')}</ButtonLink>
              )}
            </div>
          </>
        )}
      </div>
    </Layout>
  )
}

export interface WaitingForApprovalPageProps {
  /** Whether the answer comes by e-mail: a server without a mailer cannot promise it. */
  readonly answersByMail: boolean
  /** Time of the sign-up, for the member who is signed in. */
  readonly since?: Date
}

export function WaitingForApprovalPage({ answersByMail, since }: WaitingForApprovalPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Layout title={t('signUp.done.waitingForApproval')} isAlone isPrivate>
      <div class="block">
        <p>
          {t('signUp.done.thankPeopleWhoLook', {
            domain: site.domain,
          })}
        </p>
        {answersByMail ? <p>{t('signUp.done.getEmailOnceHas')}</p> : <p>{t('common.serverSendsNoEmail')}</p>}
        <Waiting since={since} />
        <div class="actions">
          {since === undefined && (
            <ButtonLink look="secondary" href={paths.signIn}>
              {t('common.signIn')}
            </ButtonLink>
          )}
          <ButtonLink look="secondary" href={paths.front}>
            {t('common.backFrontPage')}
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
      <p>{t.rich('signUp.done.signedUpDay', { day: <Day at={since} /> })}</p>
      <WaitingLinks>
        {isUnconfirmed && <a href={paths.emailChange}>{t('common.changeEmailAddress')}</a>}
      </WaitingLinks>
    </>
  )
}
