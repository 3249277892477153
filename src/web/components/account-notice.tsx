import { type Child, createContext, useContext } from 'hono/jsx'
import type { WebSession } from '../../domain/sessions/web-session'
import { instantOf } from '../../lib/ids'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { Day } from './day'

/** Notice about the account of a session, on top of every page. */
export type AccountNotice =
  | {
      readonly kind: 'unconfirmed' | 'unapproved'
      readonly email: string
      readonly since: Date
      readonly sendsMail: boolean
    }
  | { readonly kind: 'strike'; readonly at: Date }
  | { readonly kind: 'first-steps' }

/** The most pressing notice of a session on the page at `path`, which does not lead to itself. */
export function noticeOf(session: WebSession, path: string, sendsMail: boolean): AccountNotice | null {
  const { confirmed, approved, email, createdAt: since, strikeToSee, firstStepsDue } = session
  if (!confirmed) return { kind: 'unconfirmed', email, since, sendsMail }
  if (!approved) return { kind: 'unapproved', email, since, sendsMail }
  if (strikeToSee !== null && path !== paths.strikes) return { kind: 'strike', at: instantOf(strikeToSee) }
  return firstStepsDue && path !== paths.start ? { kind: 'first-steps' } : null
}

const NoticeContext = createContext<AccountNotice | null>(null)

/** `page` with the notice that its layout shows. */
export function withAccountNotice(notice: AccountNotice | null, page: Child) {
  return <NoticeContext.Provider value={notice}>{page}</NoticeContext.Provider>
}

/** The notice on top of a page. */
export function AccountNoticeBanner() {
  const t = useTranslation()
  const notice = useContext(NoticeContext)
  if (notice === null) return null
  return (
    <section class="account-notice" aria-label={t('About your account')}>
      <div class="notice notice-info">
        <NoticeText notice={notice} />
      </div>
    </section>
  )
}

function NoticeText({ notice }: { readonly notice: AccountNotice }) {
  const t = useTranslation()
  switch (notice.kind) {
    case 'unconfirmed':
      return (
        <>
          <p class="notice-title">{t('Your e-mail address is not confirmed yet')}</p>
          <p>
            {notice.sendsMail
              ? t.rich('You signed up on {day}. Open the link in the mail that was sent to {email}.', {
                  day: <Day at={notice.since} />,
                  email: <bdi>{notice.email}</bdi>,
                })
              : t.rich('You signed up on {day} with {email}. Confirm that it is your address.', {
                  day: <Day at={notice.since} />,
                  email: <bdi>{notice.email}</bdi>,
                })}
          </p>
          <WaitingLinks>
            <a href={paths.resendConfirmation}>
              {notice.sendsMail ? t('Send the link again') : t('Confirm it')}
            </a>
            <a href={paths.emailChange}>{t('Change e-mail address')}</a>
          </WaitingLinks>
        </>
      )
    case 'unapproved':
      return (
        <>
          <p class="notice-title">{t('Your account is waiting for approval')}</p>
          <p>
            {t.rich('You asked to join on {day}. The moderators have not decided yet.', {
              day: <Day at={notice.since} />,
            })}{' '}
            {notice.sendsMail
              ? t('You get an e-mail once it has been decided.')
              : t('Come back and sign in to see whether it has been decided.')}
          </p>
          <WaitingLinks />
        </>
      )
    case 'strike':
      return (
        <>
          <p class="notice-title">{t('The moderators have decided about your account')}</p>
          <p>
            {t.rich(
              'On {day}. <link>Read the decision</link>: there you can confirm that you have read it, or appeal.',
              {
                day: <Day at={notice.at} />,
                link: (words) => <a href={paths.strikes}>{words}</a>,
              },
            )}
          </p>
        </>
      )
    case 'first-steps':
      return (
        <>
          <p class="notice-title">{t('Your account is ready')}</p>
          <p>
            <a href={paths.start}>{t('First steps')}</a>
          </p>
        </>
      )
  }
}

interface WaitingLinksProps {
  /** Links before those that all have. */
  readonly children?: Child
}

/** Links for a member whose account waits to be confirmed or approved. */
export function WaitingLinks({ children }: WaitingLinksProps) {
  const t = useTranslation()
  return (
    <>
      <p>{t('Until then you can look around and change your settings; others do not see your account.')}</p>
      <p class="notice-links">
        {children}
        <a href={paths.account}>{t('Your account')}</a>
        <a href={paths.signOut}>{t('Sign out')}</a>
        <a href={paths.deletion}>{t('Delete the request')}</a>
      </p>
    </>
  )
}
