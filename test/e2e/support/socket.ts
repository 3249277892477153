import { inject } from 'vitest'
import WebSocket from 'ws'
import * as z from 'zod'
import { newAddress } from './address'
import { ReceivedEvents } from './received-events'

const Event = z.strictObject({
  stream: z.array(z.string()),
  event: z.string(),
  payload: z.string().optional(),
})
const Refusal = z.strictObject({ error: z.string(), status: z.number().int() })
export type Refusal = z.infer<typeof Refusal>

export interface Ending {
  readonly code: number
  readonly reason: string
}

/** A socket to the streaming API, held against what its documentation says of messages. */
export class Socket extends ReceivedEvents {
  readonly refusals: Refusal[] = []
  /** Settles when it is closed, by whomever. */
  readonly closed: Promise<Ending>
  readonly #ws: WebSocket

  constructor(ws: WebSocket) {
    super()
    this.#ws = ws
    ws.on('message', (data, isBinary) => {
      if (isBinary) throw new Error('Streams are text')
      const message: unknown = JSON.parse(String(data))
      const refusal = Refusal.safeParse(message)
      if (refusal.success) {
        this.refusals.push(refusal.data)
        this.note({ stream: [], event: 'error', payload: refusal.data.error })
        return
      }
      const { stream, event, payload = null } = Event.parse(message)
      this.note({ stream, event, payload })
    })
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
    })
  }

  /** The subprotocol that was agreed on. */
  get protocol(): string {
    return this.#ws.protocol
  }

  get isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  send(data: string | Uint8Array): void {
    this.#ws.send(data)
  }

  subscribe(stream: string, of: Readonly<Record<string, string>> = {}): void {
    this.send(JSON.stringify({ type: 'subscribe', stream, ...of }))
  }

  unsubscribe(stream: string, of: Readonly<Record<string, string>> = {}): void {
    this.send(JSON.stringify({ type: 'unsubscribe', stream, ...of }))
  }

  /** Waits until all that was said so far is done: it is done in its order, and a refusal is an answer. */
  async settled(): Promise<void> {
    const said = () => this.refusals.filter(({ error }) => error === 'Unknown stream type').length
    const before = said()
    this.subscribe('nowhere')
    await this.until('answer to the fence', () => said() > before)
  }

  /** Resolves when the other side answers a ping of the protocol. */
  ping(): Promise<void> {
    return new Promise((resolve) => {
      this.#ws.once('pong', () => resolve())
      this.#ws.ping()
    })
  }

  /** Reads no more of what comes. */
  pause(): void {
    this.#ws.pause()
  }

  resume(): void {
    this.#ws.resume()
  }

  /** Goes without closing, as a phone does in a tunnel. */
  vanish(): void {
    this.#ws.terminate()
  }

  close(): Promise<Ending> {
    this.#ws.close()
    return this.closed
  }
}

export interface SocketOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  /** Origin to connect to; the instance of this run by default. */
  readonly base?: string
}

/** Opens a socket at `/api/v1/streaming` with this query; fails where it is refused. */
export function openSocket(query: Readonly<Record<string, string>>, options: SocketOptions = {}) {
  return new Promise<Socket>((resolve, reject) => {
    const ws = connect(query, options)
    // Made now: the first message may come with the same packet as the answer.
    const socket = new Socket(ws)
    ws.on('open', () => resolve(socket))
    ws.on('error', reject)
  })
}

/** The status a socket is refused with. */
export function refusedWith(query: Readonly<Record<string, string>>, options: SocketOptions = {}) {
  return new Promise<number>((resolve, reject) => {
    const ws = connect(query, options)
    ws.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
      ws.terminate()
    })
    ws.on('open', () => {
      ws.terminate()
      reject(new Error('The socket was let in'))
    })
    ws.on('error', () => undefined)
  })
}

function connect(query: Readonly<Record<string, string>>, { headers, protocols, base }: SocketOptions) {
  const url = new URL('/api/v1/streaming', base ?? inject('origin'))
  url.protocol = url.protocol.replace('http', 'ws')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return new WebSocket(url.href, [...(protocols ?? [])], {
    headers: { 'CF-Connecting-IP': newAddress(), ...headers },
  })
}

export function bearer({ token }: { readonly token: string }) {
  return { headers: { Authorization: `Bearer ${token}` } }
}
