import { and, eq, sql } from 'drizzle-orm'
import { accountLimits } from '../../contract/limits'
import { combineQueries, execute, first, map } from '../../db/query'
import { remoteActors, statusPins } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import type { StatusRow } from '../policy/visibility'
import { findVisibleStatus, isStillVisible } from '../statuses/find'
import { statusOfActor } from '../statuses/remote/find-remote'

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

/** Pins kept per remote account: other software has other limits. */
const maxRemotePins = 20

/** Add to or Remove from a collection of a remote account. */
export interface ReceivedPin {
  readonly statusUri: string
  /** Collection URI. Only the featured collection is supported. */
  readonly collection: string
}

/** Handles a remote pin; null where the status is unknown here. Idempotent. */
export async function receivePin(
  ctx: Ctx,
  actor: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome | null> {
  const { featured, status } = await execute(ctx.db, facts(ctx, actor, statusUri))
  if (featured !== collection) return ignored('adds to an unsupported collection')
  if (status === null) return null
  if (status === 'of another') return rejected('pins a status of another account')
  const refusal = refusePin(actor.id, status)
  if (refusal !== null) return rejected(refusal.message)
  const pins = sql`(select count(*) from ${statusPins} where ${statusPins.accountId} = ${actor.id})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`insert into ${statusPins} (id, account_id, status_id)
        select ${ctx.ids.next()}, ${actor.id}, ${status.id} where ${pins} < ${maxRemotePins}
        on conflict do nothing`),
    ),
  )
  return done
}

/** Handles the removal of a remote pin. */
export async function receiveUnpin(
  ctx: Ctx,
  actor: { readonly id: AccountId },
  { statusUri, collection }: ReceivedPin,
): Promise<Outcome> {
  const { featured, status } = await execute(ctx.db, facts(ctx, actor, statusUri))
  if (featured !== collection) return ignored('removes from an unsupported collection')
  if (status === null || status === 'of another') return ignored('unpins an unknown status')
  const own = and(eq(statusPins.accountId, actor.id), eq(statusPins.statusId, status.id))
  await commit(ctx, new Changes().add(ctx.db.delete(statusPins).where(own)))
  return done
}

function facts(ctx: Ctx, { id }: { readonly id: AccountId }, statusUri: string) {
  return map(
    combineQueries({
      actor: first(
        ctx.db
          .select({ featured: remoteActors.featured })
          .from(remoteActors)
          .where(eq(remoteActors.accountId, id)),
      ),
      status: statusOfActor(ctx, id, statusUri),
    }),
    ({ actor, status }) => ({ featured: actor?.featured ?? null, status }),
  )
}
