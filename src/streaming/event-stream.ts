import type { Subscription } from './connection-request'
import type { StreamMessage } from './messages'
import type { StreamClient } from './stream-client'
import {
  type StreamConnection,
  subscriptionsReceiving,
  withChannels,
  withDelivered,
} from './stream-connection'

/** So much may wait for a slow reader, in bytes. */
const maxBufferedBytes = 262_144

interface EventStreamOptions {
  readonly listener: StreamClient
  readonly subscription: Subscription
  readonly at: Date
}

/** An event source: it holds one stream, and its object awake. */
export class EventStream implements StreamConnection {
  readonly openedAt: number
  readonly body: ReadableStream<Uint8Array>
  #listener: StreamClient
  #subscriptions: readonly Subscription[]
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #seen: readonly number[] = []
  readonly #gone: () => void

  /** `gone` is called once, when it is closed by whomever. */
  constructor({ listener, subscription, at }: EventStreamOptions, gone: () => void) {
    this.openedAt = at.getTime()
    this.#listener = listener
    this.#subscriptions = [subscription]
    this.#gone = gone
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
    )
    this.#write(':)\n')
  }

  get client(): StreamClient {
    return this.#listener
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions
  }

  get isOpen(): boolean {
    return this.#controller !== null
  }

  reauthorize(listener: StreamClient, channels: ReadonlyMap<string, string | null>): void {
    this.#listener = listener
    this.#subscriptions = withChannels(this.#subscriptions, channels)
  }

  /**
   * Sends a message as an event of two lines. An event without payload carries an empty object: readers such as
   * Mastodon.py parse the data of every event, and end the stream where it is no JSON.
   */
  send(message: StreamMessage): void {
    const heard = subscriptionsReceiving(this, message, this.#seen)
    for (const _ of heard) this.#write(`event: ${message.event}\ndata: ${message.payload ?? '{}'}\n\n`)
    this.#seen = withDelivered(
      this.#seen,
      heard.map(({ mark }) => mark),
    )
  }

  /** Tells the reader, and whatever lies between, that the line is open. */
  sendHeartbeat(): void {
    this.#write(':thump\n')
  }

  end(): void {
    const controller = this.#controller
    this.#leave()
    controller?.close()
  }

  /** A reader who lets too much pile up gets what there is, and no more. */
  #write(text: string): void {
    const controller = this.#controller
    if (controller === null) return
    if ((controller.desiredSize ?? 0) > 0) controller.enqueue(new TextEncoder().encode(text))
    else this.end()
  }

  #leave(): void {
    if (this.#controller === null) return
    this.#controller = null
    this.#gone()
  }
}
