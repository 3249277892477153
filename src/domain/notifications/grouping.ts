import type { NotificationType } from '../../db/schema/notifications'

/** The kinds of deeds that are shown as one entry, unless a client wants less. */
export const groupable = [
  'favourite',
  'reblog',
  'follow',
  'admin.sign_up',
] as const satisfies readonly NotificationType[]

export const bucketMilliseconds = 12 * 3_600_000

/** The part of a group's key that says when: deeds of the same twelve hours stand together. */
export function bucketAt(now: Date): number {
  return Math.floor(now.getTime() / bucketMilliseconds)
}
