import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import type { WarningAction } from '../../db/schema/reports'
import { Conflict, validationFailed } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { addDeletions } from './delete-statuses'
import { countMarkable, findUnmarkable } from './find-statuses'
import { type FoundStrike, findStrikes } from './find-strikes'
import { accountToModerate, auditTarget, changesOn, requireTarget } from './find-target'
import { addMarks } from './mark-statuses'
import {
  addStrike,
  checkStrike,
  findStrikeFacts,
  resolveReports,
  type StrikeOrder,
  statusesConcerned,
} from './strike'

export const statusActionTypes = ['delete', 'mark_as_sensitive'] as const
export type StatusActionType = (typeof statusActionTypes)[number]

/** Decision of a moderator about statuses of one account. */
export interface StatusAction extends StrikeOrder {
  readonly type: StatusActionType
}

const strikeActions = {
  delete: 'delete_statuses',
  mark_as_sensitive: 'mark_statuses_as_sensitive',
} as const satisfies Readonly<Record<StatusActionType, WarningAction>>

/** Statuses that one batch changes: each takes some fifteen statements. A job continues with the rest. */
const statusesPerPart = 20

/**
 * Deletes statuses, or marks them as sensitive: leaves a strike with the statuses as they were as evidence, resolves the
 * report, notifies the owner, and records an audit entry. Two round trips to read, one to commit; returns the id of the
 * strike.
 *
 * Other servers get a Delete or an Update of local statuses; of remote ones only the copies here change. Statuses without
 * media or a preview of a page are not marked, as in Mastodon. A deletion cannot be undone.
 *
 * `NotFound`, `Forbidden` and `Invalid` as in `actOnAccount`; `Invalid` also where no status is named or none has media;
 * `Conflict` where the report is resolved, all are marked, or a status was deleted or changed meanwhile.
 */
export async function actOnStatuses(ctx: Ctx, moderator: Moderator, action: StatusAction): Promise<number> {
  const { type, reportId } = action
  const found = await execute(ctx.db, findStrikeFacts(ctx, moderator, action))
  const target = requireTarget(moderator, found.target)
  const text = checkStrike(action, found)
  const statusIds = statusesConcerned(action, found).toSorted((a, b) => a - b)
  if (statusIds.length === 0) throw validationFailed("Status ids can't be blank")
  const changes = changesOn(moderator, target)
  const strikeId = addStrike(ctx, changes, moderator, {
    order: action,
    action: strikeActions[type],
    text,
    statusIds,
    target,
  })
  resolveReports(ctx, changes, moderator, {
    target,
    reports: reportId === null ? [] : [{ id: reportId }],
    named: reportId,
  })
  if (type === 'delete') await addDeletions(ctx, changes, { target, ids: firstPart(statusIds) })
  else await addFirstMarks(ctx, changes, statusIds)
  continueLater(changes, { strikeId, statusIds })
  recordAudit(ctx, changes, moderator, {
    action: strikeActions[type],
    target: auditTarget(target),
    after: {
      strike_id: String(strikeId),
      status_ids: statusIds.map(String),
      ...(reportId === null ? {} : { report_id: String(reportId) }),
    },
  })
  await commit(ctx, changes)
  return strikeId
}

async function addFirstMarks(ctx: Ctx, changes: Changes, statusIds: readonly StatusId[]): Promise<void> {
  const { withMedia, unmarked } = await execute(ctx.db, countMarkable(ctx, statusIds))
  if (withMedia === 0) throw validationFailed('Status ids are of posts without media')
  if (unmarked === 0) throw new Conflict('These posts are marked as sensitive already')
  await addMarks(ctx, changes, { ids: firstPart(statusIds), sensitive: true })
}

function firstPart(statusIds: readonly StatusId[]): readonly StatusId[] {
  return statusIds.slice(0, statusesPerPart)
}

interface Rest {
  readonly strikeId: number
  /** Ascending. */
  readonly statusIds: readonly StatusId[]
}

/** Leaves to a job what is beyond the first part. */
function continueLater(changes: Changes, { strikeId, statusIds }: Rest): void {
  const last = firstPart(statusIds).at(-1)
  if (last !== undefined && statusIds.length > statusesPerPart)
    changes.enqueue({ kind: 'continue-strike', strikeId, after: last })
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
    new Conflict('The strike was overruled meanwhile'),
  )
  if (isOverruled) await addUnmarking(ctx, changes, strike, after)
  else if (strike.action === 'delete_statuses')
    await addDeletions(ctx, changes, { target, ids: firstPart(statusIds) })
  else await addMarks(ctx, changes, { ids: firstPart(statusIds), sensitive: true })
  if (!isOverruled) continueLater(changes, { strikeId, statusIds })
  await commit(ctx, changes)
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
  after: StatusId = 0,
): Promise<void> {
  if (strike.action !== 'mark_statuses_as_sensitive') return
  const found = await execute(ctx.db, findUnmarkable(ctx, strike.id))
  const statusIds = found.filter((id) => id > after).toSorted((a, b) => a - b)
  if (statusIds.length === 0) return
  await addMarks(ctx, changes, { ids: firstPart(statusIds), sensitive: false })
  continueLater(changes, { strikeId: strike.id, statusIds })
}
