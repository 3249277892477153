import * as z from 'zod'
import { Asked } from './channels'
import { Listener } from './listener'

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
const Call = z.discriminatedUnion('kind', [
  // A socket may ask for more later, and is told in messages what it cannot have.
  z.object({ kind: z.literal('socket'), listener: Listener, asked: Asked.nullable() }),
  z.object({ kind: z.literal('feed'), listener: Listener, subscription: Subscription }),
])
export type Call = Readonly<z.infer<typeof Call>>

const address = 'https://connection.invalid/'

/** A call as the request that a connection object takes: nothing of what a client sent goes along. */
export function callRequest(call: Call): Request {
  const url = new URL(address)
  url.searchParams.set('call', JSON.stringify(call))
  return new Request(url, call.kind === 'socket' ? { headers: { Upgrade: 'websocket' } } : {})
}

export function readCall({ url }: Request): Call {
  return Call.parse(JSON.parse(new URL(url).searchParams.get('call') ?? 'null'))
}

/** What a socket keeps while its object sleeps. */
export const Attached = z.object({
  listener: Listener,
  openedAt: z.number(),
  subscriptions: z.array(Subscription),
  /** Marks of the latest messages it was sent. */
  seen: z.array(z.number()),
})
export type Attached = z.infer<typeof Attached>
