import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { Account } from './account'
import { Status } from './status'

export const RepliesPolicy = z.enum(['followed', 'list', 'none'])

export const List = z
  .strictObject({
    id: IdString,
    title: z.string(),
    replies_policy: RepliesPolicy,
    exclusive: z.boolean(),
  })
  .meta({ id: 'List' })
export type List = z.infer<typeof List>

export const Marker = z
  .strictObject({
    last_read_id: IdString,
    version: z.int(),
    updated_at: Timestamp,
  })
  .meta({ id: 'Marker' })
export type Marker = z.infer<typeof Marker>

export const Conversation = z
  .strictObject({
    id: IdString,
    unread: z.boolean(),
    accounts: z.array(Account),
    last_status: Status.nullable(),
  })
  .meta({ id: 'Conversation' })
export type Conversation = z.infer<typeof Conversation>
