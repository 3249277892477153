import type { SQL } from 'drizzle-orm'
import * as z from 'zod'
import { Status } from '../../contract/entities/status'
import { Id } from '../../contract/scalars'
import { execute } from '../../db/query'
import { type Viewer, viewerById } from '../../domain/core/viewer'
import type { Scope } from '../../domain/sessions/scopes'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { RateFamily } from '../../ports/rate-limits'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'
import { user } from '../caller'
import { type Endpoint, endpoint } from '../endpoint'

export const ById = z.object({ id: Id })

/** The selected status as `viewer` now sees it: the response to commands. One round trip. */
export async function statusFor(
  ctx: Ctx,
  viewer: Viewer,
  selection: SQL,
  hidden: 'drop' | 'blank' = 'drop',
): Promise<Status> {
  const bundle = await execute(ctx.db, loadStatuses(ctx, viewerById(viewer.id), selection, hidden))
  return presentOnlyStatus({ config: ctx.config, now: ctx.clock.now() }, bundle)
}

interface Change {
  readonly path: `/${string}`
  readonly summary: string
  readonly scope: Scope
  readonly limit?: RateFamily
  /** Undoing an interaction returns a blank status even if the author has hidden it since. */
  readonly hidden?: 'blank'
  make(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<unknown>
}

/** Declares a route that changes something between the viewer and the status `id`, and returns that status. */
export function statusChange({ path, summary, scope, limit, hidden, make }: Change): Endpoint {
  return endpoint({
    method: 'POST',
    path,
    summary,
    ...(limit === undefined ? {} : { limit }),
    auth: user(scope),
    input: ById,
    output: Status,
    run: async (ctx, { viewer, input }) => {
      await make(ctx, viewer, input.id)
      return statusFor(ctx, viewer, statusesById([input.id]), hidden)
    },
  })
}
