import type { AccountId, TokenId } from '../lib/ids'
import { longestMessage, splitWithin } from '../lib/split'
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
 * to objects that split again. Of orders with messages of their own a part carries some 60,000 characters, unless that
 * would make too many calls.
 */
export function splitIntoCalls(orders: readonly AddressedOrders[]): readonly (readonly AddressedOrders[])[] {
  if (orders.length <= maxCalls) return orders.map((one) => [one])
  const count = Math.min(maxCalls, Math.ceil(orders.length / maxCalls))
  const most = Math.ceil(orders.length / count)
  const parts = splitWithin(orders, { most, longest: longestMessage, lengthOf: lengthOfOwn() })
  return parts.length <= maxCalls
    ? parts
    : splitWithin(orders, { most, longest: Number.POSITIVE_INFINITY, lengthOf: () => 0 })
}

/** Characters of the messages of orders that no earlier orders have: a call sends an object once. */
function lengthOfOwn(): (orders: AddressedOrders) => number {
  const seen = new Set<StreamMessage>()
  return ({ messages }) => {
    const own = messages.filter((message) => !seen.has(message))
    for (const message of own) seen.add(message)
    return own.reduce((sum, message) => sum + JSON.stringify(message).length, 0)
  }
}
