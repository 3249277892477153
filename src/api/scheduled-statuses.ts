import * as z from 'zod'
import { ScheduledStatus } from '../contract/entities/status-details'
import { Id, Instant } from '../contract/scalars'
import { execute } from '../db/query'
import { type Viewer, viewerById } from '../domain/core/viewer'
import {
  findScheduled,
  ownScheduled,
  type Scheduled,
  scheduledPage,
} from '../domain/statuses/scheduled/find-scheduled'
import { cancelScheduled, rescheduleStatus } from '../domain/statuses/scheduled/schedule'
import { preferencesOf } from '../domain/users/defaults'
import { NotFound } from '../errors'
import type { ScheduledId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { presentScheduled } from '../view/present/status-details'
import { endpoint, readEndpoint, updateEndpoints, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

const ById = z.object({ id: Id })

const moves = updateEndpoints({
  path: '/api/v1/scheduled_statuses/:id',
  summary: 'Give a scheduled status another time',
  auth: user('write:statuses'),
  input: ById.extend({ scheduled_at: Instant }),
  output: ScheduledStatus,
  run: async (ctx, { input, viewer }) => {
    const { id, scheduled_at: at } = input
    if (at !== undefined) await rescheduleStatus(ctx, viewer, { id, at })
    return scheduledFor(ctx, viewer, id)
  },
})

export const scheduledStatuses = [
  readEndpoint({
    path: '/api/v1/scheduled_statuses',
    summary: 'What the viewer scheduled, and what could not be posted',
    auth: user('read:statuses'),
    input: z.object(paging(20, 40)),
    output: z.array(ScheduledStatus),
    read: (ctx, { input, as }) => findScheduled(ctx, scheduledPage(as, pageOf(input))),
    show: ({ config }, { input, request, viewer, found }) =>
      page(
        found.map((scheduled) => presentScheduled(config, scheduled, preferencesOf(viewer))),
        request,
        {
          cursors: found.map(({ row }) => row.id),
          limit: input.limit,
        },
      ),
  }),
  readEndpoint({
    path: '/api/v1/scheduled_statuses/:id',
    summary: 'One scheduled status',
    auth: user('read:statuses'),
    input: ById,
    output: ScheduledStatus,
    read: (ctx, { input, as }) => findScheduled(ctx, ownScheduled(as, input.id)),
    show: (ctx, { viewer, found }) => presentOnly(ctx, viewer, found),
  }),
  ...moves,
  endpoint({
    method: 'DELETE',
    path: '/api/v1/scheduled_statuses/:id',
    summary: 'Give up a scheduled status',
    auth: user('write:statuses'),
    input: ById,
    run: (ctx, { input, viewer }) => cancelScheduled(ctx, viewer, input.id),
  }),
]

/** Response to commands on a scheduled status. One round trip. */
export async function scheduledFor(ctx: Ctx, viewer: Viewer, id: ScheduledId): Promise<ScheduledStatus> {
  const found = await execute(ctx.db, findScheduled(ctx, ownScheduled(viewerById(viewer.id), id)))
  return presentOnly(ctx, viewer, found)
}

function presentOnly({ config }: Ctx, viewer: Viewer, [found]: readonly Scheduled[]): ScheduledStatus {
  if (found === undefined) throw new NotFound()
  return presentScheduled(config, found, preferencesOf(viewer))
}
