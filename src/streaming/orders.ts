import type { AccountId, TokenId } from '../lib/ids'
import type { StreamMessage } from './messages'

/** Work for the object of one account, done in this order; for a topic object, the messages alone. */
export interface Orders {
  /** Whether blocks, mutes, languages, filters or lists changed: the messages are filtered by the new ones. */
  readonly haveRulesChanged: boolean
  /** Tokens whose connections end, for each event about ended sessions; null: every connection. */
  readonly endedSessions: readonly (readonly TokenId[] | null)[]
  /** Whether the account's status, its role or feed access changed: connections no longer allowed are closed. */
  readonly isToRecheck: boolean
  readonly messages: readonly StreamMessage[]
}

/** An account, or the channel of a shared stream. */
export type Recipient = AccountId | string

export interface AddressedOrders extends Orders {
  readonly to: Recipient
}

export const noOrders: Orders = {
  haveRulesChanged: false,
  endedSessions: [],
  isToRecheck: false,
  messages: [],
}

/** Orders that deliver messages and nothing else. */
export function delivery(to: Recipient, messages: readonly StreamMessage[]): AddressedOrders {
  return { ...noOrders, to, messages }
}

/**
 * Most calls that one invocation makes. A tenth of what the platform allows: failed calls are made up to three
 * times, and a request has calls of its own.
 */
const maxCalls = 100

/**
 * Splits orders into as many parts as one invocation makes calls. Parts of one go to their recipients, larger ones
 * to objects that split again.
 */
export function splitIntoCalls(orders: readonly AddressedOrders[]): readonly (readonly AddressedOrders[])[] {
  if (orders.length <= maxCalls) return orders.map((one) => [one])
  const count = Math.min(maxCalls, Math.ceil(orders.length / maxCalls))
  const start = (part: number) => Math.floor((part * orders.length) / count)
  return Array.from({ length: count }, (_, part) => orders.slice(start(part), start(part + 1)))
}
