import * as z from 'zod'
import { AdminStrike } from '../../contract/entities/report'
import { Flag, Id, OptionalId, OptionalIdList, OptionalText } from '../../contract/scalars'
import { both, execute, orNotFound } from '../../db/query'
import type { Moderator } from '../../domain/core/viewer'
import { loadRules } from '../../domain/instance/rules'
import { actOnStatuses, statusActionTypes } from '../../domain/moderation/act-on-statuses'
import { findStrikes } from '../../domain/moderation/find-strikes'
import { reportById } from '../../domain/reports/find'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { presentAdminStrike } from '../../view/present/report'
import { endpoint, staff } from '../endpoint'

const Action = z.object({
  id: Id,
  type: z.enum(statusActionTypes),
  text: OptionalText,
  warning_preset_id: OptionalId,
  send_email_notification: Flag.default(true),
  status_ids: OptionalIdList,
  collection_ids: OptionalIdList,
})

/** Acts on statuses and collections of an account, which Mastodon has on its pages only. */
export const adminStatusActions = [
  endpoint({
    path: '/api/fieldfare/v1/admin/accounts/:id/statuses/action',
    summary:
      'Deletes statuses and collections of an account for good, or marks them as sensitive; those of a report if none are named',
    auth: staff('admin:write:accounts', 'manageUsers'),
    input: Action.extend({ report_id: OptionalId }),
    output: AdminStrike,
    run: (ctx, { viewer, input }) =>
      act(ctx, viewer, { accountId: input.id, reportId: input.report_id ?? null, input }),
  }),
  endpoint({
    path: '/api/fieldfare/v1/admin/reports/:id/statuses/action',
    summary:
      'Deletes reported statuses and collections for good, or marks them as sensitive, and resolves the report',
    auth: staff('admin:write:reports', 'manageReports'),
    input: Action,
    output: AdminStrike,
    run: async (ctx, { viewer, input }) => {
      const report = await execute(ctx.db, orNotFound(reportById(ctx, input.id)))
      return act(ctx, viewer, { accountId: report.targetAccountId, reportId: report.id, input })
    },
  }),
]

interface Order {
  readonly accountId: AccountId
  readonly reportId: number | null
  readonly input: z.output<typeof Action>
}

async function act(
  ctx: Ctx,
  moderator: Moderator,
  { accountId, reportId, input }: Order,
): Promise<AdminStrike> {
  const strikeId = await actOnStatuses(ctx, moderator, {
    accountId,
    reportId,
    type: input.type,
    text: input.text ?? '',
    warningPresetId: input.warning_preset_id ?? null,
    sendEmail: input.send_email_notification === true,
    statusIds: input.status_ids ?? null,
    collectionIds: input.collection_ids ?? null,
  })
  const [[strike], rules] = await execute(
    ctx.db,
    both(findStrikes(ctx, { strikeId }, { limit: 1 }), loadRules(ctx)),
  )
  if (strike === undefined) throw new NotFound()
  return presentAdminStrike(strike, rules)
}
