import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { statuses } from '../../db/schema'
import type { InteractionPolicy, QuotePolicy } from '../../db/schema/statuses'
import { Forbidden, NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { statusExists, visibleStatus } from './find'

/** New quote, reply and reblog policies. Undefined fields keep their value. */
export interface PolicyChange {
  readonly quotePolicy?: QuotePolicy | undefined
  readonly replyPolicy?: InteractionPolicy | undefined
  readonly reblogPolicy?: InteractionPolicy | undefined
}

/**
 * Changes who may quote, reply to and reblog the viewer's own status. Existing interactions stay. Unchanged
 * policies are a no-op. `NotFound` if the viewer may not see the status, `Forbidden` if it is not theirs. Emits
 * `status.updated`.
 */
export async function changeInteractionPolicy(
  ctx: Ctx,
  viewer: Viewer,
  { id, change }: { readonly id: StatusId; readonly change: PolicyChange },
): Promise<void> {
  const status = await execute(ctx.db, visibleStatus(ctx, viewerById(viewer.id), id))
  if (status === null) throw new NotFound()
  if (status.accountId !== viewer.id || status.reblogOfId !== null) throw new Forbidden()
  const { quotePolicy, replyPolicy, reblogPolicy } = status
  const next = {
    quotePolicy: change.quotePolicy ?? quotePolicy,
    replyPolicy: change.replyPolicy ?? replyPolicy,
    reblogPolicy: change.reblogPolicy ?? reblogPolicy,
  }
  if (JSON.stringify(next) === JSON.stringify({ quotePolicy, replyPolicy, reblogPolicy })) return
  const changes = new Changes()
    .require(statusExists(id), new NotFound())
    .add(ctx.db.update(statuses).set(next).where(eq(statuses.id, id)))
    .publish({ kind: 'status.edited', statusId: id })
  if (!status.localOnly) changes.emit({ kind: 'status.updated', accountId: viewer.id, statusId: id })
  await commit(ctx, changes)
}
