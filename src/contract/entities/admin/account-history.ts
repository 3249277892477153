import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { ReportCategory } from '../report'
import { AdminStrike } from '../strike'
import { ModerationNote } from './moderation-note'

/** A report in the history of an account, without what it names. */
export const ReportSummary = z
  .strictObject({
    id: IdString,
    category: ReportCategory,
    comment: z.string(),
    account_id: IdString,
    target_account_id: IdString,
    status_ids: z.array(IdString),
    rule_ids: z.array(IdString),
    action_taken_at: Timestamp.nullable(),
    action_taken_by_account_id: IdString.nullable(),
  })
  .meta({ id: 'FieldfareReportSummary' })

/** Entry in the history of an account: a report by or about it, a strike, or a note. */
export const AccountHistoryEntry = z
  .strictObject({
    id: IdString,
    type: z.enum(['report_about', 'report_by', 'strike', 'note']),
    created_at: Timestamp,
    // Exactly the key of the type is set.
    report: ReportSummary.nullable(),
    strike: AdminStrike.nullable(),
    note: ModerationNote.nullable(),
  })
  .meta({ id: 'FieldfareAccountHistoryEntry' })
export type AccountHistoryEntry = z.infer<typeof AccountHistoryEntry>
