import * as z from 'zod'
import { normalClosure, policyViolation } from './socket'

/** Maximum size of the buffer for a slow reader, in bytes. */
const maxBufferedBytes = 262_144
const heartbeatMilliseconds = 15_000
/**
 * Longest life of an event source. The time a Worker may compute counts for the whole of it: the stream ends in good
 * order before the platform cuts it off.
 */
const lifeMilliseconds = 6 * 3_600_000
/** Time after which readers of an ended stream return. */
const reconnectionMilliseconds = 3_000

/** Messages that a connection object sends over the socket of an event source. */
const Message = z.object({ event: z.string(), payload: z.string().optional() })

/**
 * A stream of server-sent events, made from a socket to a connection object. The object sleeps between events; the
 * Worker that holds the stream is not billed while it waits.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #socket: WebSocket
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  readonly #heartbeat: ReturnType<typeof setInterval>
  readonly #life: ReturnType<typeof setTimeout>

  constructor(socket: WebSocket) {
    this.#socket = socket
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        cancel: () => this.#close(normalClosure),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
    )
    this.#heartbeat = setInterval(() => this.#write(':thump\n'), heartbeatMilliseconds)
    this.#life = setTimeout(() => this.#expire(), lifeMilliseconds)
    this.#write(':)\n')
    socket.addEventListener('message', ({ data }) => this.#send(String(data)))
    socket.addEventListener('close', () => this.#end(normalClosure))
    socket.addEventListener('error', () => this.#end(normalClosure))
    socket.accept()
  }

  /**
   * Sends a message as an event of two lines. An event without payload carries an empty object: readers such as
   * Mastodon.py parse the data of every event, and end the stream if it is not JSON.
   */
  #send(text: string): void {
    const { event, payload } = Message.parse(JSON.parse(text))
    this.#write(`event: ${event}\ndata: ${payload ?? '{}'}\n\n`)
  }

  /** Ends the stream, and says when to return. A block of its own would be an event to some readers. */
  #expire(): void {
    this.#write(`retry: ${reconnectionMilliseconds}\n`)
    this.#end(normalClosure)
  }

  /** Writes text, or ends the stream if a slow reader's buffer is full. */
  #write(text: string): void {
    const controller = this.#controller
    if (controller === null) return
    if ((controller.desiredSize ?? 0) > 0) controller.enqueue(new TextEncoder().encode(text))
    else this.#end(policyViolation)
  }

  #end(code: number): void {
    const controller = this.#controller
    this.#close(code)
    controller?.close()
  }

  #close(code: number): void {
    if (this.#controller === null) return
    this.#controller = null
    clearInterval(this.#heartbeat)
    clearTimeout(this.#life)
    this.#socket.close(code)
  }
}
