import { groupedTypes, type NotificationType, notificationKind } from '../../contract/notification-kinds'
import type { AccountId, NotificationId } from '../../lib/ids'

/** Columns of a notification that decide its group. */
export interface GroupMember {
  readonly id: NotificationId
  readonly type: NotificationType
  readonly from: AccountId
  readonly groupKey: string | null
}

/** Notifications of one kind about one subject within the same twelve hours. */
export interface NotificationGroup {
  readonly key: string
  /** Newest first. */
  readonly members: readonly GroupMember[]
}

const alone = /^ungrouped-(\d{1,16})$/

/** Group key under which a notification is shown. */
export function groupKeyOf(
  { id, type, groupKey }: GroupMember,
  grouped: readonly NotificationType[],
): string {
  return groupKey !== null && grouped.includes(type) ? groupKey : `ungrouped-${id}`
}

/** Notification that an `ungrouped-` key stands for; null for the key of a group. */
export function ungroupedId(key: string): NotificationId | null {
  const [, id] = alone.exec(key) ?? []
  return id === undefined ? null : Number(id)
}

/**
 * Groups notifications, ordered by the newest member. Groups without a member from `low` on are left out: they belong
 * to an earlier page.
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

/** Senders listed for each group. */
const sampleSize = 8

/** Summarises a group; `low` is the end of its page. */
export function summaryOf({ key, members }: NotificationGroup, low: NotificationId = 0) {
  return {
    key,
    count: members.length,
    newestId: members[0]?.id ?? 0,
    oldestOnPageId: members.findLast(({ id }) => id >= low)?.id ?? 0,
    /** Latest distinct senders. */
    sampleIds: [...new Set(members.map(({ from }) => from))].slice(0, sampleSize),
  }
}

/** Span of time in which the members of a group were created, from its key; null for an invalid key. */
export function timeRangeOf(key: string): { readonly from: Date; readonly until: Date } | null {
  const [, digits] = groupKeyPattern.exec(key) ?? []
  if (digits === undefined) return null
  const from = Number(digits) * bucketMilliseconds
  return { from: new Date(from), until: new Date(from + bucketMilliseconds) }
}

/** Length of the span within which notifications are grouped. */
export const bucketMilliseconds = 12 * 3_600_000

/** Number of the twelve hours that `now` falls into; part of a group's key. */
export function bucketAt(now: Date): number {
  return Math.floor(now.getTime() / bucketMilliseconds)
}

const typesGrouped = (grouping: 'by-time' | 'by-status') =>
  groupedTypes
    .filter((type) => notificationKind(type).grouping === grouping)
    .map((type) => type.replaceAll('.', '\\.'))
    .join('|')

/** Key of a group: type, id of the status where the kind is grouped by status, and bucket. */
export const groupKeyPattern = new RegExp(
  String.raw`^(?:(?:${typesGrouped('by-time')})|(?:${typesGrouped('by-status')})-\d{1,16})-(\d{1,9})$`,
)
