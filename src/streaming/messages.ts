import type { InvolvedAccount } from '../domain/policy/blocks-and-mutes'
import type { Filterable } from '../lib/filters/compiled'
import type { AccountId, TokenId } from '../lib/ids'

/** Names of stream events, as in Mastodon's API. */
export type StreamEvent =
  | 'update'
  | 'delete'
  | 'status.update'
  | 'notification'
  | 'notifications_merged'
  | 'filters_changed'
  | 'conversation'
  | 'announcement'
  | 'announcement.reaction'
  | 'announcement.delete'
  | 'encrypted_message'

/** An event on its way to the connections of one account, or to every subscriber of a shared stream. */
export interface StreamMessage {
  /** Idempotency key of the event: a socket that got it does not get it again on the same channel. */
  readonly key: string
  readonly event: StreamEvent
  /** JSON or plain text, depending on the event; null for events without payload. */
  readonly payload: string | null
  /** Channels that carry it, by their names in `channels.ts`. */
  readonly channels: readonly string[]
  /** Subject of the subscriber's rules and filters; null if none apply. */
  readonly about: MessageSubject | null
  /** Token whose connections alone receive it; absent for every connection. */
  readonly tokenId?: TokenId
}

export interface MessageSubject {
  /** Accounts the rules apply to: author, reblogged author, sender of a notification. */
  readonly people: readonly InvolvedAccount[]
  readonly language: string | null
  /** The statuses in the payload, each matched against the filters; the main one comes first. */
  readonly statuses: readonly StatusInPayload[]
}

/** Text of a status in the payload, as filters match it. */
export interface StatusInPayload extends Filterable {
  /** Keys that lead to it from the payload; empty for the payload itself. */
  readonly at: readonly string[]
  /** Author of the text: of a reblog, the author of the reblogged status. */
  readonly author: { readonly id: AccountId; readonly domain: string | null }
}
