import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { Report, ReportCategory } from '../contract/entities/report'
import { parseDomain } from '../contract/handle'
import { Flag, Id, IdList, OptionalTextList } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { createReport } from '../domain/reports/create'
import { ownReports, reportsIn } from '../domain/reports/find'
import { accountsById, loadAccounts } from '../view/load/accounts'
import { presentAccount } from '../view/present/account'
import { presentReport, reportEntity } from '../view/present/report'
import { endpoint, readEndpoint, user } from './endpoint'
import { page, pageOf, paging } from './paginate'

const Category = z.preprocess(
  (sent) => (sent === null || sent === '' ? undefined : sent),
  ReportCategory.default('other'),
)

export const reports = [
  readEndpoint({
    path: '/api/v1/reports',
    summary: "The viewer's own reports, as apps before 2.6 listed them",
    // Mastodon removed its own scope along with it.
    auth: user('read'),
    deprecatedSince: new Date('2018-10-30T00:00:00Z'),
    input: z.object(paging(20, 40)),
    output: z.array(Report),
    read: (ctx, { input, as }) => {
      const own = ownReports(as, pageOf(input))
      return combineQueries({
        reports: reportsIn(ctx, own),
        targets: loadAccounts(ctx, sql`select target_account_id as id, cursor from (${own})`),
      })
    },
    show: ({ config }, { input, request, found: { reports, targets } }) => {
      const shown = reports.filter(({ targetAccountId }) => targets.accounts.has(targetAccountId))
      return page(
        shown.map((report) => reportEntity(report, presentAccount(config, targets, report.targetAccountId))),
        request,
        { cursors: reports.map(({ id }) => id), limit: input.limit },
      )
    },
  }),
  endpoint({
    path: '/api/v1/reports',
    summary: 'Lays an account and statuses of it before the moderators',
    auth: user('write:reports'),
    limit: 'reports',
    input: z.object({
      account_id: Id,
      status_ids: IdList,
      collection_ids: IdList,
      comment: z.string().nullish(),
      category: Category,
      rule_ids: IdList,
      forward: Flag,
      forward_to_domains: OptionalTextList,
    }),
    output: Report,
    run: async (ctx, { viewer, input }) => {
      const report = await createReport(ctx, viewer, {
        targetId: input.account_id,
        statusIds: input.status_ids,
        comment: input.comment ?? '',
        collectionIds: input.collection_ids,
        category: input.category,
        ruleIds: input.rule_ids,
        forward: input.forward === true,
        domains: input.forward_to_domains?.flatMap((text) => parseDomain(text) ?? []),
      })
      const target = await execute(ctx.db, loadAccounts(ctx, accountsById([report.targetAccountId])))
      return presentReport(ctx.config, report, target)
    },
  }),
]
