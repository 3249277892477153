import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'

/** An administrative act. Own entity: Mastodon shows these on pages only. */
export const AuditLogEntry = z
  .strictObject({
    id: IdString,
    // Null: the operator, or a moderator whose account was deleted.
    account_id: IdString.nullable(),
    username: z.string(),
    action: z.string(),
    target_type: z.string(),
    target_id: IdString.nullable(),
    target_label: z.string(),
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
    ip: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'FieldfareAuditLogEntry' })
export type AuditLogEntry = z.infer<typeof AuditLogEntry>
