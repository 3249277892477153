import * as z from 'zod'
import { Account } from '../contract/entities/account'
import { GroupedNotificationsResults } from '../contract/entities/notification'
import { groupedTypes, type NotificationType } from '../contract/notification-kinds'
import { Limit, OptionalTextList } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { selectKnown } from '../domain/accounts/find'
import { type Viewer, viewerById } from '../domain/core/viewer'
import { dismissGroup } from '../domain/notifications/change-in-parts'
import { notificationsById } from '../domain/notifications/find'
import { accountsInGroup, groupPage, oneGroup, unreadGroups } from '../domain/notifications/find-groups'
import { type NotificationGroup, summaryOf } from '../domain/notifications/groups'
import { BadRequest, NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { loadAccounts } from '../view/load/accounts'
import { loadNotifications } from '../view/load/notifications'
import { presentAccounts } from '../view/present/account'
import { presentGroups } from '../view/present/notification'
import { ApiResponse } from './api-response'
import { endpoint, readEndpoint, user } from './endpoint'
import { filterOf, narrowing, supporting } from './notifications'
import { links, page, pageOf, paging } from './paginate'

const ByKey = z.object({ group_key: z.string() })
const grouping = { ...narrowing, grouped_types: OptionalTextList }

const outdatedSince = new Date('2024-10-08T00:00:00Z')

/** Releases before 4.3 had the same endpoints under a path marked as alpha. */
const prefixes = [
  { prefix: '/api/v2' as const, outdated: {} },
  { prefix: '/api/v2_alpha' as const, outdated: { deprecatedSince: outdatedSince } },
]

const underBoth = prefixes.flatMap(({ prefix, outdated }) => [
  readEndpoint({
    path: `${prefix}/notifications`,
    ...outdated,
    summary: 'What others did that concerns the viewer, alike deeds as one entry',
    auth: user('read:notifications'),
    input: z.object({
      ...grouping,
      ...supporting,
      expand_accounts: z.string().default('full'),
      ...paging(40, 80),
    }),
    output: GroupedNotificationsResults,
    read: (ctx, { input, as }) => groupPage(ctx, as, { filter: groupFilterOf(input), page: pageOf(input) }),
    show: async (ctx, { input, viewer, request, found }) => {
      if (input.expand_accounts !== 'full' && input.expand_accounts !== 'partial_avatars')
        throw new BadRequest('expand_accounts', { value: input.expand_accounts.slice(0, 50) })
      const shown = await showGroups(ctx, viewer, {
        ...found,
        isPage: true,
        partial: input.expand_accounts === 'partial_avatars',
        supported: input.supported_types ?? null,
      })
      return new ApiResponse(shown, {
        headers: links(request, {
          cursors: found.cursors,
          limit: input.limit,
          prev: 'min_id',
          nextWhen: 'any',
        }),
      })
    },
  }),
  readEndpoint({
    path: `${prefix}/notifications/unread_count`,
    ...outdated,
    summary: "How many groups have notifications newer than the viewer's marker",
    auth: user('read:notifications'),
    input: z.object({ ...grouping, limit: Limit(100, 1000) }),
    output: z.strictObject({ count: z.int() }),
    read: (ctx, { input, as }) => unreadGroups(ctx, as, { ...groupFilterOf(input), limit: input.limit }),
    show: (_ctx, { found }) => ({ count: found }),
  }),
  readEndpoint({
    path: `${prefix}/notifications/:group_key`,
    ...outdated,
    summary: 'One group of notifications',
    auth: user('read:notifications'),
    input: ByKey.extend(supporting),
    output: GroupedNotificationsResults,
    read: (ctx, { input, as }) => oneGroup(ctx, as, input.group_key),
    show: async (ctx, { input, viewer, found }) => {
      if (found === null) throw new NotFound()
      const shown = await showGroups(ctx, viewer, {
        groups: [found],
        low: 0,
        isPage: false,
        partial: false,
        supported: input.supported_types ?? null,
      })
      if (shown.notification_groups.length === 0) throw new NotFound()
      return shown
    },
  }),
  endpoint({
    path: `${prefix}/notifications/:group_key/dismiss`,
    ...outdated,
    summary: 'Removes a group of notifications',
    auth: user('write:notifications'),
    input: ByKey,
    run: (ctx, { viewer, input }) => dismissGroup(ctx, viewer, input.group_key),
  }),
])

export const groupedNotifications = [
  ...underBoth,
  readEndpoint({
    path: '/api/v2/notifications/:group_key/accounts',
    summary: 'Everybody in a group of notifications, the latest first',
    auth: user('read:notifications'),
    input: ByKey.extend(paging(40, 80)),
    output: z.array(Account),
    read: (ctx, { input, as, now }) =>
      loadAccounts(ctx, accountsInGroup(as, input.group_key, { page: pageOf(input), now })),
    show: ({ config }, { input, request, found }) =>
      page(presentAccounts(config, found), request, {
        cursors: found.cursors,
        limit: input.limit,
      }),
  }),
]

interface Shown {
  readonly groups: readonly NotificationGroup[]
  readonly low: number
  readonly isPage: boolean
  readonly partial: boolean
  readonly supported: readonly string[] | null
}

/** Second round trip: loads the few groups found by their ids. */
async function showGroups(
  ctx: Ctx,
  viewer: Viewer,
  { groups, low, ...how }: Shown,
): Promise<GroupedNotificationsResults> {
  const figures = groups.map((group) => summaryOf(group, low))
  const me = viewerById(viewer.id)
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
  return presentGroups(showing, { groups: figures, newest, people, ...how })
}

/** Types that cannot be grouped stay ungrouped, whatever the request asks for. */
function groupFilterOf({
  grouped_types: requested,
  ...input
}: Parameters<typeof filterOf>[0] & { readonly grouped_types?: readonly string[] | undefined }) {
  const grouped: readonly NotificationType[] = groupedTypes.filter(
    (type) => requested === undefined || requested.includes(type),
  )
  return { ...filterOf(input), grouped }
}
