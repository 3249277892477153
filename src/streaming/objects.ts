import type { AccountId, TokenId } from '../lib/ids'
import type { StreamMessage } from './messages'

/** The object that holds the connections of one account. */
export interface ConnectionCalls {
  /** Opens a socket or an event source; the request is one of `connection-request.ts`. */
  fetch(request: Request): Promise<Response>
  /**
   * Sends messages to the subscribers of their channels. Messages delivered twice under one key are sent once.
   */
  deliver(messages: readonly StreamMessage[]): Promise<DeliveryOutcome>
  /** Invalidates the cached rules after a change of blocks, mutes, languages, filters or lists. */
  forgetRules(): Promise<void>
  /** Closes the connections of these tokens; null: every connection. */
  end(tokenIds: readonly TokenId[] | null): Promise<void>
  /**
   * Closes connections that are no longer allowed, after a change of the account's status or role, or of feed
   * access.
   */
  recheck(): Promise<void>
}

/** Whether any connection subscribes to one of the channels. */
export type DeliveryOutcome = 'heard' | 'nobody'

/** The object of one shared stream. */
export interface TopicCalls {
  join(accountId: AccountId): Promise<void>
  leave(accountId: AccountId): Promise<void>
  /** Delivers a message to every subscriber. */
  spread(message: StreamMessage): Promise<void>
}

/** Access to the stream objects. */
export interface StreamObjects {
  connection(accountId: AccountId): ConnectionCalls
  topic(channel: string): TopicCalls
}
