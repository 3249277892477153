import * as z from 'zod'
import { SocketUrl, Url } from '../scalars'
import { Account } from './account'
import {
  InstanceMediaLimits,
  InstancePollLimits,
  InstanceReactionLimits,
  InstanceStatusLimits,
} from './instance'
import { Rule } from './rule'

export const V1Instance = z
  .strictObject({
    uri: z.string(),
    title: z.string(),
    short_description: z.string(),
    description: z.string(),
    email: z.string(),
    version: z.string(),
    urls: z.strictObject({ streaming_api: SocketUrl }),
    stats: z.strictObject({ user_count: z.int(), status_count: z.int(), domain_count: z.int() }),
    thumbnail: Url.nullable(),
    languages: z.array(z.string()),
    registrations: z.boolean(),
    approval_required: z.boolean(),
    invites_enabled: z.boolean(),
    configuration: z.strictObject({
      accounts: z.strictObject({ max_featured_tags: z.int() }),
      statuses: InstanceStatusLimits,
      media_attachments: InstanceMediaLimits,
      polls: InstancePollLimits,
      reactions: InstanceReactionLimits,
    }),
    contact_account: Account.nullable(),
    rules: z.array(Rule),
  })
  .meta({ id: 'V1Instance' })
export type V1Instance = z.infer<typeof V1Instance>
