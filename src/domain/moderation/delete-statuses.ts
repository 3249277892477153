import { all, combineQueries, execute, rows } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import { inList } from '../../db/sql'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { addFitting } from '../core/fitting'
import { deleteUploads } from '../media/delete-files'
import { asOwn } from '../policy/visibility'
import { removalFacts } from '../statuses/find-affected-servers'
import { forbid } from '../statuses/forbid'
import { removeStatus, statusRemoved } from '../statuses/remove'
import { allExist, statusesActedOn } from './find-statuses'
import type { ModeratedAccount } from './find-target'

/** Statuses of which a part reads what their deletion needs. An invocation has room for three or so. */
const statusesRead = 4

/** The next statuses of a strike. */
export interface NextStatuses {
  readonly target: ModeratedAccount
  readonly ids: readonly StatusId[]
  /** Statuses done in any case: see `addFitting`. */
  readonly least: 0 | 1
}

/**
 * Adds the deletion of the first statuses among `ids`, as many as this invocation has statements for, with all their
 * uploads, for good: a remote one is not stored again. Returns their number, those included that no longer exist. One
 * round trip to read. Fails as a `Conflict` where one of them is deleted meanwhile.
 */
export async function addDeletions(
  ctx: Ctx,
  changes: Changes,
  { target, ids, least }: NextStatuses,
): Promise<number> {
  const read = ids.slice(0, statusesRead)
  const { found, facts, uploads } = await execute(
    ctx.db,
    combineQueries({
      found: statusesActedOn(ctx, read),
      facts: all(read.map((id) => removalFacts(ctx, id))),
      uploads: rows(ctx.db.select().from(mediaAttachments).where(inList(mediaAttachments.statusId, read))),
    }),
  )
  const uploadsOf = Map.groupBy(uploads, ({ statusId }) => statusId)
  const deletions = read.map((id, index) => (part: Changes) => {
    const row = found.find((one) => one.id === id)
    const status = row === undefined ? null : asOwn(target.id, row)
    if (status === null) return
    const { inParts, concerned } = facts[index] ?? { inParts: false, concerned: [] }
    part.require(allExist([id]), new Conflict('post_deleted'))
    removeStatus(ctx, part, { author: target, status, inParts })
    if (status.local && !status.localOnly && !inParts) part.emit(statusRemoved(status, concerned))
    if (status.uri !== null) part.add(forbid(ctx, [status.uri]))
    deleteUploads(ctx, part, uploadsOf.get(id) ?? [])
  })
  return addFitting(ctx, changes, deletions, least)
}
