import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { reports } from '../../db/schema'
import type { AccountId, CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type Page, pageSql } from '../core/page'
import { type ViewerRef, viewerById } from '../core/viewer'
import { isVisibleAccount } from '../policy/account-visibility'
import { featuredVisibleTo } from '../policy/featuring'

export type ReportRow = typeof reports.$inferSelect

/** The domain of an account that may be reported, null for a local account; undefined without such an account. */
export function reportTarget(ctx: Ctx, id: AccountId): Query<string | null | undefined> {
  const found = first(
    ctx.db
      .select({ domain: sql<string | null>`a.domain`.as('domain') })
      .from(sql`accounts a`)
      .where(sql`a.id = ${id} and a.suspended_at is null and ${isVisibleAccount('a')}`),
  )
  return map(found, (row) => row?.domain)
}

/** Number of these ids that are rules of this server. */
export function knownRules(ctx: Ctx, ids: readonly number[]): Query<number> {
  const found = ctx.db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(sql`${jsonRows(ids)} cross join rules on rules.id = item.value`)
  return map(rows(found), ([row]) => row?.count ?? 0)
}

/** Number of `named` that are collections of `author` visible to `reporter`. */
export function collectionsToReport(
  ctx: Ctx,
  {
    reporter,
    author,
    named,
  }: Readonly<Record<'reporter' | 'author', AccountId>> & {
    readonly named: readonly CollectionId[]
  },
): Query<number> {
  const found = ctx.db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(
      sql`${jsonRows(named)} cross join collections c on c.id = item.value cross join accounts a on a.id = c.account_id`,
    )
    .where(sql`c.account_id = ${author} and ${featuredVisibleTo(viewerById(reporter))}`)
  return map(rows(found), ([row]) => row?.count ?? 0)
}

/** The URIs of the collections in the report `id`. */
export function collectionUrisIn(ctx: Ctx, id: number): Query<string[]> {
  const found = rows(
    ctx.db
      .select({ uri: sql<string>`c.uri`.as('uri') })
      .from(
        sql`reports r cross join json_each(r.collection_ids) named cross join collections c on c.id = named.value`,
      )
      .where(sql`r.id = ${id} and c.uri is not null`),
  )
  return map(found, (all) => all.map(({ uri }) => uri))
}

/** The viewer's own reports, newest first, as rows (id, target_account_id, cursor). */
export function ownReports(viewer: ViewerRef, page: Page): SQL {
  return pageSql(
    page,
    sql`r.id`,
    (bounds) => sql`select r.id as id, r.target_account_id as target_account_id, r.id as cursor from reports r
      where r.account_id = ${viewer.id} and ${bounds}`,
  )
}

/** The reports a selection names, newest first. */
export function reportsIn(ctx: Ctx, selection: SQL): Query<ReportRow[]> {
  const named = sql`${reports.id} in (select id from (${selection}))`
  return rows(ctx.db.select(getTableColumns(reports)).from(reports).where(named).orderBy(desc(reports.id)))
}

/** Reports of one reporter looked through for an unresolved one. */
const recentReports = 50

/** The newest unresolved report of `reporter` about `author`, among their newest ones. */
export function unresolvedReport(
  ctx: Ctx,
  { reporter, author }: Readonly<Record<'reporter' | 'author', AccountId>>,
): Query<ReportRow | null> {
  const recent = sql`select id from (select id, target_account_id, action_taken_at from reports
      where account_id = ${reporter} order by id desc ${limitTo(recentReports)})
    where target_account_id = ${author} and action_taken_at is null order by id desc ${limitTo(1)}`
  return first(ctx.db.select(getTableColumns(reports)).from(reports).where(sql`${reports.id} = (${recent})`))
}

/** The report with this id. */
export function reportById(ctx: Ctx, id: number): Query<ReportRow | null> {
  return first(ctx.db.select(getTableColumns(reports)).from(reports).where(eq(reports.id, id)))
}
