import { groupedTypes, notificationKind } from '../../contract/notification-kinds'

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
