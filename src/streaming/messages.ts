import type { InvolvedAccount } from '../domain/policy/blocks-and-mutes'
import type { Filterable } from '../lib/filters/compiled'
import type { AccountId, TokenId } from '../lib/ids'

/** What happens on a stream, as clients know it. */
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

/** One event on its way to the connections of one person, or to everybody who listens to a shared stream. */
export interface StreamMessage {
  /** Names the event for good: a socket that got it does not get it again on the same channel. */
  readonly key: string
  readonly event: StreamEvent
  /** JSON or plain text, as the event has it; null where it has none. */
  readonly payload: string | null
  /** The streams it is for, by their names in `channels.ts`. */
  readonly channels: readonly string[]
  /** What the rules and filters of the listener look at; null where nothing is held against them. */
  readonly about: MessageSubject | null
  /** Whose connections it is for alone, where not everybody's who listens. */
  readonly tokenId?: TokenId
}

export interface MessageSubject {
  /** Whose deed or words it is: the author, whoever is shared, the sender of a notification. */
  readonly people: readonly InvolvedAccount[]
  readonly language: string | null
  /** The statuses in the payload, each held against the filters; the one it is about comes first. */
  readonly statuses: readonly StatusInPayload[]
}

/** What a status in the payload says, as filters look at it. */
export interface StatusInPayload extends Filterable {
  /** The keys that lead to it from the payload: none where it is the payload. */
  readonly at: readonly string[]
  /** Whose words these are: of a reblog, the author of what it shares. */
  readonly author: { readonly id: AccountId; readonly domain: string | null }
}
