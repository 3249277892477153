import { type Child, createContext, useContext } from 'hono/jsx'
import type { WebSession } from '../../domain/sessions/web-session'
import { instantOf } from '../../lib/ids'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { Day } from './day'
import { Icon } from './icon'

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
    <section class="account-notice" aria-label={t('accountNotice.aboutYourAccount')}>
      <div class="note">
        <Icon name="shield" />
        <div>
          <NoticeText notice={notice} />
        </div>
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
          <p class="note-title">{t('accountNotice.emailAddressNotConfirmed')}</p>
          <p>
            {notice.sendsMail
              ? t.rich('accountNotice.signedUpDayOpen', {
                  day: <Day at={notice.since} />,
                  email: <bdi>{notice.email}</bdi>,
                })
              : t.rich('accountNotice.signedUpDayEmail', {
                  day: <Day at={notice.since} />,
                  email: <bdi>{notice.email}</bdi>,
                })}
          </p>
          <WaitingLinks>
            <a href={paths.resendConfirmation}>
              {notice.sendsMail ? t('common.sendLinkAgain') : t('common.confirmIt')}
            </a>
            <a href={paths.emailChange}>{t('common.changeEmailAddress')}</a>
          </WaitingLinks>
        </>
      )
    case 'unapproved':
      return (
        <>
          <p class="note-title">{t('accountNotice.accountWaitingApproval')}</p>
          <p>
            {t.rich('accountNotice.askedJoinDayModerators', {
              day: <Day at={notice.since} />,
            })}{' '}
            {notice.sendsMail ? t('common.getEmailOnceHas') : t('accountNotice.comeBackSignSee')}
          </p>
          <WaitingLinks />
        </>
      )
    case 'strike':
      return (
        <>
          <p class="note-title">{t('accountNotice.moderatorsHaveDecidedAbout')}</p>
          <p>
            {t.rich('accountNotice.dayReadDecisionThere', {
              day: <Day at={notice.at} />,
              link: (words) => <a href={paths.strikes}>{words}</a>,
            })}
          </p>
        </>
      )
    case 'first-steps':
      return (
        <>
          <p class="note-title">{t('accountNotice.accountReady')}</p>
          <p>
            <a href={paths.start}>{t('common.firstSteps')}</a>
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
      <p>{t('accountNotice.untilThenCanLook')}</p>
      <p class="links">
        {children}
        <a href={paths.account}>{t('common.yourAccount')}</a>
        <a href={paths.signOut}>{t('common.signOut')}</a>
        <a href={paths.deletion}>{t('accountNotice.deleteTheRequest')}</a>
      </p>
    </>
  )
}
