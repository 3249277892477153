import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { Account } from './account'

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
