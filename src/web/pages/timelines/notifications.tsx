import { Hono } from 'hono'
import type { GroupedNotificationsResults } from '../../../contract/entities/notification'
import { groupedTypes, type NotificationType, notificationTypes } from '../../../contract/notification-kinds'
import { combineQueries, constant, execute } from '../../../db/query'
import { selectKnown } from '../../../domain/accounts/find'
import { viewerById } from '../../../domain/core/viewer'
import { advanceMarker, findMarkers } from '../../../domain/markers/update'
import { notificationsById } from '../../../domain/notifications/find'
import { groupPage } from '../../../domain/notifications/find-groups'
import { type NotificationGroup, summaryOf } from '../../../domain/notifications/groups'
import type { AccountId } from '../../../lib/ids'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { loadNotifications } from '../../../view/load/notifications'
import { presentGroups } from '../../../view/present/notification'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { Empty, Shell, Tabs, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { pageBehind, parseMaxId, readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { NotificationGroupView } from '../../posts/notification-group'
import { type GroupView, groupView, knownTypes } from '../../posts/notification-view'
import { act } from './acts'
import { NotificationTop, type NotificationTopProps, topOf, topView } from './notification-top'

const pageSize = 20

/** Kinds that each tab shows. */
const tabs = {
  all: notificationTypes,
  mentions: ['mention', 'quote'],
  follows: ['follow', 'follow_request'],
  activity: ['reblog', 'favourite', 'status', 'poll', 'update', 'quoted_update'],
} as const satisfies Readonly<Record<string, readonly NotificationType[]>>
type Tab = keyof typeof tabs

/** Notifications of a member, alike ones as one entry. */
export function notificationRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.notifications, (c) => showNotifications(c, 'all'))
  app.post(`${paths.notifications}/read`, (c) =>
    act(c, (ctx, viewer, form) =>
      advanceMarker(ctx, viewer, { timeline: 'notifications', newest: readMaxId(form('newest')) ?? 0 }),
    ),
  )
  app.get(`${paths.notifications}/mentions`, (c) => showNotifications(c, 'mentions'))
  app.get(`${paths.notifications}/follows`, (c) => showNotifications(c, 'follows'))
  app.get(`${paths.notifications}/activity`, (c) => showNotifications(c, 'activity'))
  return app
}

function showNotifications(c: AppContext, tab: Tab): Promise<Response> {
  const maxId = parseMaxId(c)
  const filter = { types: tabs[tab], grouped: groupedTypes }
  const hasTop = tab === 'all' && maxId === undefined
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        found: groupPage(ctx, as, { filter, page: { limit: pageSize, maxId } }),
        markers: findMarkers(ctx, as, ['notifications']),
        top: hasTop ? topOf(ctx, as) : constant(null),
      }),
    show: async (frame, { found, markers, top }) => {
      const ctx = c.get('ctx')
      const results = await groupsOf(ctx, frame.session.accountId, found)
      const last = found.cursors.length < pageSize ? null : found.cursors.at(-1)
      return (
        <NotificationsPage
          tab={tab}
          top={top === null ? null : topView(ctx.config, top)}
          groups={results.notification_groups.flatMap(
            (group) => groupView(ctx.config, results, { group, readerId: frame.session.accountId }) ?? [],
          )}
          readUntil={markers[0]?.lastReadId ?? 0}
          isNewest={hasTop}
          olderUrl={pageBehind(c.req.path, last)}
        />
      )
    },
  })
}

/** Loads what the groups of a page name, in a second round trip. */
async function groupsOf(
  ctx: Ctx,
  readerId: AccountId,
  { groups, low }: { readonly groups: readonly NotificationGroup[]; readonly low: number },
): Promise<GroupedNotificationsResults> {
  const figures = groups.map((group) => summaryOf(group, low))
  const me = viewerById(readerId)
  const newestIds = figures.map(({ newestId }) => newestId)
  const sampleIds = [...new Set(figures.flatMap((group) => group.sampleIds))]
  const { newest, people } = await execute(
    ctx.db,
    combineQueries({
      newest: loadNotifications(ctx, me, notificationsById(me, newestIds)),
      people: loadAccounts(ctx, selectKnown(sampleIds, { withSuspended: false })),
    }),
  )
  const showing = { config: ctx.config, now: ctx.clock.now() }
  return presentGroups(showing, {
    groups: figures,
    newest,
    people,
    isPage: true,
    partial: false,
    supported: knownTypes,
  })
}

export interface NotificationsPageProps {
  readonly tab: Tab
  /** Rows above the newest notifications; null on other pages. */
  readonly top: NotificationTopProps | null
  readonly groups: readonly GroupView[]
  /** Id of the newest notification that was read. */
  readonly readUntil: number
  /** Whether these are the newest notifications of all kinds, so that reading them moves the marker. */
  readonly isNewest: boolean
  readonly olderUrl: string | null
}

export function NotificationsPage(props: NotificationsPageProps) {
  const { tab, top, groups, readUntil, isNewest, olderUrl } = props
  const t = useTranslation()
  const newest = groups[0]?.newestId ?? null
  const divider = groups.findIndex(
    ({ newestId }, index) =>
      index > 0 && newestId <= readUntil && (groups[index - 1]?.newestId ?? 0) > readUntil,
  )
  return (
    <Shell title={t('client.notifications')} place="notifications" isPrivate>
      <ViewHead
        title={t('client.notifications')}
        tabs={
          <Tabs
            label={t('client.kindsOfNotifications')}
            tabs={[
              { href: paths.notifications, label: t('client.all'), isCurrent: tab === 'all' },
              {
                href: `${paths.notifications}/mentions`,
                label: t('client.mentions'),
                isCurrent: tab === 'mentions',
              },
              {
                href: `${paths.notifications}/follows`,
                label: t('client.follows'),
                isCurrent: tab === 'follows',
              },
              {
                href: `${paths.notifications}/activity`,
                label: t('client.activity'),
                isCurrent: tab === 'activity',
              },
            ]}
          />
        }
      >
        {isNewest && newest !== null && newest > readUntil && <MarkAllAsRead newest={newest} />}
      </ViewHead>
      {top !== null && <NotificationTop {...top} />}
      {groups.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.whenPeopleMentionFollowOrBoost')}</p>
        </Empty>
      ) : (
        <div
          data-timeline={isNewest ? 'notifications' : undefined}
          data-read={isNewest ? readUntil : undefined}
        >
          {groups.map((group, index) => (
            <>
              {index === divider && (
                <p class="seen">
                  <Icon name="check" isSmall />
                  {t('client.seenUntilHere')}
                </p>
              )}
              <NotificationGroupView group={group} isUnread={group.newestId > readUntil} />
            </>
          ))}
        </div>
      )}
      {olderUrl !== null && (
        <p class="pad">
          <a class="button" href={olderUrl} rel="next">
            {t('client.olderNotifications')}
          </a>
        </p>
      )}
    </Shell>
  )
}

/** Moves the marker at once; with scripts reading does so by itself. */
function MarkAllAsRead({ newest }: { readonly newest: number }) {
  const t = useTranslation()
  return (
    <form method="post" action={`${paths.notifications}/read`} data-unread-form>
      <CsrfField />
      <input type="hidden" name="newest" value={newest} />
      <input type="hidden" name="return_to" value={paths.notifications} />
      <button type="submit" class="plain" aria-label={t('client.markAllAsRead')}>
        <Icon name="check" />
      </button>
    </form>
  )
}
