import type { AccountId, NotificationId, StatusId, TokenId } from '../lib/ids'

/**
 * Events for connected clients only; published once after commit, if anyone is subscribed. Live events skip the
 * outbox: a client that missed one reads the API. Every kind has its audience in domain/streams/find-audience.ts and
 * its messages in streaming/publish.ts, both exhaustive.
 */
export type LiveEvent =
  | { readonly kind: 'status.posted'; readonly statusId: StatusId }
  | { readonly kind: 'status.edited'; readonly statusId: StatusId }
  // The audience is read before the status is deleted.
  | { readonly kind: 'status.removed'; readonly statusId: StatusId }
  | { readonly kind: 'notifications.made'; readonly ids: readonly NotificationId[] }
  // Notification requests were accepted: filtered notifications join the others.
  | { readonly kind: 'notifications.merged'; readonly accountId: AccountId }
  | { readonly kind: 'announcement.published'; readonly announcementId: number }
  | { readonly kind: 'announcement.reacted'; readonly announcementId: number; readonly name: string }
  | { readonly kind: 'announcement.removed'; readonly announcementId: number }
  // Encrypted messages for devices of any account.
  | { readonly kind: 'messages.encrypted'; readonly ids: readonly number[] }
  // Filters of the account changed.
  | { readonly kind: 'filters.changed'; readonly accountId: AccountId }
  // Blocks in either direction, mutes, domain blocks or languages of the account changed.
  | { readonly kind: 'rules.changed'; readonly accountId: AccountId }
  // Role of the account changed, or the account was disabled or suspended.
  | { readonly kind: 'standing.changed'; readonly accountId: AccountId }
  // Operator changed access to public timelines or hashtag timelines.
  | { readonly kind: 'feeds.changed' }
  // Revoked access tokens and ended sessions, whose ids are of one sequence; null: all of the account.
  | {
      readonly kind: 'sessions.ended'
      readonly accountId: AccountId
      readonly tokenIds: readonly (TokenId | number)[] | null
    }
