import { type SQL, sql } from 'drizzle-orm'
import type { Handle } from '../../contract/handle'
import { combineQueries, first, limitTo, map, oneRow, type Query, rows } from '../../db/query'
import { annualReports } from '../../db/schema'
import type { AnnualStats } from '../../db/values'
import { type AccountId, firstIdAt, type StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { isInEitherPart } from '../policy/visibility'

export interface Report {
  readonly accountId: AccountId
  readonly year: number
  readonly data: AnnualStats
  readonly shareKey: string
}

/** The finished reports of the account `owner` selects, newest first; of a single year where given. One statement. */
export function reportsOf(ctx: Ctx, owner: SQL, year: number | null = null): Query<Report[]> {
  const { accountId, data, shareKey } = annualReports
  const found = rows(
    ctx.db
      .select({ accountId, year: annualReports.year, data, shareKey })
      .from(annualReports)
      .where(
        sql`${accountId} = ${owner} and ${data} is not null ${year === null ? sql`` : sql`and ${annualReports.year} = ${year}`}`,
      )
      .orderBy(sql`${annualReports.year} desc`),
  )
  return map(found, (list) =>
    list.flatMap((report) => (report.data === null ? [] : [{ ...report, data: report.data }])),
  )
}

/** The statuses named in reports of `owner`, as a selection (id, cursor). */
export function namedInReports(owner: SQL, year: number | null = null): SQL {
  return sql`select r.data ->> 'topStatusId' as id, r.year as cursor from annual_reports r
    where r.account_id = ${owner} and r.data ->> 'topStatusId' is not null
      ${year === null ? sql`` : sql`and r.year = ${year}`}`
}

/** A report as requested through its share URL. One statement. */
export function sharedReport(
  ctx: Ctx,
  { handle, year, key }: { readonly handle: Handle; readonly year: number; readonly key: string },
): Query<Report | null> {
  const found = reportsOf(ctx, idByHandle(handle), year)
  return map(found, (list) => list.find((report) => report.shareKey === key) ?? null)
}

/** Facts that decide the state of a year's report. Two statements. */
export function stateFacts(ctx: Ctx, owner: SQL, year: number): Query<StateFacts> {
  const { requestedAt, generatedAt } = annualReports
  const report = first(
    ctx.db
      .select({ requestedAt, generatedAt })
      .from(annualReports)
      .where(sql`${annualReports.accountId} = ${owner} and ${annualReports.year} = ${year}`),
  )
  const counted = first(
    ctx.db
      .select({
        statuses: sql<number>`(select count(*) from (select 1 from statuses s
          where s.account_id = ${owner} and ${within(year, 's.id')} and s.visibility <> 'direct'
          ${limitTo(minStatuses)}))`.as('statuses'),
      })
      .from(oneRow),
  )
  return map(combineQueries({ report, counted }), ({ report: found, counted: enough }) => ({
    generated: found?.generatedAt != null,
    requestedAt: found?.requestedAt ?? null,
    statuses: enough?.statuses ?? 0,
  }))
}

/** More than can be written by hand in a year; statuses beyond are not counted. */
const maxStatusesRead = 20_000

export interface YearFacts {
  readonly deeds: ActivityCounts
  /** By month, from 1; empty months are missing. */
  readonly statuses: ReadonlyMap<number, number>
  readonly followers: ReadonlyMap<number, number>
  readonly topTag: { readonly name: string; readonly count: number } | null
  readonly topStatusId: StatusId | null
}

/** An account's year in figures. Direct statuses are private and do not count. Four statements. */
export function findYearFacts(ctx: Ctx, account: AccountId, year: number): Query<YearFacts> {
  // The latest of the year, found by the index of the account.
  const own = sql`(select s.id, s.created_at, s.visibility, s.local_only, s.poll_id, s.reblog_of_id, s.reblogs_count,
      s.tags, s.in_reply_to_account_id is not null and s.in_reply_to_account_id <> s.account_id as answers
    from statuses s where s.account_id = ${account} and ${within(year, 's.id')} and s.visibility <> 'direct'
    order by s.id desc ${limitTo(maxStatusesRead)}) own`
  const gained = sql`(select f.created_at from follows f
    where f.target_account_id = ${account} and ${isInEitherPart('f')} and ${within(year, 'f.id')} ${limitTo(maxStatusesRead)}) own`
  const open = sql`own.visibility in ('public', 'unlisted') and own.local_only = 0 and own.reblog_of_id is null`
  const facts = combineQueries({
    months: byMonth(
      ctx,
      own,
      sql`count(*), sum(own.reblog_of_id is not null), sum(own.reblog_of_id is null and own.answers),
        sum(own.poll_id is not null)`,
    ),
    followers: byMonth(ctx, gained, sql`count(*)`),
    tag: first(
      ctx.db
        .select({
          name: sql<string>`max(used.value ->> 'display')`.as('name'),
          count: sql<number>`count(*)`.as('count'),
        })
        .from(sql`${own} cross join json_each(own.tags) used`)
        .where(open)
        .groupBy(sql`used.value ->> 'name'`)
        .orderBy(sql`count(*) desc, min(own.id)`)
        .limit(1),
    ),
    top: first(
      ctx.db
        .select({ id: sql<StatusId>`own.id`.as('id') })
        .from(own)
        .where(sql`${open} and own.reblogs_count > 0`)
        .orderBy(sql`own.reblogs_count desc, own.id desc`)
        .limit(1),
    ),
  })
  return map(facts, ({ months, followers, tag, top }) => {
    const sum = (at: number) => months.reduce((total, { counts }) => total + (counts[at] ?? 0), 0)
    const [all, reblogs, replies, polls] = [sum(0), sum(1), sum(2), sum(3)]
    return {
      deeds: { standalone: all - reblogs - replies, replies, reblogs, polls },
      statuses: new Map(months.map(({ month, counts }) => [month, counts[0] ?? 0])),
      followers: new Map(followers.map(({ month, counts }) => [month, counts[0] ?? 0])),
      topTag: tag,
      topStatusId: top?.id ?? null,
    }
  })
}

/** Rows of `own` by the month of creation, each with several counts. */
function byMonth(ctx: Ctx, own: SQL, counts: SQL) {
  const month = sql<number>`cast(strftime('%m', own.created_at / 1000, 'unixepoch') as integer)`
  return rows(
    ctx.db
      .select({
        month: month.as('month'),
        counts: sql`json_array(${counts})`.mapWith(readCounts).as('counts'),
      })
      .from(own)
      .groupBy(sql`1`),
  )
}

function readCounts(cell: string): readonly number[] {
  return JSON.parse(cell)
}

/** Condition for rows of a year. Ids are ordered by time, so those of a year are contiguous. */
function within(year: number, column: string): SQL {
  const [start, end] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))]
  return sql`(${sql.raw(column)} >= ${firstIdAt(start)} and ${sql.raw(column)} < ${firstIdAt(end)})`
}

/** Reports are offered from the tenth of December to the end of the year they are about (docs methods/annual_reports). */
export function isSeason(year: number, now: Date): boolean {
  return now.getUTCFullYear() === year && now.getUTCMonth() === 11 && now.getUTCDate() >= 10
}

/** Statuses in a year below which no report is offered. */
const minStatuses = 10

/** A request unfinished after this time is lost, and may be made again. */
export const generationTimeoutMilliseconds = 3_600_000

export type ReportState = 'available' | 'generating' | 'eligible' | 'ineligible'

interface StateFacts {
  readonly generated: boolean
  readonly requestedAt: Date | null
  /** Counted up to the required minimum. */
  readonly statuses: number
}

/** The state of a year's report. Pure. */
export function stateOf(year: number, facts: StateFacts, now: Date): ReportState {
  if (facts.generated) return 'available'
  const since = facts.requestedAt === null ? null : now.getTime() - facts.requestedAt.getTime()
  if (since !== null && since < generationTimeoutMilliseconds) return 'generating'
  return isSeason(year, now) && facts.statuses >= minStatuses ? 'eligible' : 'ineligible'
}

/** Activity of an account in a year, by kind. */
interface ActivityCounts {
  readonly standalone: number
  readonly replies: number
  readonly reblogs: number
  readonly polls: number
}

/** Statuses in a year below which the account mostly reads. */
const busyYear = 100

/** The archetype of an account's year. Pure. */
export function archetypeOf({
  standalone,
  replies,
  reblogs,
  polls,
}: ActivityCounts): AnnualStats['archetype'] {
  if (standalone + replies + reblogs < busyYear) return 'lurker'
  if (reblogs > standalone * 2) return 'booster'
  if (polls > standalone / 10) return 'pollster'
  if (replies > standalone * 2) return 'replier'
  return 'oracle'
}
