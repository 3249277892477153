import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { first, map, type Query, rows } from '../../db/query'
import { reports } from '../../db/schema'
import { each } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import { inStanding } from '../policy/standing'

export type ReportRow = typeof reports.$inferSelect

/** The domain of an account that may be reported, null for one of ours; undefined where there is none. */
export function reportTarget(ctx: Ctx, id: AccountId): Query<string | null | undefined> {
  const found = first(
    ctx.db
      .select({ domain: sql<string | null>`a.domain`.as('domain') })
      .from(sql`accounts a`)
      .where(sql`a.id = ${id} and a.suspended_at is null and ${inStanding('a')}`),
  )
  return map(found, (row) => row?.domain)
}

/** How many of these ids name rules of this server. */
export function knownRules(ctx: Ctx, ids: readonly number[]): Query<number> {
  const found = ctx.db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(sql`${each(ids)} cross join rules on rules.id = item.value`)
  return map(rows(found), ([row]) => row?.count ?? 0)
}

/** The report with this id. */
export function reportById(ctx: Ctx, id: number): Query<ReportRow | null> {
  return first(ctx.db.select(getTableColumns(reports)).from(reports).where(eq(reports.id, id)))
}
