import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { WrappedAnnualReports } from '../contract/entities/annual-report'
import { Id } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { namedInReports, type Report, reportsOf, stateFacts, stateOf } from '../domain/annual-reports/find'
import { markReportRead, requestReport } from '../domain/annual-reports/generate'
import { findRefresh, refreshSubject } from '../domain/core/async-refreshes'
import type { Viewer, ViewerRef } from '../domain/core/viewer'
import { NotFound } from '../errors'
import type { Ctx } from '../ports/ctx'
import { type AccountBundle, loadAccounts } from '../view/load/accounts'
import { loadStatuses, type StatusBundle } from '../view/load/statuses'
import { presentAccounts } from '../view/present/account'
import { presentReport } from '../view/present/annual-report'
import { presentStatuses } from '../view/present/status'
import { ApiResponse, EmptyObject } from './api-response'
import { refreshHeaders } from './async-refreshes'
import { endpoint, readEndpoint, user } from './endpoint'

/** Years beyond 9999 match no report. */
const ByYear = z.object({ year: Id.transform((year) => (year > 9999 ? 0 : year)) })
const path = '/api/v1/annual_reports'

export const annualReports = [
  readEndpoint({
    path,
    summary: "The viewer's reports of their years",
    auth: user('read:accounts'),
    output: WrappedAnnualReports,
    read: (ctx, { as }) => reports(ctx, as, null),
    show: (ctx, { viewer, found }) => wrapped(ctx, viewer, found),
  }),
  readEndpoint({
    path: `${path}/:year`,
    summary: 'The report of a year',
    auth: user('read:accounts'),
    input: ByYear,
    output: WrappedAnnualReports,
    read: (ctx, { input, as }) => reports(ctx, as, input.year),
    show: (ctx, { viewer, found }) => {
      if (found.reports.length === 0) throw new NotFound()
      return wrapped(ctx, viewer, found)
    },
  }),
  readEndpoint({
    path: `${path}/:year/state`,
    summary: 'Whether there is a report of a year, or could be',
    auth: user('read:accounts'),
    input: ByYear,
    output: z.strictObject({ state: z.enum(['available', 'generating', 'eligible', 'ineligible']) }),
    read: (ctx, { input, as }) => stateFacts(ctx, as.id, input.year),
    show: ({ clock }, { input, found }) => ({ state: stateOf(input.year, found, clock.now()) }),
  }),
  endpoint({
    path: `${path}/:year/generate`,
    summary: 'Have the report of a year made',
    auth: user('write:accounts'),
    input: ByYear,
    output: EmptyObject,
    run: async (ctx, { input, viewer }) => {
      if ((await requestReport(ctx, viewer, input.year)) !== 'generating') return {}
      const subject = refreshSubject.annualReport(viewer.id, input.year)
      const refresh = await execute(ctx.db, findRefresh(ctx, subject))
      return new ApiResponse({}, { status: 202, headers: await refreshHeaders(ctx, refresh) })
    },
  }),
  endpoint({
    path: `${path}/:year/read`,
    summary: 'Mark the report of a year as read',
    auth: user('write:accounts'),
    input: ByYear,
    run: (ctx, { input, viewer }) => markReportRead(ctx, viewer, input.year),
  }),
]

function reports(ctx: Ctx, as: ViewerRef, year: number | null) {
  return combineQueries({
    reports: reportsOf(ctx, as.id, year),
    accounts: loadAccounts(ctx, sql`select ${as.id} as id, 0 as cursor`),
    statuses: loadStatuses(ctx, as, namedInReports(as.id, year)),
  })
}

interface Found {
  readonly reports: readonly Report[]
  readonly accounts: AccountBundle
  readonly statuses: StatusBundle
}

function wrapped(
  { config, clock }: Ctx,
  { username }: Viewer,
  { reports: all, accounts, statuses }: Found,
): z.output<typeof WrappedAnnualReports> {
  const hasStatus = (id: number) => statuses.statuses.has(id)
  return {
    annual_reports: all.map((report) => presentReport(config, report, { username, hasStatus })),
    accounts: all.length === 0 ? [] : presentAccounts(config, accounts),
    statuses: presentStatuses({ config, now: clock.now() }, statuses),
  }
}
