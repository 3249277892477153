import * as z from 'zod'
import { IdString, Timestamp } from '../../scalars'
import { ReportCategory } from '../report'
import { Rule } from '../rule'
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
