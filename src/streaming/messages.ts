import type { AccountId, StatusId } from '../lib/ids'

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

/** One event on its way to the connections of one person, or to everybody who listens to a shared stream. */
export interface Message {
  /** Names the event for good: a socket that got it does not get it again on the same channel. */
  readonly key: string
  readonly event: StreamEvent
  /** JSON or plain text, as the event has it; null where it has none. */
  readonly payload: string | null
  /** The streams it is for, by their names in `channels.ts`. */
  readonly channels: readonly string[]
  /** What the rules and filters of the listener look at; null where nothing is held against them. */
  readonly about: About | null
}

export interface About {
  /** Whose deed or words it is: the author, whoever is shared, the sender of a notification. */
  readonly people: readonly {
    readonly id: AccountId
    /** Null for people of this server. */
    readonly domain: string | null
  }[]
  readonly language: string | null
  /** Where in the payload the status lies that filters are held against; null where there is none. */
  readonly statusAt: 'payload' | 'status' | 'last_status' | null
  readonly said: Said | null
}

/** What filters look at in a status. */
export interface Said {
  /** The status, and what it shares. */
  readonly ids: readonly StatusId[]
  readonly content: string
  readonly spoilerText: string
  readonly tags: readonly { readonly name: string }[]
  readonly pollOptions: readonly string[]
  readonly descriptions: readonly (string | null)[]
}
