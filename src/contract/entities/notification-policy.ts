import * as z from 'zod'

export const NotificationPolicyAction = z.enum(['accept', 'filter', 'drop'])
export type NotificationPolicyAction = z.infer<typeof NotificationPolicyAction>

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
