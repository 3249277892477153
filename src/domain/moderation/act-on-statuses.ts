import { sql } from 'drizzle-orm'
import { all, combineQueries, execute, inList, rows } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import { Conflict, Invalid } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { CollectionRow } from '../collections/find'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { addFitting } from '../core/fitting'
import type { Moderator } from '../core/viewer'
import { deleteUploads } from '../media/delete-files'
import { asOwn } from '../policy/visibility'
import { removalFacts } from '../statuses/find-affected-servers'
import { forbid, removeStatus, statusRemoved } from '../statuses/remove'
import {
  addCollectionDeletions,
  addCollectionMarks,
  collectionsAmong,
  findUnmarkableCollections,
} from './act-on-collections'
import { allExist, countMarkable, findUnmarkable, statusesActedOn } from './find-statuses'
import { type FoundStrike, findStrikes } from './find-strikes'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  type ModeratedAccount,
  requireTarget,
} from './find-target'
import { addMarks } from './mark-statuses'
import {
  addStrike,
  checkStrike,
  collectionsConcerned,
  findStrikeFacts,
  resolveReports,
  type StrikeOrder,
  statusesConcerned,
} from './strike'

export const statusActionTypes = ['delete', 'mark_as_sensitive'] as const
export type StatusActionType = (typeof statusActionTypes)[number]

/** Decision of a moderator about statuses and collections of one account. */
export interface StatusAction extends StrikeOrder {
  readonly type: StatusActionType
}

const strikeActions = {
  delete: 'delete_statuses',
  mark_as_sensitive: 'mark_statuses_as_sensitive',
} as const satisfies Readonly<Record<StatusActionType, WarningAction>>

/**
 * Deletes statuses and collections, or marks them as sensitive: leaves a strike with what they were as evidence, resolves
 * the report, notifies the owner, and records an audit entry. Two round trips to read, two more where there are
 * collections, one to commit; returns the id of the strike.
 *
 * Other servers get a Delete or an Update of local statuses; of remote ones only the copies here change. Statuses without
 * media or a preview of a page are not marked, as in Mastodon. A deletion cannot be undone. What one invocation has no
 * statements for is left to a job.
 *
 * `NotFound`, `Forbidden` and `Invalid` as in `actOnAccount`; `Invalid` also where nothing is named, or nothing that can be
 * marked; `Conflict` where the report is resolved, all are marked, or one of them was deleted or changed meanwhile.
 */
export async function actOnStatuses(ctx: Ctx, moderator: Moderator, action: StatusAction): Promise<number> {
  const { type, reportId } = action
  const found = await execute(ctx.db, findStrikeFacts(ctx, moderator, action))
  const target = requireTarget(moderator, found.target)
  const text = checkStrike(action, found)
  const statusIds = statusesConcerned(action, found).toSorted((a, b) => a - b)
  const collectionIds = collectionsConcerned(action, found)
  if (statusIds.length + collectionIds.length === 0) throw new Invalid('blank', { field: 'status_ids' })
  const changes = changesOn(moderator, target)
  const strikeId = addStrike(ctx, changes, moderator, {
    order: action,
    action: strikeActions[type],
    text,
    statusIds,
    collectionIds,
    target,
  })
  resolveReports(ctx, changes, moderator, {
    target,
    reports: reportId === null ? [] : [{ id: reportId }],
    named: reportId,
  })
  const collections =
    collectionIds.length === 0
      ? []
      : await execute(ctx.db, collectionsAmong(ctx, { by: target.id, ids: collectionIds }))
  if (type === 'delete') await addCollectionDeletions(ctx, changes, { target, found: collections })
  else await addCollectionMarksOf(ctx, changes, { statusIds, collections })
  recordAudit(ctx, changes, moderator, {
    action: strikeActions[type],
    target: auditTarget(target),
    after: {
      strike_id: String(strikeId),
      status_ids: statusIds.map(String),
      ...(collectionIds.length === 0 ? {} : { collection_ids: collectionIds.map(String) }),
      ...(reportId === null ? {} : { report_id: String(reportId) }),
    },
  })
  const count =
    type === 'delete'
      ? await addDeletions(ctx, changes, { target, ids: statusIds, least: 0 })
      : await addMarks(ctx, changes, { ids: statusIds, sensitive: true, least: 0 })
  continueLater(changes, { strikeId, statusIds, count })
  await commit(ctx, changes)
  return strikeId
}

/** Adds the marks of the collections. Fails where neither they nor the statuses can be marked. */
async function addCollectionMarksOf(
  ctx: Ctx,
  changes: Changes,
  {
    statusIds,
    collections,
  }: { readonly statusIds: readonly StatusId[]; readonly collections: readonly CollectionRow[] },
): Promise<void> {
  const { withMedia, unmarked } = await execute(ctx.db, countMarkable(ctx, statusIds))
  if (withMedia + collections.length === 0) throw new Invalid('without_media', { field: 'status_ids' })
  if (unmarked === 0 && collections.every(({ sensitive }) => sensitive))
    throw new Conflict('already_sensitive')
  await addCollectionMarks(ctx, changes, { found: collections, sensitive: true })
}

interface Rest {
  readonly strikeId: number
  /** Ascending. */
  readonly statusIds: readonly StatusId[]
  /** Number of those that are done. */
  readonly count: number
}

/** Leaves the rest to a job. */
function continueLater(changes: Changes, { strikeId, statusIds, count }: Rest): void {
  const [next] = statusIds.slice(count)
  if (next !== undefined) changes.enqueue({ kind: 'continue-strike', strikeId, after: next - 1 })
}

/**
 * Deletes or marks the next statuses of a strike, behind `after`; where it was overruled, removes its marks instead. A
 * job continues with the rest. Runs may repeat.
 */
export async function continueStrike(ctx: Ctx, strikeId: number, after: StatusId): Promise<void> {
  const [strike] = await execute(ctx.db, findStrikes(ctx, { strikeId }, { limit: 1 }))
  if (strike === undefined) return
  const target = await execute(ctx.db, accountToModerate(ctx, strike.targetAccountId))
  if (target === null) return
  const rest = (strike.statusIds ?? []).filter((id) => id > after)
  const statusIds = rest.toSorted((a, b) => a - b)
  const isOverruled = strike.overruledAt !== null
  const changes = new Changes().require(
    sql`exists (select 1 from account_warnings
      where id = ${strikeId} and (overruled_at is not null) = ${isOverruled ? 1 : 0})`,
    new Conflict('strike_overruled'),
  )
  if (isOverruled) await addUnmarking(ctx, changes, strike, { after, least: 1 })
  else {
    const count =
      strike.action === 'delete_statuses'
        ? await addDeletions(ctx, changes, { target, ids: statusIds, least: 1 })
        : await addMarks(ctx, changes, { ids: statusIds, sensitive: true, least: 1 })
    continueLater(changes, { strikeId, statusIds, count })
  }
  await commit(ctx, changes)
}

/**
 * Adds that the collections which a strike marked are no longer sensitive, but for those that were before. Two round
 * trips to read.
 */
export async function addCollectionUnmarking(
  ctx: Ctx,
  changes: Changes,
  { id, action, targetAccountId }: FoundStrike,
): Promise<void> {
  if (action !== 'mark_statuses_as_sensitive') return
  const ids = await execute(ctx.db, findUnmarkableCollections(ctx, id))
  if (ids.length === 0) return
  const found = await execute(ctx.db, collectionsAmong(ctx, { by: targetAccountId, ids }))
  await addCollectionMarks(ctx, changes, { found, sensitive: false })
}

/**
 * Adds that the next statuses which a strike marked, behind `after`, are no longer sensitive; a job continues. Statuses
 * that were sensitive before stay so, and so do those whose author added a content warning. One or two round trips to
 * read.
 */
export async function addUnmarking(
  ctx: Ctx,
  changes: Changes,
  strike: FoundStrike,
  { after, least }: { readonly after: StatusId; readonly least: 0 | 1 },
): Promise<void> {
  if (strike.action !== 'mark_statuses_as_sensitive') return
  const found = await execute(ctx.db, findUnmarkable(ctx, strike.id))
  const statusIds = found.filter((id) => id > after).toSorted((a, b) => a - b)
  if (statusIds.length === 0) return
  const count = await addMarks(ctx, changes, { ids: statusIds, sensitive: false, least })
  continueLater(changes, { strikeId: strike.id, statusIds, count })
}

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
async function addDeletions(
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
