import * as z from 'zod'
import { CountString, IdString, Timestamp } from '../scalars'
import { Account } from './account'
import { Status } from './status'

export const NotificationRequest = z
  .strictObject({
    id: IdString,
    created_at: Timestamp,
    updated_at: Timestamp,
    account: Account,
    notifications_count: CountString,
    last_status: Status.nullable().exactOptional(),
  })
  .meta({ id: 'NotificationRequest' })
export type NotificationRequest = z.infer<typeof NotificationRequest>
