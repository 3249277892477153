import * as z from 'zod'
import { RequestedStream } from './channels'
import { StreamClient } from './stream-client'

/** One stream that a connection listens to. */
const Subscription = z.object({
  /** Names it among the others of the connection. */
  id: z.string(),
  /** As messages name it to the client. */
  name: z.array(z.string()).readonly(),
  /** What carries it; null where the operator lets nobody hear it, which is not said. */
  channel: z.string().nullable(),
})
export type Subscription = Readonly<z.infer<typeof Subscription>>

/** What an edge asks of a connection object, with what it found out about who asks. */
const ConnectionRequest = z.discriminatedUnion('kind', [
  // A socket may ask for more later, and is told in messages what it cannot have.
  z.object({ kind: z.literal('socket'), listener: StreamClient, asked: RequestedStream.nullable() }),
  z.object({ kind: z.literal('feed'), listener: StreamClient, subscription: Subscription }),
])
export type ConnectionRequest = Readonly<z.infer<typeof ConnectionRequest>>

const address = 'https://connection.invalid/'

/** A call as the request that a connection object takes: nothing of what a client sent goes along. */
export function encodeConnectionRequest(call: ConnectionRequest): Request {
  const url = new URL(address)
  url.searchParams.set('call', JSON.stringify(call))
  return new Request(url, call.kind === 'socket' ? { headers: { Upgrade: 'websocket' } } : {})
}

export function decodeConnectionRequest({ url }: Request): ConnectionRequest {
  return ConnectionRequest.parse(JSON.parse(new URL(url).searchParams.get('call') ?? 'null'))
}

/** What a socket keeps while its object sleeps. */
export const SocketAttachment = z.object({
  listener: StreamClient,
  openedAt: z.number(),
  subscriptions: z.array(Subscription),
  /** Marks of the latest messages it was sent. */
  seen: z.array(z.number()),
})
export type SocketAttachment = z.infer<typeof SocketAttachment>
