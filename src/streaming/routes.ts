import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { Flag } from '../contract/scalars'
import { constant } from '../db/query'
import type { Credential } from '../domain/core/viewer'
import { type Caller, hashToken } from '../domain/sessions/find'
import { admitCaller, requireCaller } from '../domain/sessions/flood'
import { BadRequest, Conflict, NotFound, Unauthorized, Unavailable } from '../errors'
import { clientAddress } from '../lib/network'
import { presentedToken } from '../lib/request-headers'
import type { AppEnv } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { maySubscribe, type RequestedStream, streamKinds, streamOfPath } from './channels'
import { authorizeSubscription, type ConnectionRequest, encodeConnectionRequest } from './connection-request'
import { type StreamClient, type StreamObjects, streamClientOf } from './messages'
import { normalClosure, policyViolation } from './socket'

interface StreamingPorts {
  readonly objects: (c: Context<AppEnv>) => StreamObjects
  /** Called for each caller, for bookkeeping in the background. */
  readonly afterCall: (ctx: Ctx, caller: Caller) => void
}

/** Routes of the streaming API: a WebSocket for any number of streams, and an event source for each. */
export function streamingRoutes(parts: StreamingPorts): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`${base}/health`, (c) => c.text('OK'))
  app.get(base, async (c) => {
    if (c.req.raw.method !== 'GET' || c.req.header('upgrade')?.toLowerCase() !== 'websocket')
      throw new NotFound('no_page')
    const offered = c.req.header('sec-websocket-protocol')?.split(',')[0]?.trim() ?? null
    const listener = await authenticateStream(c, parts, offered)
    const stream = c.req.query('stream')
    const asked = stream === undefined || stream === '' ? null : requestedStreamIn(c, stream)
    const { webSocket } = await connect(c, parts, { kind: 'socket', listener, asked })
    // Browsers close a socket if the server does not select an offered subprotocol.
    const headers = offered === null ? {} : { 'Sec-WebSocket-Protocol': offered }
    return new Response(null, { status: 101, webSocket, headers })
  })
  app.get(`${base}/*`, async (c) => {
    const onlyMedia = Flag.safeParse(c.req.query('only_media')).data === true
    const stream = streamOfPath(c.req.path.slice(base.length + 1), onlyMedia)
    if (stream === null) throw new BadRequest('unknown_channel')
    const listener = await authenticateStream(c, parts, null)
    const subscription = await authorizeSubscription(c.get('ctx'), listener, requestedStreamIn(c, stream))
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'private, no-store' }
    // A HEAD request would hold the stream open without ever reading it.
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
    const { webSocket } = await connect(c, parts, { kind: 'feed', listener, subscription })
    if (webSocket === null) throw new Unavailable('streams_unavailable')
    return new Response(new EventStream(webSocket).body, { headers })
  })
  return app
}

function requestedStreamIn(c: Context<AppEnv>, stream: string): RequestedStream {
  return { stream, tag: c.req.query('tag') ?? null, list: c.req.query('list') ?? null }
}

/** Authenticates the account of the token or session, if active and if its scopes allow any stream. */
async function authenticateStream(
  c: Context<AppEnv>,
  parts: StreamingPorts,
  offered: string | null,
): Promise<StreamClient> {
  const ctx = c.get('ctx')
  const credential = await credentialOf(c, offered)
  const ip = clientAddress(c.req.raw.headers)
  await admitCaller(ctx, { credential, ip }, invalidToken())
  if (credential === null) throw new Unauthorized('no_token')
  const [caller] = await requireCaller(ctx, { credential, ip, refusal: invalidToken() }, constant(null))
  const listener = streamClientOf(caller)
  if (listener === null) throw invalidToken()
  // A page names the account that it listens for: by now another one of its browser may be active.
  const account = c.req.query('account')
  if (account !== undefined && account !== caller?.person?.viewer.username)
    throw new Conflict('other_account')
  if (!maySubscribe(listener.scopes)) throw new Unauthorized('stream_scopes')
  parts.afterCall(ctx, caller)
  return listener
}

/** The token of a request, or else the session of the page that makes it. */
async function credentialOf(c: Context<AppEnv>, offered: string | null): Promise<Credential | null> {
  const token = presentedToken(c.req.raw.headers, new URL(c.req.url)) ?? offered
  if (token !== null) return { kind: 'token', hash: await hashToken(token) }
  const hash = c.get('browserSession')?.hash ?? null
  return hash === null ? null : { kind: 'session', hash }
}

const invalidToken = () => new Unauthorized('bad_stream_token')

async function connect(
  c: Context<AppEnv>,
  { objects }: StreamingPorts,
  call: ConnectionRequest,
): Promise<Response> {
  const ctx = c.get('ctx')
  const answer = await objects(c)
    .connection(call.listener.accountId)
    .fetch(encodeConnectionRequest(call))
    .catch((failure: unknown) => {
      ctx.log.error('Failed to open a stream connection', { cause: failure })
      throw new Unavailable('streams_unavailable')
    })
  if (answer.status === 401) throw invalidToken()
  return answer
}

const base = '/api/v1/streaming'

/** OpenAPI paths of the streams: they answer no JSON, so no endpoint describes them. */
export function streamPaths(): Record<string, Record<string, unknown>> {
  const sources = [...streamKinds].flatMap(([stream, { scope, feed, of }]) => {
    if (stream.endsWith(':media')) return []
    const needed = of === null ? [] : [query(of, true)]
    const parameters = feed === 'live' ? [query('only_media', false)] : needed
    const responses = answer('text/event-stream')
    const get = { summary: `Hear ${stream}`, security: [{ token: [scope] }], parameters, responses }
    return [[`${base}/${stream.replaceAll(':', '/')}`, { get }] as const]
  })
  const socket = {
    summary: 'Hear any number of streams over a WebSocket',
    security: ['read:statuses', 'read:notifications'].map((scope) => ({ token: [scope] })),
    parameters: ['stream', 'tag', 'list'].map((name) => query(name, false)),
    responses: { 101: { description: 'Switching Protocols' } },
  }
  const health = { summary: 'Are there streams?', responses: answer('text/plain') }
  return { [base]: { get: socket }, [`${base}/health`]: { get: health }, ...Object.fromEntries(sources) }
}

function query(name: string, required: boolean) {
  return { name, in: 'query', required, schema: { type: 'string' } }
}

function answer(type: string) {
  return { 200: { description: 'OK', content: { [type]: { schema: { type: 'string' } } } } }
}

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
