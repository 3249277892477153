import * as z from 'zod'
import { Notification } from '../contract/entities/notification'
import { notificationTypes } from '../contract/notification-kinds'
import { Flag, Id, IdList, Limit, OptionalId, OptionalTextList, TextList } from '../contract/scalars'
import type { Viewer } from '../domain/core/viewer'
import { clearNotifications, dismissAll, dismissNotification } from '../domain/notifications/change-in-parts'
import { type NotificationFilter, oneNotification, unreadCount } from '../domain/notifications/find'
import { notificationPage } from '../domain/notifications/find-page'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { loadNotificationPage, loadNotifications } from '../view/load/notifications'
import { presentNotifications } from '../view/present/notification'
import { EmptyObject } from './api-response'
import { endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

/** Notifications, like timelines, offer a next page as long as a page has entries. */
const form = { prev: 'min_id', nextWhen: 'any' } as const

/** Query parameters that narrow a notification list, or include filtered notifications. */
export const narrowing = {
  types: TextList,
  exclude_types: TextList,
  account_id: OptionalId,
  include_filtered: Flag,
}

/** Types the app supports; for other types the response carries a fallback text. */
export const supporting = { supported_types: OptionalTextList }

const clearing = {
  method: 'POST',
  summary: 'Removes all notifications',
  auth: user('write:notifications'),
  input: z.object({}),
  output: EmptyObject,
  run: async (ctx: Ctx, { viewer }: { readonly viewer: Viewer }) => {
    await clearNotifications(ctx, viewer)
    return {}
  },
} as const

const ById = z.object({ id: Id })

const dismissal = {
  summary: 'Removes one notification',
  auth: user('write:notifications'),
  input: ById,
  output: EmptyObject,
  run: async (ctx: Ctx, call: { readonly viewer: Viewer; readonly input: z.output<typeof ById> }) => {
    await dismissNotification(ctx, call.viewer, call.input.id)
    return {}
  },
} as const

export const notifications = [
  readEndpoint({
    path: '/api/v1/notifications',
    summary: 'What others did that concerns the viewer',
    auth: user('read:notifications'),
    input: z.object({ ...narrowing, ...supporting, ...paging(40, 80) }),
    output: z.array(Notification),
    read: (ctx, { input, as, now }) =>
      loadNotificationPage(ctx, as, notificationPage(as, filterOf(input), pageOf(input), now)),
    show: ({ config, clock }, { input, request, found }) =>
      page(
        presentNotifications({ config, now: clock.now() }, found, input.supported_types ?? null),
        request,
        { cursors: found.cursors, limit: input.limit, ...form },
      ),
  }),
  readEndpoint({
    path: '/api/v1/notifications/unread_count',
    summary: "How many notifications are newer than the viewer's marker",
    auth: user('read:notifications'),
    input: z.object({ ...narrowing, limit: Limit(100, 1000) }),
    output: z.strictObject({ count: z.int() }),
    read: (ctx, { input, as }) => unreadCount(ctx, as, { ...filterOf(input), limit: input.limit }),
    show: (_ctx, { found }) => ({ count: found }),
  }),
  readEndpoint({
    path: '/api/v1/notifications/:id',
    summary: 'One notification',
    auth: user('read:notifications'),
    input: ById.extend(supporting),
    output: Notification,
    read: (ctx, { input, as, now }) => loadNotifications(ctx, as, oneNotification(as, input.id, now)),
    show: ({ config, clock }, { input, found }) => {
      const showing = { config, now: clock.now() }
      const [only] = presentNotifications(showing, found, input.supported_types ?? null)
      if (only === undefined) throw new NotFound()
      return only
    },
  }),
  endpoint({ ...clearing, path: '/api/v1/notifications/clear' }),
  endpoint({ ...clearing, path: '/api/v2/notifications/clear' }),
  endpoint({ ...dismissal, method: 'POST', path: '/api/v1/notifications/:id/dismiss' }),
  endpoint({
    ...dismissal,
    path: '/api/v1/notifications/dismiss',
    deprecatedSince: new Date('2017-04-30T00:00:00Z'),
  }),
  endpoint({ ...dismissal, method: 'DELETE', path: '/api/v1/notifications/:id' }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/notifications/destroy_multiple',
    summary: 'Removes several notifications',
    auth: user('write:notifications'),
    input: z.object({ ids: IdList }),
    run: (ctx, { viewer, input }) => dismissAll(ctx, viewer, input.ids),
  }),
]

/** Unknown types match nothing; a request for unknown types alone gets an empty list. */
export function filterOf(input: {
  readonly types: readonly string[]
  readonly exclude_types: readonly string[]
  readonly account_id?: number | undefined
  readonly include_filtered?: boolean | undefined
}): NotificationFilter {
  const { types, exclude_types: excluded, account_id: from, include_filtered: withFiltered } = input
  const wanted = notificationTypes.filter((type) => types.length === 0 || types.includes(type))
  return { types: wanted.filter((type) => !excluded.includes(type)), from, withFiltered }
}
