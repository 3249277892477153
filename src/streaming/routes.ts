import { type Context, Hono } from 'hono'
import { Flag } from '../contract/scalars'
import { constant } from '../db/query'
import type { Credential } from '../domain/core/credential'
import { type Caller, hashToken } from '../domain/sessions/find'
import { admitCaller, requireCaller } from '../domain/sessions/flood'
import { BadRequest, NotFound, Unauthorized, Unavailable } from '../errors'
import { clientAddress } from '../lib/network'
import { presentedToken } from '../lib/presented-token'
import type { AppEnv } from '../ports/app-env'
import type { Ctx } from '../ports/ctx'
import { maySubscribe, type RequestedStream, streamOfPath } from './channels'
import { type ConnectionRequest, encodeConnectionRequest } from './connection-request'
import { EventStream } from './event-stream'
import type { StreamObjects } from './objects'
import { base } from './paths'
import { type StreamClient, streamClientOf } from './stream-client'
import { authorizeSubscription } from './subscribe'

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
      throw new NotFound('The page you are looking for is not here')
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
    if (stream === null) throw new BadRequest('Unknown channel requested')
    const listener = await authenticateStream(c, parts, null)
    const subscription = await authorizeSubscription(c.get('ctx'), listener, requestedStreamIn(c, stream))
    const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'private, no-store' }
    // A HEAD request would hold the stream open without ever reading it.
    if (c.req.raw.method === 'HEAD') return new Response(null, { headers })
    const { webSocket } = await connect(c, parts, { kind: 'feed', listener, subscription })
    if (webSocket === null) throw new Unavailable('Streams cannot be opened at the moment')
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
  if (credential === null) throw new Unauthorized('Missing access token')
  const [caller] = await requireCaller(ctx, { credential, ip, refusal: invalidToken() }, constant(null))
  const listener = streamClientOf(caller)
  if (listener === null) throw invalidToken()
  if (!maySubscribe(listener.scopes)) throw new Unauthorized('Access token does not have the required scopes')
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

const invalidToken = () => new Unauthorized('Invalid access token')

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
      throw new Unavailable('Streams cannot be opened at the moment')
    })
  if (answer.status === 401) throw invalidToken()
  return answer
}
