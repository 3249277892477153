import * as z from 'zod'
import { NotificationRequest } from '../contract/entities/notification'
import { Id, IdList } from '../contract/scalars'
import { constant, execute } from '../db/query'
import { selectKnown } from '../domain/accounts/find'
import { type Viewer, viewerById } from '../domain/core/viewer'
import {
  acceptRequest,
  acceptRequests,
  dismissRequest,
  dismissRequests,
  type FilteredSender,
  oneRequest,
  requestsOf,
} from '../domain/notifications/requests'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { loadRequests } from '../view/load/notification-requests'
import { presentRequests } from '../view/present/notification-requests'
import { endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

const ById = z.object({ id: Id })
const ByIds = z.object({ id: IdList })

export const notificationRequests = [
  readEndpoint({
    path: '/api/v1/notifications/requests',
    summary: 'Whose notifications are held back',
    auth: user('read:notifications'),
    input: z.object(paging(40, 80)),
    output: z.array(NotificationRequest),
    read: (ctx, { input, as }) => requestsOf(ctx, as, pageOf(input)),
    show: async (ctx, { input, viewer, request, found }) =>
      page(await showRequests(ctx, viewer, found.requests), request, {
        cursors: found.cursors,
        endsEarly: found.endsEarly,
        limit: input.limit,
      }),
  }),
  readEndpoint({
    path: '/api/v1/notifications/requests/merged',
    summary: 'Has everything that was let in arrived?',
    auth: user('read:notifications'),
    output: z.strictObject({ merged: z.boolean() }),
    // Accepted requests are merged at once: accepting is a single write.
    read: () => constant(null),
    show: () => ({ merged: true }),
  }),
  readEndpoint({
    path: '/api/v1/notifications/requests/:id',
    summary: 'What is held back of one person',
    auth: user('read:notifications'),
    input: ById,
    output: NotificationRequest,
    read: (ctx, { input, as }) => oneRequest(ctx, as, input.id),
    show: async (ctx, { viewer, found }) => {
      const [only] = await showRequests(ctx, viewer, found)
      if (only === undefined) throw new NotFound()
      return only
    },
  }),
  endpoint({
    path: '/api/v1/notifications/requests/accept',
    summary: 'Lets in what is held back of several people, now and later',
    auth: user('write:notifications'),
    input: ByIds,
    run: (ctx, { viewer, input }) => acceptRequests(ctx, viewer, input.id),
  }),
  endpoint({
    path: '/api/v1/notifications/requests/dismiss',
    summary: 'Removes what is held back of several people',
    auth: user('write:notifications'),
    input: ByIds,
    run: (ctx, { viewer, input }) => dismissRequests(ctx, viewer, input.id),
  }),
  endpoint({
    path: '/api/v1/notifications/requests/:id/accept',
    summary: 'Lets in what is held back of one person, now and later',
    auth: user('write:notifications'),
    input: ById,
    run: (ctx, { viewer, input }) => acceptRequest(ctx, viewer, input.id),
  }),
  endpoint({
    path: '/api/v1/notifications/requests/:id/dismiss',
    summary: 'Removes what is held back of one person',
    auth: user('write:notifications'),
    input: ById,
    run: (ctx, { viewer, input }) => dismissRequest(ctx, viewer, input.id),
  }),
]

/** Second round trip: the sender and their latest status. */
async function showRequests(
  ctx: Ctx,
  viewer: Viewer,
  requests: readonly FilteredSender[],
): Promise<NotificationRequest[]> {
  const senders = selectKnown(requests.map(({ from }) => from))
  const found = await execute(ctx.db, loadRequests(ctx, viewerById(viewer.id), { requests, senders }))
  return presentRequests({ config: ctx.config, now: ctx.clock.now() }, found)
}
