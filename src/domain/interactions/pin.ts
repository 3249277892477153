import { and, eq, sql } from 'drizzle-orm'
import { accountLimits } from '../../contract/limits'
import { statusPins } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import type { StatusRow } from '../policy/visibility'
import { findVisibleStatus, isStillVisible } from '../statuses/find'

const maxPins = accountLimits.pinnedStatuses

/** Error for a status that may not be pinned, or null. Pure. */
export function refusePin(
  viewer: AccountId,
  status: Pick<StatusRow, 'accountId' | 'reblogOfId' | 'visibility'>,
): Invalid | null {
  if (status.accountId !== viewer) return new Invalid('pin_of_other')
  if (status.reblogOfId !== null) return new Invalid('pin_of_boost')
  if (status.visibility === 'direct') return new Invalid('pin_of_direct')
  return null
}

/**
 * Pins a status of the viewer's own to their profile. Idempotent.
 *
 * `NotFound` for a status they may not see; `Invalid` for another account's, a reblog, a direct one, and the sixth.
 */
export async function pinStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const status = await findVisibleStatus(ctx, viewer, id)
  const refusal = refusePin(viewer.id, status)
  if (refusal !== null) throw refusal
  const others = sql`(select count(*) from ${statusPins} where ${statusPins.accountId} = ${viewer.id}
    and ${statusPins.statusId} <> ${status.id})`
  const changes = new Changes()
    .require(isStillVisible(viewerById(viewer.id), status.id), new NotFound())
    .require(sql`${others} < ${maxPins}`, new Invalid('too_many_pins'))
    .add(
      ctx.db
        .insert(statusPins)
        .values({ id: ctx.ids.next(), accountId: viewer.id, statusId: status.id })
        .onConflictDoNothing({ target: statusPins.statusId }),
    )
  if (!status.localOnly) changes.emit({ kind: 'pin.created', accountId: viewer.id, statusId: status.id })
  await commit(ctx, changes)
}

/** Removes a pin; a missing one is no error. */
export async function unpinStatus(ctx: Ctx, viewer: Viewer, id: StatusId): Promise<void> {
  const status = await findVisibleStatus(ctx, viewer, id)
  const own = and(eq(statusPins.accountId, viewer.id), eq(statusPins.statusId, status.id))
  const changes = new Changes().add(ctx.db.delete(statusPins).where(own))
  if (status.accountId === viewer.id && !status.localOnly)
    changes.emit({ kind: 'pin.removed', accountId: viewer.id, statusId: status.id })
  await commit(ctx, changes)
}
