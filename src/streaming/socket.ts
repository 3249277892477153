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

/** Mastodon's web client opens one for each column; nobody has use for more. */
const mostSubscriptions = 40
/**
 * An attachment may have 16 KiB, and text takes up to two bytes a letter: 8,190 letters, of which marks take 1,100 and
 * the listener 1,300 at most.
 */
const mostLetters = 5_500
/** What a client may say: bursts when it starts, and then now and then. */
const frames = { most: 100, perSecond: 10 }
/**
 * What a client is sent. The platform does not tell how much of it a slow reader has yet to take, and keeps all of
 * that in memory: so what is sent is bounded, far above what people can follow.
 */
const bytes = { most: 1_048_576, perSecond: 131_072 }

/** Codes of RFC 6455. */
export const normalClosure = 1000
export const unsupportedData = 1003
export const policyViolation = 1008
export const messageTooBig = 1009
export const internalError = 1011

const placeholderClient: StreamClient = { accountId: 0, tokenId: 0, scopes: [], permissions: 0 }

/** A socket that may sleep: everything it has to remember is attached to it. */
export class Socket implements StreamConnection {
  readonly #ws: WebSocket
  #attached: SocketAttachment
  readonly #said = new RateBucket(frames)
  readonly #sent = new RateBucket(bytes)
  #isGone = false
  /** What the client asks for is done one after the other. */
  readonly turns = new SerialQueue()

  private constructor(ws: WebSocket, attached: SocketAttachment) {
    this.#ws = ws
    this.#attached = attached
  }

  static open(ws: WebSocket, listener: StreamClient, now: Date): Socket {
    const socket = new Socket(ws, { listener, openedAt: now.getTime(), subscriptions: [], seen: [] })
    socket.#keep({})
    return socket
  }

  /** As it was before its object slept; one that cannot be known again is closed. */
  static wake(ws: WebSocket): Socket {
    const kept: unknown = ws.deserializeAttachment()
    const known = SocketAttachment.safeParse(typeof kept === 'string' ? JSON.parse(kept) : null)
    if (known.success) return new Socket(ws, known.data)
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
    return !this.#isGone && this.#ws.readyState === WebSocket.OPEN
  }

  has(id: string): boolean {
    return this.subscriptions.some((one) => one.id === id)
  }

  /** False where there is no room for one more. */
  add(subscription: Subscription): boolean {
    const subscriptions = [...this.subscriptions, subscription]
    if (subscriptions.length > mostSubscriptions) return false
    if (JSON.stringify(subscriptions).length > mostLetters) return false
    this.#keep({ subscriptions })
    return true
  }

  remove(id: string): void {
    this.#keep({ subscriptions: this.subscriptions.filter((one) => one.id !== id) })
  }

  reauthorize(listener: StreamClient, channels: ReadonlyMap<string, string | null>): void {
    this.#keep({ listener, subscriptions: withChannels(this.subscriptions, channels) })
  }

  /** Counts a frame of the client; false when there were too many. */
  hasFrameQuota(now: Date): boolean {
    return this.#said.tryTake(1, now)
  }

  send(message: StreamMessage, now: Date): void {
    const heard = subscriptionsReceiving(this, message, this.#attached.seen)
    for (const { subscription } of heard) {
      const { event, payload } = message
      const text = { stream: subscription.name, event, ...(payload === null ? {} : { payload }) }
      this.sendObject(text, now)
    }
    const marks = heard.map(({ mark }) => mark)
    if (marks.length > 0) this.#keep({ seen: withDelivered(this.#attached.seen, marks) })
  }

  /** Sends an object as text; one who has been sent too much to have read it is cut off. */
  sendObject(content: object, now: Date): void {
    if (!this.isOpen) return
    const text = JSON.stringify(content)
    if (this.#sent.tryTake(text.length, now)) this.#ws.send(text)
    else this.end(policyViolation, 'Too slow')
  }

  end(code: number, reason: string): void {
    if (this.isOpen) this.#ws.close(code, reason)
  }

  /** The other side has gone, whatever the socket says of itself while its end is told. */
  markGone(): void {
    this.#isGone = true
    // A sleeping object has to answer for itself: unanswered, the other side would wait until it is cut off.
    this.#ws.close(normalClosure)
  }

  #keep(change: Partial<SocketAttachment>): void {
    this.#attached = { ...this.#attached, ...change }
    if (this.isOpen) this.#ws.serializeAttachment(JSON.stringify(this.#attached))
  }
}
