import { grants } from '../domain/sessions/scopes'
import type { Subscription } from './connection-request'
import type { StreamMessage } from './messages'
import type { StreamClient } from './stream-client'

/** An open connection: the socket of a client, or of the Worker that serves an event source. */
export interface StreamConnection {
  readonly client: StreamClient
  readonly subscriptions: readonly Subscription[]
  readonly isOpen: boolean
  /** Unix time in milliseconds. */
  readonly openedAt: number
  /** Replaces the client's rights, and the channels of these subscriptions. */
  reauthorize(client: StreamClient, channels: ReadonlyMap<string, string | null>): void
  /** Sends the message once on each stream it is for. */
  send(message: StreamMessage, now: Date): void
  /** Closes the connection for good, with a WebSocket close code. */
  end(code: number, reason: string): void
}

/** Number of messages that may pass between the first and the last delivery attempt of one. */
const remembered = 64

/** The subscriptions that receive a message, each with the hash that marks it as delivered. */
export function subscriptionsReceiving(
  { client, subscriptions }: Pick<StreamConnection, 'client' | 'subscriptions'>,
  message: StreamMessage,
  seen: readonly number[],
) {
  const isNotice = message.event === 'notification' || message.event === 'notifications_merged'
  if (isNotice && !grants(client.scopes, 'read:notifications')) return []
  if (message.tokenId !== undefined && message.tokenId !== client.tokenId) return []
  return subscriptions
    .filter(({ channel }) => channel !== null && message.channels.includes(channel))
    .map((subscription) => ({ subscription, hash: deliveryHash(`${subscription.id} ${message.key}`) }))
    .filter(({ hash }) => !seen.includes(hash))
}

export function withChannels(
  subscriptions: readonly Subscription[],
  channels: ReadonlyMap<string, string | null>,
): Subscription[] {
  return subscriptions.map((one) => {
    const channel = channels.get(one.id)
    return channel === undefined ? one : { ...one, channel }
  })
}

/** Adds delivery hashes and drops the oldest. */
export function withDelivered(seen: readonly number[], hashes: readonly number[]): number[] {
  return [...seen, ...hashes].slice(-remembered)
}

/** 52-bit hash of a text: short enough for an attachment, long enough to avoid collisions among the few kept. */
function deliveryHash(text: string): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d)
  high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35) ^ low
  return (high >>> 12) * 2 ** 32 + (low >>> 0)
}
