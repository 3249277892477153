import * as z from 'zod'
import { IdString } from '../scalars'
import { Account } from './account'
import { Status } from './status'

export const Conversation = z
  .strictObject({
    id: IdString,
    unread: z.boolean(),
    accounts: z.array(Account),
    last_status: Status.nullable(),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>
