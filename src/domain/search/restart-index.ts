import { sql } from 'drizzle-orm'
import { combineQueries, first, map, type Query } from '../../db/query'
import { searchWalks } from '../../db/schema'
import { limitTo, oneRow } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { requirePermission } from '../policy/moderators'
import { currentWalk } from './find-stale'

/** Statuses that wait are counted up to here. */
const mostCounted = 200

/** State of the index of statuses. */
export interface IndexState {
  /** Statuses that changed since they were indexed, at most `mostCounted`. */
  readonly waiting: number
  /** Whether all statuses are being indexed, the newest first, and the id below which they wait. */
  readonly walkedDownTo: number | null
}

export function findIndexState(ctx: Ctx): Query<IndexState> {
  const waiting = sql<number>`(select count(*) from (select 1 from search_stale ${limitTo(mostCounted)}))`
  return map(
    combineQueries({
      counted: first(ctx.db.select({ waiting: waiting.as('waiting') }).from(oneRow)),
      walk: currentWalk(ctx),
    }),
    ({ counted, walk }) => ({ waiting: counted?.waiting ?? 0, walkedDownTo: walk?.beforeId ?? null }),
  )
}

/**
 * Indexes all statuses again, the newest first, by cron: some 200 a minute. One that runs already starts again. Needs
 * `viewDevops`.
 */
export async function restartIndex(ctx: Ctx, moderator: Moderator): Promise<void> {
  requirePermission(moderator, 'viewDevops')
  const walk = { accountId: 0, beforeId: Number.MAX_SAFE_INTEGER }
  const changes = new Changes().add(
    ctx.db
      .insert(searchWalks)
      .values(walk)
      .onConflictDoUpdate({ target: searchWalks.accountId, set: { beforeId: walk.beforeId } }),
  )
  const target = { type: 'search_index' as const, id: null, label: '' }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'rebuild', target }))
}
