import * as z from 'zod'
import { notificationTypes, type PushAlert, pushAlerts } from '../notification-kinds'
import { CountString, Html, IdString, Timestamp, Url } from '../scalars'
import { Account, PartialAccountWithAvatar, RelationshipSeveranceEvent } from './account'
import { Collection } from './collection'
import { AccountWarning, Report } from './report'
import { Status } from './status'

export const NotificationType = z.enum(notificationTypes)
export type NotificationType = z.infer<typeof NotificationType>

export const NotificationFallback = z
  .strictObject({
    title: Html,
    summary: Html.nullable(),
    details: Html.nullable().exactOptional(),
    description: Html.nullable().exactOptional(),
  })
  .meta({ id: 'NotificationFallback' })
export type NotificationFallback = z.infer<typeof NotificationFallback>

export const Notification = z
  .strictObject({
    id: IdString,
    type: NotificationType,
    group_key: z.string(),
    created_at: Timestamp,
    account: Account,
    status: Status.exactOptional(),
    report: Report.exactOptional(),
    event: RelationshipSeveranceEvent.exactOptional(),
    moderation_warning: AccountWarning.exactOptional(),
    fallback: NotificationFallback.exactOptional(),
    collection: Collection.exactOptional(),
    filtered: z.boolean().exactOptional(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof Notification>

export const NotificationGroup = z
  .strictObject({
    group_key: z.string(),
    notifications_count: z.int(),
    type: NotificationType,
    // The documentation has a string, Mastodon sends a number.
    most_recent_notification_id: z.union([IdString, z.int()]),
    page_min_id: IdString.exactOptional(),
    page_max_id: IdString.exactOptional(),
    latest_page_notification_at: Timestamp.exactOptional(),
    sample_account_ids: z.array(IdString),
    status_id: IdString.nullable().exactOptional(),
    report: Report.exactOptional(),
    event: RelationshipSeveranceEvent.exactOptional(),
    moderation_warning: AccountWarning.exactOptional(),
    fallback: NotificationFallback.exactOptional(),
    annual_report: z.strictObject({ year: z.string() }).exactOptional(),
    collection: Collection.exactOptional(),
  })
  .meta({ id: 'NotificationGroup' })
export type NotificationGroup = z.infer<typeof NotificationGroup>

export const GroupedNotificationsResults = z
  .strictObject({
    accounts: z.array(Account),
    partial_accounts: z.array(PartialAccountWithAvatar).exactOptional(),
    statuses: z.array(Status),
    notification_groups: z.array(NotificationGroup),
  })
  .meta({ id: 'GroupedNotificationsResults' })
export type GroupedNotificationsResults = z.infer<typeof GroupedNotificationsResults>

export const NotificationPolicyAction = z.enum(['accept', 'filter', 'drop'])

const Summary = z.strictObject({
  pending_requests_count: z.int(),
  pending_notifications_count: z.int(),
})

export const NotificationPolicy = z
  .strictObject({
    for_not_following: NotificationPolicyAction,
    for_not_followers: NotificationPolicyAction,
    for_new_accounts: NotificationPolicyAction,
    for_private_mentions: NotificationPolicyAction,
    for_limited_accounts: NotificationPolicyAction,
    for_bots: NotificationPolicyAction,
    summary: Summary,
  })
  .meta({ id: 'NotificationPolicy' })
export type NotificationPolicy = z.infer<typeof NotificationPolicy>

export const V1NotificationPolicy = z
  .strictObject({
    filter_not_following: z.boolean(),
    filter_not_followers: z.boolean(),
    filter_new_accounts: z.boolean(),
    filter_private_mentions: z.boolean(),
    filter_bots: z.boolean(),
    summary: Summary,
  })
  .meta({ id: 'V1NotificationPolicy' })
export type V1NotificationPolicy = z.infer<typeof V1NotificationPolicy>

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
