import * as z from 'zod'
import { RequestedStream } from './channels'
import { StreamClient } from './stream-client'

/** A stream that a connection subscribes to. */
const Subscription = z.object({
  /** Identifies the subscription on its connection. */
  id: z.string(),
  /** Name of the stream in messages to the client. */
  name: z.array(z.string()).readonly(),
  /** Channel that carries it; null if the operator's settings close the feed, which clients are not told. */
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
