import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { Rule } from '../instance'
import { ReportCategory } from '../report'
import { Status } from '../status'
import { AdminAccount } from './account'

export const AdminReport = z
  .strictObject({
    id: IdString,
    action_taken: z.boolean(),
    action_taken_at: Timestamp.nullable(),
    category: ReportCategory,
    comment: z.string(),
    // Null on reports received by federation.
    forwarded: z.boolean().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    account: AdminAccount,
    target_account: AdminAccount,
    assigned_account: AdminAccount.nullable(),
    action_taken_by_account: AdminAccount.nullable(),
    statuses: z.array(Status),
    rules: z.array(Rule),
  })
  .meta({ id: 'AdminReport' })
export type AdminReport = z.infer<typeof AdminReport>

/** Text that moderators put into warnings. */
export const WarningPreset = z
  .strictObject({
    id: IdString,
    title: z.string(),
    text: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'FieldfareWarningPreset' })
export type WarningPreset = z.infer<typeof WarningPreset>

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
