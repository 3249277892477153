import type { Child } from 'hono/jsx'
import * as z from 'zod'
import { execute } from '../../../db/query'
import { listSessions, revokeOtherSessions, revokeSession } from '../../../domain/sessions/web-session'
import { type KnownBrowser, recognizeBrowser } from '../../../lib/browser'
import { browserText } from '../../browser-text'
import { AccountCard } from '../../components/account-card'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { idInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { useMember, usePage } from '../../page-context'
import { paths, sessionRevokePath } from '../../paths'

const title = 'common.yourAccount'

export const accountPage = memberPage({
  kind: 'settings',
  path: paths.account,
  title,
  access: 'signed-in',
  menu: {
    group: 'security',
    topic: 'devices',
    label: 'settings.account.accountAndBrowsers',
    order: 200,
  },
  words: ['common.email', 'settings.account.browsersWhereSigned', 'common.signOut'],
  form: z.object({}),
  submissions: [
    { path: paths.sessionsRevokeOthers, isCommand: true, run: signOutOthers },
    { path: `${paths.sessions}/:id/revoke`, isCommand: true, run: signOutBrowser },
  ],
  notices: {
    session: 'settings.account.browserSignedOut',
    sessions: 'settings.account.allOtherBrowsersSigned',
  },
  load: async (ctx, { session: { accountId } }) => {
    const sessions = await execute(ctx.db, listSessions(ctx, accountId))
    return { sessions, sendsMail: ctx.mailer !== null }
  },
  view: ({ session, found }) => (
    <AccountPage
      email={session.email}
      isEmailConfirmed={session.confirmed}
      unconfirmedEmail={session.unconfirmedEmail}
      sendsMail={found.sendsMail}
      sessions={found.sessions.map(({ id, userAgent, ip, createdAt }) => ({
        id: String(id),
        browser: recognizeBrowser(userAgent),
        ip,
        since: createdAt,
        isCurrent: id === session.id,
      }))}
    />
  ),
})

async function signOutBrowser({ c, ctx, session }: SubmissionCall<unknown>) {
  const id = idInPath(c)
  if (id !== null) await revokeSession(ctx, session.accountId, id)
  return { notice: 'session' as const }
}

async function signOutOthers({ ctx, session }: SubmissionCall<unknown>) {
  await revokeOtherSessions(ctx, session.accountId, session.id)
  return { notice: 'sessions' as const }
}

export interface AccountPageProps {
  readonly email: string
  readonly isEmailConfirmed: boolean
  /** An address that replaces `email` once it is confirmed. */
  readonly unconfirmedEmail: string | null
  readonly sendsMail: boolean
  readonly sessions: readonly SignInSession[]
}

export interface SignInSession {
  readonly id: string
  readonly browser: KnownBrowser
  readonly ip: string | null
  readonly since: Date
  readonly isCurrent: boolean
}

/** Home of the settings: who is signed in, and where. */
export function AccountPage(props: AccountPageProps) {
  const t = useTranslation()
  const viewer = useMember()
  const { site } = usePage()
  return (
    <SettingsLayout title={t(title)}>
      <section class="block">
        <AccountCard account={viewer} domain={site.domain} />
        <SignInDetails {...props} />
      </section>
      <SessionSection {...props} />
    </SettingsLayout>
  )
}

function SignInDetails(props: AccountPageProps) {
  const { email, isEmailConfirmed, unconfirmedEmail, sendsMail } = props
  const t = useTranslation()
  const { adminPath } = usePage()
  const confirm = (
    <a href={paths.resendConfirmation}>{t(sendsMail ? 'common.sendLinkAgain' : 'common.confirmIt')}</a>
  )
  return (
    <>
      <p>
        <span class="quiet small">{t('common.email')}</span> {email}
        {!isEmailConfirmed && (
          <>
            {' '}
            <span class="tag warn">{t('common.notConfirmed')}</span> {confirm}
          </>
        )}
      </p>
      {unconfirmedEmail !== null && (
        <p>
          <span class="quiet small">{t('settings.account.newEmail')}</span> {unconfirmedEmail}{' '}
          <span class="tag warn">{t('common.notConfirmed')}</span> {confirm}
        </p>
      )}
      <div class="actions">
        {adminPath !== null && <ButtonLink href={adminPath}>{t('common.administration')}</ButtonLink>}
        <PostForm action={paths.signOut} class="inline">
          <Button look="secondary">{t('common.signOut')}</Button>
        </PostForm>
      </div>
    </>
  )
}

function SessionSection({ sessions }: AccountPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="sessions">
      <h2 id="sessions">{t('settings.account.browsersWhereSigned')}</h2>
      <ul class="entries">
        {sessions.map(({ id, browser, ip, since, isCurrent }) => (
          <li>
            <h3>
              {browserText(t, browser)}{' '}
              {isCurrent && <span class="tag">{t('settings.account.thisBrowser')}</span>}
            </h3>
            <p class="quiet small">
              {ip ?? t('common.unknown')}
              {' · '}
              {t.rich('settings.account.sinceDay', { day: <Day at={since} /> })}
            </p>
            {!isCurrent && (
              <details class="confirm">
                <summary>
                  {t.rich('settings.account.signOutName', {
                    name: browserText(t, browser),
                    hidden: (words: Child[]) => <span class="hidden">{words}</span>,
                  })}
                </summary>
                <PostForm action={sessionRevokePath(id)}>
                  <p>{t('settings.account.whoeverUsesBrowserHas')}</p>
                  <Button look="danger">{t('settings.account.signOutBrowser')}</Button>
                </PostForm>
              </details>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <details class="confirm">
          <summary>{t('settings.account.signOutAllOther')}</summary>
          <PostForm action={paths.sessionsRevokeOthers}>
            <p>{t('settings.account.browserAppsStaySigned')}</p>
            <Button look="danger">{t('settings.account.signOutAllOthers')}</Button>
          </PostForm>
        </details>
      )}
    </section>
  )
}
