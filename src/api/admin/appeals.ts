import * as z from 'zod'
import { Evidence } from '../../contract/entities/admin/evidence'
import { AdminAppeal, AdminStrike } from '../../contract/entities/report'
import { Flag, Id, OptionalId } from '../../contract/scalars'
import { both, execute } from '../../db/query'
import { loadRules } from '../../domain/instance/rules'
import { decideAppeal } from '../../domain/moderation/appeal'
import { findAppeals, findStrikes } from '../../domain/moderation/find-strikes'
import { findEvidence } from '../../domain/reports/find'
import { NotFound } from '../../errors'
import { presentAdminAppeal, presentAdminStrike, presentEvidence } from '../../view/present/report'
import { endpoint, readEndpoint, staff } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

export const adminAppeals = [
  readEndpoint({
    path: '/api/fieldfare/v1/admin/appeals',
    summary: 'Appeals that wait for a decision, or with `all` all of them, newest first',
    auth: staff('admin:read', 'manageAppeals'),
    input: z.object({ all: Flag.default(false), ...paging(40, 80) }),
    output: z.array(AdminAppeal),
    read: (ctx, { input }) =>
      both(findAppeals(ctx, { onlyPending: !input.all }, pageOf(input)), loadRules(ctx)),
    show: (_ctx, { input, request, found: [strikes, rules] }) =>
      page(
        strikes.map((strike) => presentAdminAppeal(strike, rules)),
        request,
        {
          cursors: strikes.flatMap(({ appeal }) => appeal?.id ?? []),
          limit: input.limit,
        },
      ),
  }),
  ...(['approve', 'reject'] as const).map((verdict) =>
    endpoint({
      path: `/api/fieldfare/v1/admin/appeals/:id/${verdict}`,
      summary: verdict === 'approve' ? 'Approves an appeal and undoes the action' : 'Rejects an appeal',
      auth: staff('admin:write', 'manageAppeals'),
      input: z.object({ id: Id }),
      output: AdminAppeal,
      run: async (ctx, { viewer, input }) => {
        const strike = await decideAppeal(ctx, viewer, { appealId: input.id, verdict })
        return presentAdminAppeal(strike, await execute(ctx.db, loadRules(ctx)))
      },
    }),
  ),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/strikes/:id/evidence',
    summary: 'The statuses a strike is about as they were, deleted ones too',
    auth: staff('admin:read:accounts', 'manageReports'),
    input: z.object({ id: Id }),
    output: z.array(Evidence),
    read: (ctx, { input: { id } }) =>
      both(findStrikes(ctx, { strikeId: id }, { limit: 1 }), findEvidence(ctx, { strikeIds: [id] })),
    show: ({ config }, { found: [[strike], evidence] }) => {
      if (strike === undefined) throw new NotFound()
      return evidence.map((one) => presentEvidence(config, one))
    },
  }),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/strikes',
    summary: 'Strikes, newest first, of one account or of all',
    auth: staff('admin:read:accounts', 'manageReports'),
    input: z.object({ target_account_id: OptionalId, ...paging(40, 80) }),
    output: z.array(AdminStrike),
    read: (ctx, { input }) =>
      both(findStrikes(ctx, { targetId: input.target_account_id }, pageOf(input)), loadRules(ctx)),
    show: (_ctx, { input, request, found: [strikes, rules] }) =>
      page(
        strikes.map((strike) => presentAdminStrike(strike, rules)),
        request,
        { cursors: strikes.map(({ id }) => id), limit: input.limit },
      ),
  }),
]
