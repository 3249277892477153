import * as z from 'zod'
import type { Filterable } from '../contract/filters'
import type { InvolvedAccount } from '../domain/policy/blocks-and-mutes'
import { type Caller, mayPost } from '../domain/sessions/find'
import type { AccountId, TokenId } from '../lib/ids'
import { longestMessage, splitWithin } from '../lib/split'

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

/** Work for the object of one account, done in this order; for a topic object, the messages alone. */
export interface Orders {
  /** Whether blocks, mutes, languages, filters or lists changed: the messages are filtered by the new ones. */
  readonly haveRulesChanged: boolean
  /** Tokens whose connections end, for each event about ended sessions; null: every connection. */
  readonly endedSessions: readonly (readonly TokenId[] | null)[]
  /** Whether the account's status, its role or feed access changed: connections no longer allowed are closed. */
  readonly needsRecheck: boolean
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
  needsRecheck: false,
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

/** Whether any connection subscribes to one of the channels; also `delivered` without messages. */
export type DeliveryOutcome = 'delivered' | 'noSubscriber'

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

/** The account of a connection, and the token or session that opened it, with its scopes. */
export const StreamClient = z.object({
  accountId: z.number().int(),
  /** Absent in sockets opened before sessions could. */
  kind: z.enum(['token', 'session']).default('token'),
  /** Id of the token, or of the session. */
  tokenId: z.number().int(),
  scopes: z.array(z.string()).readonly(),
  permissions: z.number().int(),
})
export type StreamClient = Readonly<z.infer<typeof StreamClient>> & {
  readonly accountId: AccountId
  readonly tokenId: TokenId
}

/** The stream client of a caller; null for tokens without an account, and for inactive accounts. */
export function streamClientOf(caller: Caller | null): StreamClient | null {
  if (caller === null || caller.person === null || !mayPost(caller.person)) return null
  const { viewer } = caller.person
  const { id: accountId, permissions } = viewer
  const { kind, scopes } = caller
  return { accountId, kind, tokenId: idOf(caller), scopes, permissions }
}

function idOf(caller: Caller): number {
  return caller.kind === 'token' ? caller.tokenId : caller.sessionId
}
