import type { AccountId, TokenId } from '../lib/ids'
import type { StreamMessage } from './messages'

/** The object that holds the connections of one person. */
export interface ConnectionCalls {
  /** Opens a socket or an event source; the request is one of `calls.ts`. */
  fetch(request: Request): Promise<Response>
  /** Hands messages to whoever listens to their channels. Told twice under one key they are sent once. */
  deliver(messages: readonly StreamMessage[]): Promise<DeliveryOutcome>
  /** Blocks, mutes, languages, filters or lists of the person are others than before. */
  forgetRules(): Promise<void>
  /** Closes the connections of these tokens; null: all there are. */
  end(tokenIds: readonly TokenId[] | null): Promise<void>
  /** Closes what may no longer be open, after the standing or the role of the person changed, or what is shown to whom. */
  recheck(): Promise<void>
}

/** Was somebody there to hear one of them? */
export type DeliveryOutcome = 'heard' | 'nobody'

/** The object of one shared stream. */
export interface TopicCalls {
  join(accountId: AccountId): Promise<void>
  leave(accountId: AccountId): Promise<void>
  /** Hands a message on to everybody who listens. */
  spread(message: StreamMessage): Promise<void>
}

/** Where the objects are reached. */
export interface StreamObjects {
  connection(accountId: AccountId): ConnectionCalls
  topic(channel: string): TopicCalls
}
