import type { Subscription } from './connection-request'
import type { StreamMessage } from './messages'
import type { StreamClient } from './stream-client'
import {
  type StreamConnection,
  subscriptionsReceiving,
  withChannels,
  withDelivered,
} from './stream-connection'

/** Maximum size of the buffer for a slow reader, in bytes. */
const maxBufferedBytes = 262_144

interface EventStreamOptions {
  readonly listener: StreamClient
  readonly subscription: Subscription
  readonly at: Date
}

/** A server-sent event connection: serves one stream, and keeps its object awake. */
export class EventStream implements StreamConnection {
  readonly openedAt: number
  readonly body: ReadableStream<Uint8Array>
  #client: StreamClient
  #subscriptions: readonly Subscription[]
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #seen: readonly number[] = []
  readonly #onClose: () => void

  /** Creates the stream. `onClose` is called once, when either side closes it. */
  constructor({ listener, subscription, at }: EventStreamOptions, onClose: () => void) {
    this.openedAt = at.getTime()
    this.#client = listener
    this.#subscriptions = [subscription]
    this.#onClose = onClose
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
    )
    this.#write(':)\n')
  }

  get client(): StreamClient {
    return this.#client
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions
  }

  get isOpen(): boolean {
    return this.#controller !== null
  }

  reauthorize(client: StreamClient, channels: ReadonlyMap<string, string | null>): void {
    this.#client = client
    this.#subscriptions = withChannels(this.#subscriptions, channels)
  }

  /**
   * Sends a message as an event of two lines. An event without payload carries an empty object: readers such as
   * Mastodon.py parse the data of every event, and end the stream if it is not JSON.
   */
  send(message: StreamMessage): void {
    const receiving = subscriptionsReceiving(this, message, this.#seen)
    for (const _ of receiving) this.#write(`event: ${message.event}\ndata: ${message.payload ?? '{}'}\n\n`)
    this.#seen = withDelivered(
      this.#seen,
      receiving.map(({ hash }) => hash),
    )
  }

  /** Sends a comment line that keeps the connection alive through proxies. */
  sendHeartbeat(): void {
    this.#write(':thump\n')
  }

  end(): void {
    const controller = this.#controller
    this.#close()
    controller?.close()
  }

  /** Writes text, or closes the stream if a slow reader's buffer is full. */
  #write(text: string): void {
    const controller = this.#controller
    if (controller === null) return
    if ((controller.desiredSize ?? 0) > 0) controller.enqueue(new TextEncoder().encode(text))
    else this.end()
  }

  #close(): void {
    if (this.#controller === null) return
    this.#controller = null
    this.#onClose()
  }
}
