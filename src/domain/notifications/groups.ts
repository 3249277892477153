import type { NotificationType } from '../../db/schema/notifications'
import type { AccountId, NotificationId } from '../../lib/ids'
import { bucketMilliseconds } from './grouping'

/** What of a notification decides where it stands. */
export interface GroupMember {
  readonly id: NotificationId
  readonly type: NotificationType
  readonly from: AccountId
  readonly groupKey: string | null
}

/** Notifications of one kind about one thing that fall into the same hours. */
export interface NotificationGroup {
  readonly key: string
  /** Newest first. */
  readonly members: readonly GroupMember[]
}

const alone = /^ungrouped-(\d{1,16})$/

/** The key under which a notification is shown. */
export function groupKeyOf(
  { id, type, groupKey }: GroupMember,
  grouped: readonly NotificationType[],
): string {
  return groupKey !== null && grouped.includes(type) ? groupKey : `ungrouped-${id}`
}

/** The notification a key stands for by itself; null for the key of a group. */
export function ungroupedId(key: string): NotificationId | null {
  const [, id] = alone.exec(key) ?? []
  return id === undefined ? null : Number(id)
}

/**
 * Notifications, newest first, as groups by their newest member. Groups that have no member from `low` on belong to
 * an earlier page.
 */
export function groupMembers(
  members: readonly GroupMember[],
  grouped: readonly NotificationType[],
  low: NotificationId,
): readonly NotificationGroup[] {
  const newestFirst = members.toSorted((a, b) => b.id - a.id)
  return [...Map.groupBy(newestFirst, (member) => groupKeyOf(member, grouped))]
    .map(([key, all]) => ({ key, members: all }))
    .filter(({ members: [newest] }) => newest !== undefined && newest.id >= low)
}

/** How many of those who did the same are named. */
const sampleSize = 8

/** A group in figures; `low` is where the page it stands on ends. */
export function summaryOf({ key, members }: NotificationGroup, low: NotificationId = 0) {
  return {
    ...{ key, count: members.length, newestId: members[0]?.id ?? 0 },
    oldestOnPageId: members.findLast(({ id }) => id >= low)?.id ?? 0,
    /** The latest who did it, each once. */
    sampleIds: [...new Set(members.map(({ from }) => from))].slice(0, sampleSize),
  }
}

/** When the notifications of a group were made, from its key; null for what is no key of a group. */
export function timeRangeOf(key: string): { readonly from: Date; readonly until: Date } | null {
  const [, digits] = /^(?:follow|admin\.sign_up|(?:favourite|reblog)-\d{1,16})-(\d{1,9})$/.exec(key) ?? []
  if (digits === undefined) return null
  const from = Number(digits) * bucketMilliseconds
  return { from: new Date(from), until: new Date(from + bucketMilliseconds) }
}
