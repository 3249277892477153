import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { annualReports } from '../../db/schema'
import type { AnnualStats } from '../../db/values'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { beginRefresh, endRefresh, refreshSubject } from '../core/async-refreshes'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { notify } from '../notifications/notify'
import {
  archetypeOf,
  findYearFacts,
  generationTimeoutMilliseconds,
  type ReportState,
  stateFacts,
  stateOf,
  type YearFacts,
} from './find'

interface ReportKey {
  readonly accountId: AccountId
  readonly year: number
}

/**
 * Requests the report of a year for the viewer, if eligible. Returns the new state: `generating` if generation has
 * begun or is under way. Enqueues `generate-annual-report`.
 */
export async function requestReport(ctx: Ctx, viewer: Viewer, year: number): Promise<ReportState> {
  const now = ctx.clock.now()
  const state = stateOf(year, await execute(ctx.db, stateFacts(ctx, viewerById(viewer.id).id, year)), now)
  if (state !== 'eligible') return state
  await beginRefresh(ctx, refreshSubject.annualReport(viewer.id, year))
  const lost = sql`${annualReports.data} is null
    and ${annualReports.requestedAt} <= ${now.getTime() - generationTimeoutMilliseconds}`
  await commit(
    ctx,
    new Changes()
      .add(
        ctx.db
          .insert(annualReports)
          .values({ accountId: viewer.id, year, shareKey: ctx.random.token(), requestedAt: now })
          .onConflictDoUpdate({
            target: [annualReports.accountId, annualReports.year],
            set: { requestedAt: now },
            setWhere: lost,
          }),
      )
      .enqueue({ kind: 'generate-annual-report', accountId: viewer.id, year }),
  )
  return 'generating'
}

/** Counts a year, stores the report and notifies its owner. A second run counts again and notifies once. */
export async function generateReport(ctx: Ctx, { accountId, year }: ReportKey): Promise<void> {
  const data = reportStatsOf(
    await execute(ctx.db, findYearFacts(ctx, accountId, year)),
    year,
    ctx.clock.now(),
  )
  const changes = new Changes().add(
    ctx.db.update(annualReports).set({ data, generatedAt: ctx.clock.now() }).where(isReport(accountId, year)),
  )
  const about = { type: 'annual_report', statusId: null, subjectId: year } as const
  notify(ctx, changes, [{ ...about, to: accountId, from: accountId }])
  await commit(ctx, changes)
  await endRefresh(ctx, refreshSubject.annualReport(accountId, year), 1)
}

/** The contents of a report, from the counted facts. Pure. */
export function reportStatsOf(facts: YearFacts, year: number, now: Date): AnnualStats {
  const last = year < now.getUTCFullYear() ? 12 : now.getUTCMonth() + 1
  return {
    archetype: archetypeOf(facts.deeds),
    months: Array.from({ length: last }, (_, index) => ({
      month: index + 1,
      statuses: facts.statuses.get(index + 1) ?? 0,
      followers: facts.followers.get(index + 1) ?? 0,
    })),
    topTag: facts.topTag,
    topStatusId: facts.topStatusId,
  }
}

/** Marks a finished report as read; `NotFound` where there is none. */
export async function markReportRead(ctx: Ctx, viewer: Viewer, year: number): Promise<void> {
  const [changed] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(annualReports)
        .set({ viewedAt: sql`coalesce(viewed_at, ${ctx.clock.now().getTime()})` })
        .where(sql`${isReport(viewer.id, year)} and ${annualReports.data} is not null`),
    ),
  )
  if (changed === 0) throw new NotFound()
}

function isReport(account: AccountId, year: number) {
  return sql`${eq(annualReports.accountId, account)} and ${eq(annualReports.year, year)}`
}
