import * as z from 'zod'
import type { Ctx } from '../../context'
import type { Status } from '../../contract/entities/status'
import { Id } from '../../contract/scalars'
import { ask } from '../../db/query'
import { refById, type Viewer } from '../../domain/viewer'
import type { StatusId } from '../../lib/ids'
import { loadStatuses, statusesById } from '../../view/load/statuses'
import { presentOnlyStatus } from '../../view/present/status'

export const ById = z.object({ id: Id })

/** The status `id` as `viewer` now sees it: what commands answer. One trip. */
export async function statusFor(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<Status> {
  const bundle = await ask(ctx.db, loadStatuses(ctx, refById(viewer.id), statusesById([id])))
  return presentOnlyStatus({ config: ctx.config, now: ctx.clock.now() }, bundle)
}
