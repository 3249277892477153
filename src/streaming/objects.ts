import type { AccountId } from '../lib/ids'
import type { StreamMessage } from './messages'
import type { AddressedOrders, Orders } from './orders'

/** The object that holds the connections of one account. */
export interface ConnectionCalls {
  /** Opens a socket, also that of an event source; the request is one of `connection-request.ts`. */
  fetch(request: Request): Promise<Response>
  /**
   * Does what the orders say, and sends their messages to the subscribers of their channels. Messages delivered
   * twice under one key are sent once.
   */
  handle(orders: Orders): Promise<DeliveryOutcome>
}

/** Whether any connection subscribes to one of the channels; also `heard` without messages. */
export type DeliveryOutcome = 'heard' | 'nobody'

/** The object of one shared stream, or a branch. */
export interface TopicCalls {
  join(accountId: AccountId): Promise<void>
  leave(accountId: AccountId): Promise<void>
  /** Delivers messages to every subscriber. */
  spread(messages: readonly StreamMessage[]): Promise<void>
  /** Hands over orders, as a branch. Returns the accounts that had no connection for their messages. */
  distribute(orders: readonly AddressedOrders[]): Promise<readonly AccountId[]>
}

/** Access to the stream objects. */
export interface StreamObjects {
  connection(accountId: AccountId): ConnectionCalls
  topic(channel: string): TopicCalls
}

/**
 * The calls to stream objects that publishing needs. Each call gets a new stub: a broken one stays broken.
 */
export interface CalledObjects {
  connection(accountId: AccountId): Pick<ConnectionCalls, 'handle'>
  topic(channel: string): Pick<TopicCalls, 'spread' | 'distribute'>
}
