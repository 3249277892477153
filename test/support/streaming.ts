import { env } from 'cloudflare:workers'
import * as z from 'zod'
import type { StreamMessage } from '../../src/streaming/messages'
import type { TestAccount } from './given'
import { clock, fetchApp } from './test-app'

const origin = 'https://fieldfare.test/api/v1/streaming'

/** A message on a socket: an event, or the refusal of a stream. */
const Frame = z.strictObject({
  stream: z.array(z.string()).optional(),
  event: z.string().optional(),
  payload: z.string().optional(),
  error: z.string().optional(),
  status: z.int().optional(),
})
export type Frame = z.infer<typeof Frame>

interface ConnectOptions {
  readonly stream?: string
  readonly tag?: string
  readonly list?: number | string
}

type Caller = Pick<TestAccount, 'token'> | string | null

function tokenOf(caller: Caller): string | null {
  return caller === null || typeof caller === 'string' ? caller : caller.token
}

/** The answer to a request for a socket, whatever it is. */
export async function requestStream(
  caller: Caller,
  wish: ConnectOptions = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const url = new URL(origin)
  for (const [key, value] of Object.entries(wish)) url.searchParams.set(key, String(value))
  const token = tokenOf(caller)
  const shown = token === null ? {} : { Authorization: `Bearer ${token}` }
  const request = new Request(url, { headers: { Upgrade: 'websocket', ...shown, ...headers } })
  return (await fetchApp(request)).response
}

/** A socket of somebody, subscribed at once where a stream is named. */
export async function openStreamSocket(caller: Caller, wish: ConnectOptions = {}): Promise<TestSocket> {
  const { status, webSocket } = await requestStream(caller, wish)
  if (webSocket === null) throw new Error(`No socket was opened: ${status}`)
  return new TestSocket(webSocket)
}

/** A client with an open socket. */
export class TestSocket {
  readonly #ws: WebSocket
  readonly #frames: Frame[] = []
  #wake: () => void = () => undefined
  /** Close code and reason of the server. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>

  constructor(ws: WebSocket) {
    this.#ws = ws
    this.closed = new Promise((resolve) => {
      ws.addEventListener('close', ({ code, reason }) => resolve({ code, reason }))
    })
    ws.addEventListener('message', ({ data }) => {
      this.#frames.push(Frame.parse(JSON.parse(String(data))))
      this.#wake()
    })
    ws.accept()
  }

  say(content: object | string | ArrayBuffer): void {
    const isRaw = typeof content === 'string' || content instanceof ArrayBuffer
    this.#ws.send(isRaw ? content : JSON.stringify(content))
  }

  /** Subscribes, and returns when it is done; what comes meanwhile is kept. */
  async subscribe(wish: ConnectOptions): Promise<void> {
    this.say({ type: 'subscribe', ...wish })
    this.#frames.unshift(...(await this.rest()))
  }

  async unsubscribe(wish: ConnectOptions): Promise<void> {
    this.say({ type: 'unsubscribe', ...wish })
    this.#frames.unshift(...(await this.rest()))
  }

  /** The next frame; fails where the server closes the socket first. */
  async next(): Promise<Frame> {
    for (;;) {
      const frame = this.#frames.shift()
      if (frame !== undefined) return frame
      await Promise.race([this.#arrival(), this.#failOnClose()])
    }
  }

  /** Frames received so far, with none on its way: the answer to a ping overtakes nothing. */
  async rest(): Promise<readonly Frame[]> {
    this.say({ type: 'subscribe', stream: 'nowhere' })
    const heard: Frame[] = []
    for (;;) {
      const frame = await this.next()
      if (frame.error === 'Unknown stream type') return heard
      heard.push(frame)
    }
  }

  close(): void {
    this.#ws.close(1000, 'Done')
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  async #failOnClose(): Promise<void> {
    const { code, reason } = await this.closed
    if (this.#frames.length === 0) throw new Error(`The socket was closed: ${code} ${reason}`)
  }
}

/** An event source at a path such as `/user`, with the lines it has sent. */
export async function eventSource(caller: Caller, path: string) {
  const token = tokenOf(caller)
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
  const { response } = await fetchApp(new Request(`${origin}${path}`, { headers }))
  return new EventSourceClient(response)
}

export class EventSourceClient {
  readonly status: number
  readonly headers: Headers
  readonly response: Response
  #reader: ReadableStreamDefaultReader<string> | null = null
  #text = ''

  constructor(response: Response) {
    this.response = response
    this.status = response.status
    this.headers = response.headers
  }

  /** The next line, without its end; null when the server has closed the stream. */
  async line(): Promise<string | null> {
    this.#reader ??= (this.response.body ?? new ReadableStream<Uint8Array>())
      .pipeThrough(new TextDecoderStream())
      .getReader()
    while (!this.#text.includes('\n')) {
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#text += value
    }
    const end = this.#text.indexOf('\n')
    const line = this.#text.slice(0, end)
    this.#text = this.#text.slice(end + 1)
    return line
  }

  async lines(count: number): Promise<readonly (string | null)[]> {
    const lines: (string | null)[] = []
    for (let index = 0; index < count; index += 1) lines.push(await this.line())
    return lines
  }

  async leave(): Promise<void> {
    if (this.#reader === null) await this.response.body?.cancel()
    else await this.#reader.cancel()
  }
}

let sent = 0

/** A message about nobody and nothing, for tests of how it gets there. */
export function message(channels: readonly string[], more: Partial<StreamMessage> = {}): StreamMessage {
  sent += 1
  const key = `test ${clock.now().getTime()} ${sent}`
  return { key, event: 'delete', payload: String(sent), channels, about: null, ...more }
}

export function connectionOf({ id }: Pick<TestAccount, 'id'>) {
  return env.CONNECTION.get(env.CONNECTION.idFromName(String(id)))
}

export function topicOf(channel: string) {
  return env.TOPIC.get(env.TOPIC.idFromName(channel))
}

/** Stored presence of an account and its own streams; null where it is not connected. */
export async function presenceOf({ id }: Pick<TestAccount, 'id'>): Promise<unknown> {
  const row = await env.DB.prepare('select channels from presences where account_id = ?')
    .bind(id)
    .first('channels')
  return typeof row === 'string' ? JSON.parse(row) : null
}

export async function isActiveTopic(channel: string): Promise<boolean> {
  return (await env.DB.prepare('select 1 from heard_topics where channel = ?').bind(channel).first()) !== null
}
