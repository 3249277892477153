import * as z from 'zod'
import { IdString, Url } from '../scalars'

export const PushPolicy = z.enum(['all', 'followed', 'follower', 'none'])
export type PushPolicy = z.infer<typeof PushPolicy>

/** Push switch for each notification type; a type that was never set is absent. */
export const PushAlerts = z.strictObject({
  mention: z.boolean().exactOptional(),
  status: z.boolean().exactOptional(),
  reblog: z.boolean().exactOptional(),
  follow: z.boolean().exactOptional(),
  follow_request: z.boolean().exactOptional(),
  favourite: z.boolean().exactOptional(),
  poll: z.boolean().exactOptional(),
  update: z.boolean().exactOptional(),
  quote: z.boolean().exactOptional(),
  quoted_update: z.boolean().exactOptional(),
  'admin.sign_up': z.boolean().exactOptional(),
  'admin.report': z.boolean().exactOptional(),
})
export type PushAlerts = z.infer<typeof PushAlerts>

export const WebPushSubscription = z
  .strictObject({
    // The documentation has text, Mastodon sends a number.
    id: z.union([IdString, z.int()]),
    endpoint: Url,
    standard: z.boolean(),
    server_key: z.string(),
    alerts: PushAlerts,
    policy: PushPolicy,
  })
  .meta({ id: 'WebPushSubscription' })
export type WebPushSubscription = z.infer<typeof WebPushSubscription>
