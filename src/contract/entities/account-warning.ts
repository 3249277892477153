import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { Account } from './account'

export const Appeal = z
  .strictObject({
    text: z.string(),
    state: z.enum(['approved', 'rejected', 'pending']),
  })
  .meta({ id: 'Appeal' })
export type Appeal = z.infer<typeof Appeal>

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
