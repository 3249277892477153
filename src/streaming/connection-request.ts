import * as z from 'zod'
import { execute } from '../db/query'
import { viewerById } from '../domain/core/viewer'
import { isOwnList } from '../domain/lists/edit'
import { liveFeedAccess, resolveScopes, tagFeedAccess } from '../domain/timelines/public'
import { Unauthorized } from '../errors'
import type { Ctx } from '../ports/ctx'
import { allowedChannel, halvesOf, parseRequestedStream, RequestedStream } from './channels'
import { StreamClient } from './messages'

/** A stream that a connection subscribes to. */
const Subscription = z.object({
  /** Identifies the subscription on its connection. */
  id: z.string(),
  /** Name of the stream in messages to the client. */
  name: z.array(z.string()).readonly(),
  /** Channel that carries it; null if the operator's settings close the feed, which clients do not learn. */
  channel: z.string().nullable(),
})
export type Subscription = Readonly<z.infer<typeof Subscription>>

/** A request to a connection object, with the authenticated client. */
const ConnectionRequest = z.discriminatedUnion('kind', [
  // Sockets may subscribe to more streams later, and are refused in messages.
  z.object({ kind: z.literal('socket'), listener: StreamClient, asked: RequestedStream.nullable() }),
  // Event sources have one stream, which was authorized.
  z.object({ kind: z.literal('feed'), listener: StreamClient, subscription: Subscription }),
])
export type ConnectionRequest = Readonly<z.infer<typeof ConnectionRequest>>

const address = 'https://connection.invalid/'

/** Encodes the call as a request to a connection object; nothing the client sent is passed on. */
export function encodeConnectionRequest(call: ConnectionRequest): Request {
  const url = new URL(address)
  url.searchParams.set('call', JSON.stringify(call))
  return new Request(url, { headers: { Upgrade: 'websocket' } })
}

export function decodeConnectionRequest({ url }: Request): ConnectionRequest {
  return ConnectionRequest.parse(JSON.parse(new URL(url).searchParams.get('call') ?? 'null'))
}

/** State attached to a socket while its object hibernates. */
export const SocketAttachment = z.object({
  listener: StreamClient,
  openedAt: z.number(),
  subscriptions: z.array(Subscription),
  /** Hashes of the latest messages sent. */
  seen: z.array(z.number()),
})
export type SocketAttachment = z.infer<typeof SocketAttachment>

/** Authorizes a subscription. Throws `BadRequest` or `Unauthorized` if refused. */
export async function authorizeSubscription(
  ctx: Ctx,
  client: StreamClient,
  asked: RequestedStream,
): Promise<Subscription> {
  const parsed = parseRequestedStream(asked, client.scopes)
  const { id, name } = parsed
  if (parsed.list !== null) {
    if (!(await execute(ctx.db, isOwnList(ctx, viewerById(client.accountId), parsed.list))))
      throw new Unauthorized('not_own_list')
    return { id, name, channel: id }
  }
  if (parsed.feed === null) return { id, name, channel: id }
  const access = await execute(ctx.db, parsed.feed === 'tag' ? tagFeedAccess(ctx) : liveFeedAccess(ctx))
  return { id, name, channel: allowedChannel(parsed, resolveScopes(access, client, halvesOf(parsed))) }
}

const key = 'name'

/** Name the object was called by; an object woken by a socket may know it from its own storage only. */
export function objectName({ id, storage }: DurableObjectState): string {
  return id.name ?? storage.kv.get<string>(key) ?? ''
}

export function storeObjectName({ id, storage }: DurableObjectState): void {
  if (id.name !== undefined && storage.kv.get(key) === undefined) storage.kv.put(key, id.name)
}

type TaggedSockets = Pick<DurableObjectState, 'getWebSockets' | 'getTags'> & {
  readonly id: Pick<DurableObjectId, 'name'>
}

/**
 * Name of an object whose sockets have it as their tag, which outlives the object like they do. Nothing is stored: the first write
 * takes an object 20 KiB of memory for as long as it is awake.
 */
export function nameOrTag(state: TaggedSockets): string {
  const [socket] = state.getWebSockets()
  return state.id.name ?? (socket === undefined ? undefined : state.getTags(socket)[0]) ?? ''
}
