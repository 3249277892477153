import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { Account } from './account'
import { CollectionEvidence, Evidence } from './admin/evidence'
import { Rule } from './instance'

export const ReportCategory = z.enum(['spam', 'legal', 'violation', 'other'])
export type ReportCategory = z.infer<typeof ReportCategory>

export const Report = z
  .strictObject({
    id: IdString,
    action_taken: z.boolean(),
    action_taken_at: Timestamp.nullable(),
    category: ReportCategory,
    comment: z.string(),
    // Null on reports received by federation.
    forwarded: z.boolean().nullable(),
    created_at: Timestamp,
    status_ids: z.array(IdString).nullable(),
    collection_ids: z.array(IdString).nullable(),
    rule_ids: z.array(IdString).nullable(),
    target_account: Account,
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

export const Appeal = z
  .strictObject({
    text: z.string(),
    state: z.enum(['approved', 'rejected', 'pending']),
  })
  .meta({ id: 'Appeal' })

export const AccountWarning = z
  .strictObject({
    id: IdString,
    action: z.enum([
      'none',
      'disable',
      'mark_statuses_as_sensitive',
      'delete_statuses',
      'sensitive',
      'silence',
      'suspend',
    ]),
    text: z.string(),
    status_ids: z.array(IdString).nullable(),
    target_account: Account,
    appeal: Appeal.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'AccountWarning' })
export type AccountWarning = z.infer<typeof AccountWarning>

/** An appeal, with the times that clients of Mastodon are not shown. */
export const StrikeAppeal = Appeal.extend({
  created_at: Timestamp,
  decided_at: Timestamp.nullable(),
  // The appeal was approved and the action undone.
  overruled_at: Timestamp.nullable(),
}).meta({ id: 'FieldfareStrikeAppeal' })

const strike = {
  id: IdString,
  action: AccountWarning.shape.action,
  text: z.string(),
  status_ids: z.array(IdString),
  rules: z.array(Rule),
  created_at: Timestamp,
  // An appeal was approved: the action was undone.
  overruled_at: Timestamp.nullable(),
  appeal: StrikeAppeal.nullable(),
  // End of the time for an appeal.
  appealable_until: Timestamp,
  appealable: z.boolean(),
}

/** A decision of the moderators about the viewer's account. Own entity: Mastodon shows strikes on pages only. */
export const Strike = z
  .strictObject({ ...strike, evidence: z.array(Evidence), collections: z.array(CollectionEvidence) })
  .meta({ id: 'FieldfareStrike' })
export type Strike = z.infer<typeof Strike>

/** A strike as moderators see it. */
export const AdminStrike = z
  .strictObject({
    ...strike,
    target_account_id: IdString,
    target_acct: z.string(),
    // Null: the operator, or a moderator whose account was deleted.
    account_id: IdString.nullable(),
    report_id: IdString.nullable(),
  })
  .meta({ id: 'FieldfareAdminStrike' })
export type AdminStrike = z.infer<typeof AdminStrike>

/** An appeal with its strike, as moderators see it. */
export const AdminAppeal = z
  .strictObject({
    id: IdString,
    text: z.string(),
    state: Appeal.shape.state,
    created_at: Timestamp,
    decided_at: Timestamp.nullable(),
    overruled_at: Timestamp.nullable(),
    // Null: undecided, decided by the operator, or by a moderator whose account was deleted.
    decided_by_account_id: IdString.nullable(),
    strike: AdminStrike,
  })
  .meta({ id: 'FieldfareAdminAppeal' })
export type AdminAppeal = z.infer<typeof AdminAppeal>
