import { SocketAttachment, type Subscription } from './connection-request'
import type { StreamMessage } from './messages'
import { RateBucket } from './rate-bucket'
import { SerialQueue } from './serial-queue'
import type { StreamClient } from './stream-client'
import {
  type StreamConnection,
  subscriptionsReceiving,
  withChannels,
  withDelivered,
} from './stream-connection'

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
