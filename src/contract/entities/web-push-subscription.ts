import * as z from 'zod'
import { type PushAlert, pushAlerts } from '../../lib/notifications/kinds'
import { IdString, Url } from '../scalars'

export const PushPolicy = z.enum(['all', 'followed', 'follower', 'none'])
export type PushPolicy = z.infer<typeof PushPolicy>

const Alert = z.boolean().exactOptional()

function isAlertShape(
  shape: Readonly<Record<string, typeof Alert>>,
): shape is Readonly<Record<PushAlert, typeof Alert>> {
  return pushAlerts.every((alert) => alert in shape)
}

function alertShape() {
  const shape = Object.fromEntries(pushAlerts.map((alert) => [alert, Alert]))
  if (!isAlertShape(shape)) throw new Error('An alert has no schema')
  return shape
}

/** Kinds of notification that are pushed; a kind that was never set is absent. */
export const PushAlerts = z.strictObject(alertShape())
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
