import * as z from 'zod'
import { AuditLogEntry } from '../../contract/entities/admin/report'
import { OptionalId } from '../../contract/scalars'
import { type AuditFilter, findAuditLog } from '../../domain/core/audit'
import { presentAuditLogEntry } from '../../view/present/admin-account'
import { staff } from '../caller'
import { readEndpoint } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const Filter = z.object({
  account_id: OptionalId,
  target_type: z.string().max(100).optional(),
  target_id: OptionalId,
})

export const adminAuditLog = [
  readEndpoint({
    method: 'GET',
    path: '/api/fieldfare/v1/admin/audit_log',
    summary: 'Administrative acts, newest first, of one moderator or on one target',
    auth: staff('admin:read', 'viewAuditLog'),
    input: Filter.extend(paging(40, 100)),
    output: z.array(AuditLogEntry),
    read: (ctx, { input }) => findAuditLog(ctx, filterOf(input), pageOf(input)),
    show: (_ctx, { found, request, input }) =>
      page(found.map(presentAuditLogEntry), request, {
        cursors: found.map(({ id }) => id),
        limit: input.limit,
      }),
  }),
]

function filterOf(input: z.output<typeof Filter>): AuditFilter {
  if (input.account_id !== undefined) return { by: input.account_id }
  if (input.target_type === undefined) return null
  return { targetType: input.target_type, targetId: input.target_id }
}
