import { grants } from '../domain/sessions/scopes'
import { SocketAttachment, type Subscription } from './connection-request'
import { SerialQueue } from './fan-out'
import type { StreamClient, StreamMessage } from './messages'

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
function subscriptionsReceiving(
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

function withChannels(
  subscriptions: readonly Subscription[],
  channels: ReadonlyMap<string, string | null>,
): Subscription[] {
  return subscriptions.map((one) => {
    const channel = channels.get(one.id)
    return channel === undefined ? one : { ...one, channel }
  })
}

/** Adds delivery hashes and drops the oldest. */
function withDelivered(seen: readonly number[], hashes: readonly number[]): number[] {
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

/** Token bucket: admits a burst at once, and a fixed amount per second from then on. */
class RateBucket {
  readonly #most: number
  readonly #perSecond: number
  #left: number
  #at: number | null = null

  constructor({ most, perSecond }: { readonly most: number; readonly perSecond: number }) {
    this.#most = most
    this.#perSecond = perSecond
    this.#left = most
  }

  /** Takes `amount`; false if that is more than is left. */
  tryTake(amount: number, now: Date): boolean {
    const at = now.getTime()
    const gained = (Math.max(0, at - (this.#at ?? at)) / 1_000) * this.#perSecond
    this.#left = Math.min(this.#most, this.#left + gained)
    this.#at = at
    if (amount > this.#left) return false
    this.#left -= amount
    return true
  }
}

/** Mastodon's web client subscribes to one stream per column; no client needs more. */
const maxSubscriptions = 40
/**
 * An attachment may have 16 KiB, and text takes up to two bytes a character: 8,190 characters, of which hashes
 * take 1,100 and the client 1,300 at most.
 */
const maxCharacters = 5_500
/** Limit of client frames: a burst at start, then occasional ones. */
const frames = { most: 100, perSecond: 10 }
/**
 * Limit of bytes sent. The platform does not expose how much a slow reader has yet to receive, and buffers all
 * of it in memory: so output is bounded, far above what people can follow.
 */
const bytes = { most: 1_048_576, perSecond: 131_072 }

/** Close codes of RFC 6455. */
export const normalClosure = 1000
export const unsupportedData = 1003
export const policyViolation = 1008
export const messageTooBig = 1009
export const internalError = 1011

const placeholderClient: StreamClient = {
  accountId: 0,
  kind: 'token',
  tokenId: 0,
  scopes: [],
  permissions: 0,
}

/** A socket that may hibernate: its whole state is attached to it. */
export class Socket implements StreamConnection {
  readonly #ws: WebSocket
  #attached: SocketAttachment
  readonly #frameQuota = new RateBucket(frames)
  readonly #byteQuota = new RateBucket(bytes)
  #isClosed = false
  /** Handles client frames one after the other. */
  readonly turns = new SerialQueue()

  private constructor(ws: WebSocket, attached: SocketAttachment) {
    this.#ws = ws
    this.#attached = attached
  }

  static open(ws: WebSocket, client: StreamClient, now: Date): Socket {
    const socket = new Socket(ws, { listener: client, openedAt: now.getTime(), subscriptions: [], seen: [] })
    socket.#attach({})
    return socket
  }

  /** Restores a socket after hibernation; closes it if its attachment cannot be parsed. */
  static wake(ws: WebSocket): Socket {
    const attachment: unknown = ws.deserializeAttachment()
    const parsed = SocketAttachment.safeParse(typeof attachment === 'string' ? JSON.parse(attachment) : null)
    if (parsed.success) return new Socket(ws, parsed.data)
    const socket = new Socket(ws, { listener: placeholderClient, openedAt: 0, subscriptions: [], seen: [] })
    socket.end(internalError, 'Try again')
    return socket
  }

  get client(): StreamClient {
    return this.#attached.listener
  }

  get openedAt(): number {
    return this.#attached.openedAt
  }

  get subscriptions(): readonly Subscription[] {
    return this.#attached.subscriptions
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#ws.readyState === WebSocket.OPEN
  }

  has(id: string): boolean {
    return this.subscriptions.some((one) => one.id === id)
  }

  /** Adds a subscription; false if the attachment has no room for it. */
  add(subscription: Subscription): boolean {
    const subscriptions = [...this.subscriptions, subscription]
    if (subscriptions.length > maxSubscriptions) return false
    if (JSON.stringify(subscriptions).length > maxCharacters) return false
    this.#attach({ subscriptions })
    return true
  }

  remove(id: string): void {
    this.#attach({ subscriptions: this.subscriptions.filter((one) => one.id !== id) })
  }

  reauthorize(client: StreamClient, channels: ReadonlyMap<string, string | null>): void {
    this.#attach({ listener: client, subscriptions: withChannels(this.subscriptions, channels) })
  }

  /** Counts a client frame; false above the rate limit. */
  hasFrameQuota(now: Date): boolean {
    return this.#frameQuota.tryTake(1, now)
  }

  send(message: StreamMessage, now: Date): void {
    const receiving = subscriptionsReceiving(this, message, this.#attached.seen)
    for (const { subscription } of receiving) {
      const { event, payload } = message
      const text = { stream: subscription.name, event, ...(payload === null ? {} : { payload }) }
      this.sendObject(text, now)
    }
    const hashes = receiving.map(({ hash }) => hash)
    if (hashes.length > 0) this.#attach({ seen: withDelivered(this.#attached.seen, hashes) })
  }

  /** Sends an object as text; closes the socket of a client above the byte limit. */
  sendObject(content: object, now: Date): void {
    if (!this.isOpen) return
    const text = JSON.stringify(content)
    if (this.#byteQuota.tryTake(text.length, now)) this.#ws.send(text)
    else this.end(policyViolation, 'Too slow')
  }

  end(code: number, reason: string): void {
    if (this.isOpen) this.#ws.close(code, reason)
  }

  /** Marks the other side as closed, whatever `readyState` says while the close event is handled. */
  markGone(): void {
    this.#isClosed = true
    // A hibernating object has to answer the close itself: otherwise the client would wait until it is cut off.
    this.#ws.close(normalClosure)
  }

  #attach(change: Partial<SocketAttachment>): void {
    this.#attached = { ...this.#attached, ...change }
    if (this.isOpen) this.#ws.serializeAttachment(JSON.stringify(this.#attached))
  }
}
