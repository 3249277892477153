import * as z from 'zod'
import { IdString, Timestamp } from '../scalars'
import { Account } from './account'

export const Relationship = z
  .strictObject({
    id: IdString,
    following: z.boolean(),
    showing_reblogs: z.boolean(),
    notifying: z.boolean(),
    languages: z.array(z.string()).nullable(),
    followed_by: z.boolean(),
    blocking: z.boolean(),
    blocked_by: z.boolean(),
    muting: z.boolean(),
    muting_notifications: z.boolean(),
    muting_expires_at: Timestamp.nullable(),
    requested: z.boolean(),
    requested_by: z.boolean(),
    domain_blocking: z.boolean(),
    endorsed: z.boolean(),
    note: z.string(),
  })
  .meta({ id: 'Relationship' })
export type Relationship = z.infer<typeof Relationship>

export const FamiliarFollowers = z
  .strictObject({
    id: IdString,
    accounts: z.array(Account),
  })
  .meta({ id: 'FamiliarFollowers' })
export type FamiliarFollowers = z.infer<typeof FamiliarFollowers>

export const RelationshipSeveranceEvent = z
  .strictObject({
    id: IdString,
    type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
    purged: z.boolean(),
    target_name: z.string(),
    followers_count: z.int(),
    following_count: z.int(),
    created_at: Timestamp,
  })
  .meta({ id: 'RelationshipSeveranceEvent' })
export type RelationshipSeveranceEvent = z.infer<typeof RelationshipSeveranceEvent>
