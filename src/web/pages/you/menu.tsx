import { sql } from 'drizzle-orm'
import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../../contract/small-avatars'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { presentOnlyAccount } from '../../../view/present/account'
import { CsrfField } from '../../components/form'
import { Icon, type IconName } from '../../components/icon'
import { LookChips } from '../../components/look-chips'
import { Count } from '../../components/navigation'
import { Foot, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { menuFor } from '../../member-pages/menu'
import { showMemberView } from '../../member-view'
import { useMember, usePage } from '../../page-context'
import { addAccountPath, paths } from '../../paths'
import { adminPages } from '../admin'

/** Places of a member that have no entry of their own on phones, settings, administration and sign-out. */
export function menuRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.menu, showMenu)
  return app
}

function showMenu(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  return showMemberView(c, {
    read: (ctx, as) => loadAccounts(ctx, sql`select ${as.id} as id, 0 as cursor`),
    showWaiting: () => <MenuPage counts={null} adminPath={null} />,
    show: (frame, found) => {
      const account = presentOnlyAccount(config, found)
      const counts = {
        posts: account.statuses_count,
        following: account.following_count,
        followers: account.followers_count,
      }
      const adminPath = menuFor(adminPages, 'admin', frame.session)[0]?.path ?? null
      return <MenuPage counts={counts} adminPath={adminPath} />
    },
  })
}

export interface MenuPageProps {
  /** Null while the account waits for approval. */
  readonly counts: { readonly posts: number; readonly following: number; readonly followers: number } | null
  /** First administration page of the member; null without any. */
  readonly adminPath: string | null
}

export function MenuPage(props: MenuPageProps) {
  const { counts, adminPath } = props
  const t = useTranslation()
  const viewer = useMember()
  const { site, unread, hasSeveralAccounts } = usePage()
  const profile = `/@${viewer.acct}`
  return (
    <Shell title={t('client.you')} place="you" isPrivate>
      <ViewHead title={t('client.you')} />
      <a class="row-link me-row" href={counts === null ? paths.account : profile}>
        <img class="avatar" src={smallAvatar(viewer.avatarUrl)} width="44" height="44" alt="" />
        <span class="names">
          <b class="one">
            <bdi>{viewer.displayName}</bdi>
          </b>
          <small class="one">
            <span class="ltr">
              @{viewer.acct}@{site.domain}
            </span>
          </small>
        </span>
        <Icon name="chevron-right" />
      </a>
      {counts !== null && (
        <>
          <p class="counts pad-inline">
            <a href={profile}>{t.rich('client.numberPosts', { count: counts.posts, b })}</a>
            <a href={`${profile}/following`}>
              {t.rich('client.numberFollowing', { count: counts.following, b })}
            </a>
            <a href={`${profile}/followers`}>
              {t.rich('client.numberFollowers', { count: counts.followers, b })}
            </a>
          </p>
          <ul class="rows menu-rows line-top">
            <Row icon="compass" href={paths.explore} label={t('common.explore')} />
            <Row icon="mail" href={paths.conversations} label={t('client.messages')}>
              <Count count={unread.conversations} />
            </Row>
            <Row icon="bookmark" href={paths.bookmarks} label={t('client.bookmarks')} />
            <Row icon="star" href={paths.favourites} label={t('client.favourites')} />
            <Row icon="list" href={paths.listsOfMember} label={t('client.lists')} />
            <Row icon="columns-3" href={paths.columns} label={t('client.columns.columns')} />
            <Row icon="hash" href={paths.followedTags} label={t('client.followedHashtags')} />
            <Row icon="user-plus" href={paths.followRequests} label={t('client.followRequests')} />
            <Row icon="megaphone" href={paths.announcements} label={t('client.announcements')} />
            <Row icon="pencil" href={paths.drafts} label={t('client.drafts')} />
            <Row icon="calendar-clock" href={paths.scheduled} label={t('client.scheduledPosts')} />
          </ul>
        </>
      )}
      <ul class="rows menu-rows group-top">
        <Row icon="settings" href={paths.settings} label={t('common.settings')} />
        <Row icon="sun-moon" href={paths.appearance} label={t('settings.appearance.appearanceAndLanguage')} />
        {counts !== null && (
          <Row icon="keyboard" href={paths.keyboard} label={t('client.keyboardShortcuts')} />
        )}
        {adminPath !== null && <Row icon="shield" href={adminPath} label={t('common.administration')} />}
      </ul>
      <LookChips />
      <ul class="rows menu-rows group-top">
        {hasSeveralAccounts ? (
          <Row icon="users" href={paths.accounts} label={t('accounts.switch')} />
        ) : (
          <Row icon="user-plus" href={addAccountPath()} label={t('accounts.add')} />
        )}
        <li>
          <form method="post" action={paths.signOut}>
            <CsrfField />
            <button type="submit" class="row-link wide-button">
              <Icon name="log-out" />
              <span class="names">{t('common.signOut')}</span>
            </button>
          </form>
        </li>
      </ul>
      <div class="pad">
        <Foot />
      </div>
    </Shell>
  )
}

/** A number that stands out. */
function b(words: Child[]) {
  return <b>{words}</b>
}

interface RowProps {
  readonly icon: IconName
  readonly href: string
  readonly label: string
  readonly children?: Child
}

/** A place in a list of places. */
export function Row({ icon, href, label, children }: RowProps) {
  return (
    <li>
      <a class="row-link" href={href}>
        <Icon name={icon} />
        <span class="names">{label}</span>
        {children}
      </a>
    </li>
  )
}
