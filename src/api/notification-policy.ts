import * as z from 'zod'
import {
  NotificationPolicy,
  NotificationPolicyAction,
  V1NotificationPolicy,
} from '../contract/entities/notification'
import { Flag } from '../contract/scalars'
import { execute } from '../db/query'
import { type Viewer, viewerById } from '../domain/core/viewer'
import {
  changeNotificationPolicy,
  notificationPolicyOf,
  type PolicyAction,
  type PolicyFacts,
} from '../domain/notifications/requests'
import type { Ctx } from '../ports/ctx'
import { readEndpoint, updateEndpoints, user } from './endpoint'

const Action = z.preprocess(
  (sent) => (sent === '' || sent === null ? undefined : sent),
  NotificationPolicyAction.optional(),
)

const Changed = z.object({
  for_not_following: Action,
  for_not_followers: Action,
  for_new_accounts: Action,
  for_private_mentions: Action,
  for_limited_accounts: Action,
  for_bots: Action,
})

const ChangedInOldForm = z.object({
  filter_not_following: Flag,
  filter_not_followers: Flag,
  filter_new_accounts: Flag,
  filter_private_mentions: Flag,
  filter_bots: Flag,
})

const outdatedSince = new Date('2024-10-08T00:00:00Z')

const change = {
  path: '/api/v2/notifications/policy',
  summary: 'Changes what becomes of notifications by people of some kinds',
  auth: user('write:notifications'),
  input: Changed,
  output: NotificationPolicy,
  run: async (ctx: Ctx, { viewer, input }: { viewer: Viewer; input: z.output<typeof Changed> }) => {
    await changeNotificationPolicy(ctx, viewer, {
      ...given('notFollowing', input.for_not_following),
      ...given('notFollowers', input.for_not_followers),
      ...given('newAccounts', input.for_new_accounts),
      ...given('privateMentions', input.for_private_mentions),
      ...given('limitedAccounts', input.for_limited_accounts),
      ...given('bots', input.for_bots),
    })
    return presentPolicy(await execute(ctx.db, notificationPolicyOf(ctx, viewerById(viewer.id))))
  },
} as const

const changeInOldForm = {
  path: '/api/v1/notifications/policy',
  summary: 'Changes the same in the old form',
  auth: user('write:notifications'),
  input: ChangedInOldForm,
  output: V1NotificationPolicy,
  deprecatedSince: outdatedSince,
  run: async (ctx: Ctx, { viewer, input }: { viewer: Viewer; input: z.output<typeof ChangedInOldForm> }) => {
    await changeNotificationPolicy(ctx, viewer, {
      ...given('notFollowing', actionOf(input.filter_not_following)),
      ...given('notFollowers', actionOf(input.filter_not_followers)),
      ...given('newAccounts', actionOf(input.filter_new_accounts)),
      ...given('privateMentions', actionOf(input.filter_private_mentions)),
      ...given('bots', actionOf(input.filter_bots)),
    })
    return presentOldForm(await execute(ctx.db, notificationPolicyOf(ctx, viewerById(viewer.id))))
  },
} as const

export const notificationPolicies = [
  readEndpoint({
    path: '/api/v2/notifications/policy',
    summary: 'What becomes of notifications by people of some kinds, and what is held back',
    auth: user('read:notifications'),
    output: NotificationPolicy,
    read: (ctx, { as }) => notificationPolicyOf(ctx, as),
    show: (_ctx, { found }) => presentPolicy(found),
  }),
  ...updateEndpoints(change),
  readEndpoint({
    path: '/api/v1/notifications/policy',
    summary: 'The same in the old form',
    auth: user('read:notifications'),
    output: V1NotificationPolicy,
    deprecatedSince: outdatedSince,
    read: (ctx, { as }) => notificationPolicyOf(ctx, as),
    show: (_ctx, { found }) => presentOldForm(found),
  }),
  ...updateEndpoints(changeInOldForm),
]

function given<K extends string>(key: K, action: PolicyAction | undefined): Partial<Record<K, PolicyAction>> {
  const empty: Partial<Record<K, PolicyAction>> = {}
  return action === undefined ? empty : { ...empty, [key]: action }
}

function actionOf(flag: boolean | undefined): PolicyAction | undefined {
  return flag === undefined ? undefined : flag ? 'filter' : 'accept'
}

function presentPolicy({ policy, pending }: PolicyFacts): NotificationPolicy {
  return {
    for_not_following: policy.notFollowing,
    for_not_followers: policy.notFollowers,
    for_new_accounts: policy.newAccounts,
    for_private_mentions: policy.privateMentions,
    for_limited_accounts: policy.limitedAccounts,
    for_bots: policy.bots,
    summary: summaryOf(pending),
  }
}

function presentOldForm({ policy, pending }: PolicyFacts): V1NotificationPolicy {
  return {
    filter_not_following: policy.notFollowing !== 'accept',
    filter_not_followers: policy.notFollowers !== 'accept',
    filter_new_accounts: policy.newAccounts !== 'accept',
    filter_private_mentions: policy.privateMentions !== 'accept',
    filter_bots: policy.bots !== 'accept',
    summary: summaryOf(pending),
  }
}

function summaryOf(pending: PolicyFacts['pending']) {
  return { pending_requests_count: pending.requests, pending_notifications_count: pending.notifications }
}
