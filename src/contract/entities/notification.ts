import * as z from 'zod'
import { notificationTypes } from '../../lib/notifications/kinds'
import { Html, IdString, Timestamp } from '../scalars'
import { Account, PartialAccountWithAvatar } from './account'
import { AccountWarning } from './account-warning'
import { Collection } from './collection'
import { RelationshipSeveranceEvent } from './relationship'
import { Report } from './report'
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
