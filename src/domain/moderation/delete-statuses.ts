import { all, combineQueries, execute, rows } from '../../db/query'
import { mediaAttachments, tombstones } from '../../db/schema'
import { inList } from '../../db/sql'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { deleteUploads } from '../media/delete-files'
import { asOwn } from '../policy/visibility'
import { affectedRemoteAccounts } from '../statuses/find-affected-servers'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { allExist, statusesActedOn } from './find-statuses'
import type { ModeratedAccount } from './find-target'

/**
 * Adds the deletion of the statuses among `ids` that still exist, with all their uploads, for good: a remote one is not
 * stored again. One round trip to read. Fails as a `Conflict` where one of them is deleted meanwhile.
 */
export async function addDeletions(
  ctx: Ctx,
  changes: Changes,
  { target, ids }: { readonly target: ModeratedAccount; readonly ids: readonly StatusId[] },
): Promise<void> {
  const { found, concerned, uploads } = await execute(
    ctx.db,
    combineQueries({
      found: statusesActedOn(ctx, ids),
      concerned: all(ids.map((id) => affectedRemoteAccounts(ctx, id))),
      uploads: rows(ctx.db.select().from(mediaAttachments).where(inList(mediaAttachments.statusId, ids))),
    }),
  )
  const existing = found.map((row) => asOwn(target.id, row)).filter((status) => status !== null)
  const uris = existing.flatMap(({ uri }) => uri ?? [])
  changes.require(
    allExist(existing.map(({ id }) => id)),
    new Conflict('One of these posts was deleted meanwhile'),
  )
  for (const status of existing) {
    removeStatus(ctx, changes, { author: target, status })
    const affected = concerned[ids.indexOf(status.id)] ?? []
    if (status.local && !status.localOnly) changes.emit(statusRemoved(status, affected))
  }
  if (uris.length > 0) changes.add(forbid(ctx, uris))
  deleteUploads(ctx, changes, uploads)
}

/** Tombstones that stay: those of late copies are pruned, and fetched again a remote status would come back. */
function forbid(ctx: Ctx, uris: readonly string[]) {
  const deletedAt = ctx.clock.now()
  const forGood = uris.map((uri) => ({ uri, deletedAt, published: true }))
  return ctx.db
    .insert(tombstones)
    .values(forGood)
    .onConflictDoUpdate({ target: tombstones.uri, set: { published: true } })
}
