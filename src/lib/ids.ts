declare const concept: unique symbol

/** An id of one concept. Plain numbers are accepted as parameters; ids of two concepts never mix. */
type IdOf<C extends string> = number & { readonly [concept]?: C }

export type AccountId = IdOf<'account'>
export type StatusId = IdOf<'status'>
export type MediaId = IdOf<'media'>
export type PollId = IdOf<'poll'>
export type ApplicationId = IdOf<'application'>
export type ScheduledId = IdOf<'scheduled status'>
export type TokenId = IdOf<'token'>
export type PushSubscriptionId = IdOf<'push subscription'>
export type NotificationId = IdOf<'notification'>
export type CardId = IdOf<'card'>
export type TagId = IdOf<'tag'>
export type CollectionId = IdOf<'collection'>
export type CollectionItemId = IdOf<'collectionItem'>
export type InviteId = IdOf<'invite'>
export type RoleId = IdOf<'role'>
export type ListId = IdOf<'list'>
export type SavedReplyId = IdOf<'saved reply'>
export type FilterId = IdOf<'filter'>
export type FilterKeywordId = IdOf<'filter keyword'>
export type FilterStatusId = IdOf<'filter status'>
export type RelayId = IdOf<'relay'>
export type WebhookId = IdOf<'webhook'>
export type WebhookDeliveryId = IdOf<'webhook delivery'>

/** Epoch of ids, in milliseconds, so that they fit 53 bits until 2076. */
export const idEpoch = Date.UTC(2007, 0, 1)

const lowRange = 4096

/**
 * An id whose order is the order of `at`.
 *
 * `low` (0 to 4095, random) distinguishes ids of one millisecond that were made by different isolates.
 */
export function idAt(at: Date, low: number): number {
  return Math.max(0, at.getTime() - idEpoch) * lowRange + (low % lowRange)
}

/**
 * Generates ids for one isolate. Those of one millisecond follow each other from a random start: the clock of a
 * Worker stands still while it computes, and of a hundred random ids in one millisecond two would likely clash.
 */
export function idSequence(random: () => number): (at: Date) => number {
  let last = { time: Number.NaN, id: 0 }
  return (at) => {
    const time = at.getTime()
    last = { time, id: time === last.time ? last.id + 1 : idAt(at, random()) }
    return last.id
  }
}

/** The smallest id of the millisecond `at`: everything at or after `at` has an id not below it. */
export function firstIdAt(at: Date): number {
  return idAt(at, 0)
}

/** Id as text, as the API has it; null for none. */
export function idText(id: number | null | undefined): string | null {
  return id == null ? null : String(id)
}

/** Creation time of an id, to the millisecond. */
export function instantOf(id: number): Date {
  return new Date(Math.floor(id / lowRange) + idEpoch)
}
