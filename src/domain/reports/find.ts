import { desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { first, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { collectionEvidence, moderationEvidence, reports } from '../../db/schema'
import type { AccountId, CollectionId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page, pageSql } from '../core/page'
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

/** Selects (id, cursor) of the account that a report is about. */
export function selectReported(id: number): SQL {
  return sql`select ${reports.targetAccountId} as id, 0 as cursor from ${reports} where ${reports.id} = ${id}`
}

/** Narrowing of the list of reports. */
interface ReportFilter {
  readonly resolved: boolean
  /** The reporter. */
  readonly accountId?: number | undefined
  readonly targetAccountId?: number | undefined
  /** Domain of the reported account. */
  readonly targetDomain?: string | undefined
}

/** Reports of a page, newest first. */
interface FoundReports {
  readonly reports: readonly ReportRow[]
  /** End of the scan: id of the last report looked at, if more may follow. */
  readonly endsAt: number | null
}

/** Reports looked at for a page: of those about or by one account, those of the other state are passed over. */
const candidates = 120

/** A page of reports. One statement, `candidates` rows at most, those of accounts included. */
export function findReports(ctx: Ctx, filter: ReportFilter, page: Page): Query<FoundReports> {
  const scanned = filter.targetDomain === undefined ? candidates : candidates / 2
  const most = Math.min(scanned, readsOneState(filter) ? page.limit : scanned)
  const { bounds, order } = idPage({ ...page, limit: most }, sql`${reports.id}`)
  const found = rows(
    ctx.db
      .select({ ...getTableColumns(reports), domain: domainOf(filter).as('domain') })
      .from(reports)
      .where(sql`${scanOf(filter)} and ${bounds}`)
      .orderBy(order),
  )
  return map(found, (scanned) => {
    const fitting = scanned
      .filter(({ domain }) => filter.targetDomain === undefined || domain === filter.targetDomain)
      .map(({ domain: _, ...row }) => row)
      .filter((row) => (row.actionTakenAt !== null) === filter.resolved)
      .filter((row) => filter.accountId === undefined || row.accountId === filter.accountId)
    const reports = fitting.slice(0, page.limit)
    const isCut = scanned.length === most && fitting.length < page.limit
    return { reports: newestFirst(reports), endsAt: isCut ? (scanned.at(-1)?.id ?? null) : null }
  })
}

/** The index of unresolved reports has no other state. */
function readsOneState({ resolved, accountId, targetAccountId, targetDomain }: ReportFilter): boolean {
  return !resolved && accountId === undefined && targetAccountId === undefined && targetDomain === undefined
}

/** Domain of the reported account, where the filter asks for one. */
function domainOf({ targetDomain }: ReportFilter) {
  if (targetDomain === undefined) return sql<string | null>`null`
  return sql<string | null>`(select a.domain from accounts a where a.id = ${reports.targetAccountId})`
}

/** The part of the filter that an index answers. */
function scanOf({ resolved, accountId, targetAccountId }: ReportFilter) {
  if (targetAccountId !== undefined) return sql`${reports.targetAccountId} = ${targetAccountId}`
  if (accountId !== undefined) return sql`${reports.accountId} = ${accountId}`
  return resolved ? sql`1` : sql`${reports.actionTakenAt} is null`
}

/** A report with the handle of the account it is about, which names it in the audit log. */
interface ReportInHand {
  readonly report: ReportRow
  readonly label: string
}

/** The report `id`, as moderators change it. */
export function reportInHand(ctx: Ctx, id: number): Query<ReportInHand | null> {
  const found = first(
    ctx.db
      .select({
        ...getTableColumns(reports),
        label: sql<string>`(select a.username || coalesce('@' || a.domain, '') from accounts a
          where a.id = ${reports.targetAccountId})`.as('label'),
      })
      .from(reports)
      .where(sql`${reports.id} = ${id}`),
  )
  return map(found, (row) => {
    if (row === null) return null
    const { label, ...report } = row
    return { report, label }
  })
}

/** A report, or strikes. */
type EvidenceSubject = { readonly reportId: number } | { readonly strikeIds: readonly number[] }

export type EvidenceRow = typeof moderationEvidence.$inferSelect & {
  readonly isDeleted: boolean
  /** Keys of the local files that are kept for it. */
  readonly fileKeys: readonly string[]
}

/** Evidence of a report or of strikes, oldest first, with whether each status was deleted since, and files kept. */
export function findEvidence(ctx: Ctx, of: EvidenceSubject): Query<readonly EvidenceRow[]> {
  const owner = isOf(of, moderationEvidence)
  const found = rows(
    ctx.db
      .select({
        ...getTableColumns(moderationEvidence),
        deleted:
          sql<number>`not exists (select 1 from statuses s where s.id = ${moderationEvidence.statusId})`.as(
            'deleted',
          ),
        fileKeys:
          sql<string>`(select json_group_array(f.file_key) from evidence_files f where f.evidence_id = ${moderationEvidence.id})`.as(
            'file_keys',
          ),
      })
      .from(moderationEvidence)
      .where(owner)
      .orderBy(sql`${moderationEvidence.id}`),
  )
  return map(found, (all) =>
    all.map(({ deleted, fileKeys, ...row }) => ({
      ...row,
      isDeleted: deleted === 1,
      fileKeys: z.array(z.string()).parse(JSON.parse(fileKeys)),
    })),
  )
}

type CollectionEvidenceRow = typeof collectionEvidence.$inferSelect & { readonly isDeleted: boolean }

/** Collections in the evidence of a report or of strikes, oldest first, with whether each was deleted since. */
export function findCollectionEvidence(
  ctx: Ctx,
  of: EvidenceSubject,
): Query<readonly CollectionEvidenceRow[]> {
  const { collectionId } = collectionEvidence
  const found = rows(
    ctx.db
      .select({
        ...getTableColumns(collectionEvidence),
        deleted: sql<number>`not exists (select 1 from collections c where c.id = ${collectionId})`.as(
          'deleted',
        ),
      })
      .from(collectionEvidence)
      .where(isOf(of, collectionEvidence))
      .orderBy(sql`${collectionEvidence.id}`),
  )
  return map(found, (all) => all.map(({ deleted, ...row }) => ({ ...row, isDeleted: deleted === 1 })))
}

function isOf(of: EvidenceSubject, table: typeof moderationEvidence | typeof collectionEvidence) {
  return 'reportId' in of
    ? sql`${table.reportId} = ${of.reportId}`
    : sql`${table.strikeId} in (select value from json_each(${JSON.stringify(of.strikeIds)}))`
}
