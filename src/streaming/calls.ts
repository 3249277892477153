import * as z from 'zod'
import { Listener } from './listener'

const Subscription = z.object({
  id: z.string(),
  name: z.array(z.string()).readonly(),
  channel: z.string().nullable(),
})

/** One stream that a connection listens to. */
export interface Subscription {
  /** Names it among the others of the connection. */
  readonly id: string
  /** As messages name it to the client. */
  readonly name: readonly string[]
  /** What carries it; null where the operator lets nobody hear it, which is not said. */
  readonly channel: string | null
}

const Asked = z.object({ stream: z.string(), tag: z.string().nullable(), list: z.string().nullable() })

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
