import type { Overrides } from '../../../src/wire'
import { clock, type Fetched, fetchApp } from '../test-app'
import { ActivityFactory } from './activity-factory'
import type { Activity, Addresses, Document, Software } from './documents'
import { type KeyName, type TestKey, testKey } from './keys'
import type { Exchange, Network } from './network'
import { type SignatureKind, signed } from './signing'

const local = 'https://fieldfare.test'

const addresses = new Map<string, string>()

/** Each server sends from a network of its own. */
function ipOf(host: string): string {
  const ip = addresses.get(host) ?? `2001:db9:${(addresses.size + 1).toString(16)}::1`
  addresses.set(host, ip)
  return ip
}

export interface Sending {
  /** The path of an inbox here; the shared one when absent. */
  readonly to?: string
  readonly signature?: SignatureKind | 'none'
  /** Sent in place of the body that was signed. */
  readonly bodyInstead?: string
  /** The path signed for in place of the one sent to. */
  readonly pathSigned?: string
  readonly at?: Date
  readonly keyId?: string
  readonly key?: KeyName
  readonly covered?: readonly string[]
  readonly algorithm?: string | null
  /** Laid over the headers after signing. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ports that stand in for those of the app. */
  readonly overrides?: Overrides
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly costs: Fetched['costs']
  /** Fetches from other servers that the delivery caused, background work included. */
  readonly fetches: readonly Exchange[]
}

export interface PeerFacts {
  readonly network: Network
  readonly software: Software
  readonly username: string
  readonly host: string
  readonly key: TestKey
  readonly at: Addresses
  readonly document: Record<string, unknown>
}

/** A remote actor: sends signed requests and makes the activities that its server would send. */
export class Peer extends ActivityFactory {
  readonly software: Software
  readonly host: string
  readonly username: string
  readonly handle: string
  readonly keyId: string
  readonly inbox: string
  readonly sharedInbox: string
  readonly key: TestKey
  readonly at: Addresses

  constructor(facts: PeerFacts) {
    super({ network: facts.network, at: facts.at, document: facts.document })
    const { software, host, username, key, at } = facts
    this.software = software
    this.host = host
    this.username = username
    this.handle = `${username}@${host}`
    this.keyId = at.keyId
    this.inbox = at.inbox
    this.sharedInbox = at.sharedInbox
    this.key = key
    this.at = at
  }

  /** POSTs an activity (or any text) to an inbox of ours, signed as this actor. */
  async send(activity: Document | string, options: Sending = {}): Promise<Reply> {
    const body = typeof activity === 'string' ? activity : JSON.stringify(activity)
    return this.#call({ ...options, method: 'POST', path: options.to ?? '/inbox', body })
  }

  /** GETs something of ours as this actor's server would for it. */
  get(path: string, options: Omit<Sending, 'to' | 'bodyInstead'> = {}): Promise<Reply> {
    return this.#call({ ...options, method: 'GET', path, body: null })
  }

  /** Activities we sent to this actor's inbox or to the shared one of its server, oldest first. */
  received(): readonly Activity[] {
    return this.deliveries().map(({ body }) => JSON.parse(body))
  }

  deliveries(): readonly Exchange[] {
    const isMine = ({ url }: Exchange) => url === this.inbox || url === this.sharedInbox
    return this.network.requests(this.at.origin, 'POST').filter(isMine)
  }

  /** Number of requests for this actor's document. */
  fetched(): number {
    return this.network.requests(this.uri, 'GET').filter(({ url }) => url === this.uri).length
  }

  async #call(call: Sending & { method: 'GET' | 'POST'; path: string; body: string | null }): Promise<Reply> {
    const { method, path, body } = call
    const accept = { accept: 'application/activity+json, application/ld+json' }
    const from = { 'cf-connecting-ip': ipOf(this.host) }
    const headers = { ...accept, ...from, ...(await this.#signature(call)), ...call.headers }
    const sent = call.bodyInstead ?? body
    const mark = this.network.mark()
    const request = new Request(`${local}${path}`, { method, headers, body: sent, redirect: 'manual' })
    const { response, costs } = await fetchApp(request, call.overrides)
    const { status } = response
    // Couriers deliver in their own time, those of tests before as well.
    const fetches = this.network.since(mark).filter((one) => one.method === 'GET')
    return { status, headers: response.headers, text: await response.text(), costs, fetches }
  }

  async #signature(call: Sending & { method: 'GET' | 'POST'; path: string; body: string | null }) {
    const { signature = 'cavage', covered, algorithm } = call
    if (signature === 'none') return { 'content-type': 'application/activity+json' }
    return signed(signature, {
      method: call.method,
      url: `${local}${call.pathSigned ?? call.path}`,
      body: call.body,
      keyId: call.keyId ?? this.keyId,
      at: call.at ?? clock.now(),
      key: call.key === undefined ? this.key : await testKey(call.key),
      ...(covered === undefined ? {} : { covered }),
      ...(algorithm === undefined ? {} : { algorithm }),
    })
  }
}
