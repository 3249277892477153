import * as z from 'zod'
import { Report, ReportCategory } from '../contract/entities/report'
import { Flag, Id, IdList, OptionalTextList } from '../contract/scalars'
import { ask } from '../db/query'
import { createReport } from '../domain/reports/create'
import { parseDomain } from '../lib/handle'
import { accountsById, loadAccounts } from '../view/load/accounts'
import { presentReport } from '../view/present/report'
import { user } from './caller'
import { endpoint } from './endpoint'

const Category = z.preprocess(
  (sent) => (sent === null || sent === '' ? undefined : sent),
  ReportCategory.default('other'),
)

export const reports = [
  endpoint({
    method: 'POST',
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
        ...{ targetId: input.account_id, statusIds: input.status_ids, comment: input.comment ?? '' },
        collectionIds: input.collection_ids,
        ...{ category: input.category, ruleIds: input.rule_ids, forward: input.forward === true },
        domains: input.forward_to_domains?.flatMap((text) => parseDomain(text) ?? []),
      })
      const target = await ask(ctx.db, loadAccounts(ctx, accountsById([report.targetAccountId])))
      return presentReport(ctx.config, report, target)
    },
  }),
]
