import type { Config } from '../../config'
import type {
  GroupedNotificationsResults,
  Notification,
  NotificationGroup,
} from '../../contract/entities/notification'
import type { NotificationType } from '../../contract/notification-kinds'
import { htmlToText } from '../../lib/html'
import { type PersonView, type PostView, personView, postView } from './post-view'

/** Kinds that this page has a sentence of its own for; others bring one along. */
export const knownTypes = [
  'mention',
  'status',
  'quote',
  'reblog',
  'favourite',
  'follow',
  'follow_request',
  'poll',
  'update',
  'quoted_update',
  'admin.sign_up',
] as const satisfies readonly NotificationType[]
export type KnownType = (typeof knownTypes)[number]

/** A group of notifications as pages show it. */
export interface GroupView {
  readonly key: string
  readonly newestId: number
  readonly type: KnownType | null
  /** The latest people of the group, at most eight. */
  readonly people: readonly PersonView[]
  readonly count: number
  readonly at: Date
  /** The post it is about. */
  readonly post: PostView | null
  /** Sentence of a kind that is not known here. */
  readonly sentence: string | null
}

export interface GroupToShow {
  readonly group: NotificationGroup
  readonly readerId: number
}

/** The view of a group; null where there is neither a sentence nor people for it. */
export function groupView(
  config: Config,
  { accounts, statuses }: Pick<GroupedNotificationsResults, 'accounts' | 'statuses'>,
  { group, readerId }: GroupToShow,
): GroupView | null {
  const type = knownTypes.find((one) => one === group.type) ?? null
  const people = group.sample_account_ids.flatMap((id) => {
    const account = accounts.find((one) => one.id === id)
    if (account === undefined) return []
    return [personView(config, account)]
  })
  const status = statuses.find(({ id }) => id === group.status_id)
  const sentence = group.fallback === undefined ? null : htmlToText(group.fallback.title)
  if (type === null && sentence === null) return null
  if (type !== null && people.length === 0) return null
  return {
    key: group.group_key,
    newestId: Number(group.most_recent_notification_id),
    type,
    people,
    count: group.notifications_count,
    at: new Date(group.latest_page_notification_at ?? 0),
    post: status === undefined ? null : postView(config, status, readerId),
    sentence,
  }
}

/** The view of a single notification; null where there is no sentence for it. */
export function notificationView(
  config: Config,
  notification: Notification,
  readerId: number,
): GroupView | null {
  const { id, group_key: key, account, status, fallback } = notification
  const type = knownTypes.find((one) => one === notification.type) ?? null
  const sentence = fallback === undefined ? null : htmlToText(fallback.title)
  if (type === null && sentence === null) return null
  return {
    key,
    newestId: Number(id),
    type,
    people: [personView(config, account)],
    count: 1,
    at: new Date(notification.created_at),
    post: status == null ? null : postView(config, status, readerId),
    sentence,
  }
}
