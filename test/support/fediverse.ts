import { env } from 'cloudflare:workers'
import type { Mentioned } from './fediverse/activity-factory'
import {
  type ActorFacts,
  actorDocument,
  addressesOf,
  collection,
  keyStub,
  type Software,
} from './fediverse/documents'
import { type KeyName, testKey } from './fediverse/keys'
import { Peer } from './fediverse/peer'
import { network } from './fediverse/shared-network'
import { clock } from './test-app'

export interface ActorOptions {
  /** A host nobody else has when absent. */
  readonly host?: string
  readonly username?: string
  readonly software?: Software
  readonly type?: 'Person' | 'Service' | 'Group' | 'Organization' | 'Application'
  readonly keyKind?: KeyName
  readonly locked?: boolean
  /** The host in its handle where it is another one than that of its address. */
  readonly accountDomain?: string
  /** Laid over what such a server would write. */
  readonly document?: Readonly<Record<string, unknown>>
}

let made = 0

/** Makes a remote actor whose documents, collections and WebFinger can be fetched. */
async function actor(options: ActorOptions = {}): Promise<Peer> {
  made += 1
  const { host = `remote${made}.test`, username = `peer${made}`, software = 'mastodon' } = options
  const at = addressesOf(software, host, username)
  const key = await testKey(options.keyKind)
  const facts: ActorFacts = { software, username, key, at, type: options.type ?? 'Person', now: clock.now() }
  const locked = { manuallyApprovesFollowers: options.locked ?? false }
  const document = { ...actorDocument(facts), ...locked, ...options.document }
  network.serve(at.uri, document)
  if (software === 'gotosocial') network.respond(at.keyId, () => json(keyStub(document)))
  for (const url of [at.outbox, at.followers, at.following, at.featured])
    network.serve(url, collection(url, []))
  for (const url of [at.inbox, at.sharedInbox]) network.respond(url, () => new Response('', { status: 202 }))
  const domain = options.accountDomain ?? host
  webFinger(domain, { username, uri: at.uri, url: at.url })
  if (domain !== host) webFinger(host, { username, uri: at.uri, url: at.url, domain })
  return new Peer({ network, software, username, host: domain, key, at, document })
}

interface Finger {
  readonly username: string
  readonly uri: string
  readonly url: string
  readonly domain?: string
}

const fingers = new Map<string, Finger[]>()

/** Lets `host` answer WebFinger for one more account, by handle and by address. */
function webFinger(host: string, finger: Finger): void {
  const known = fingers.get(host) ?? []
  fingers.set(host, [...known, finger])
  network.serveHost(host, (request) => hostAnswer(host, new URL(request.url)))
}

function hostAnswer(host: string, url: URL): Response {
  if (url.pathname !== '/.well-known/webfinger') return new Response('', { status: 404 })
  const resource = url.searchParams.get('resource') ?? ''
  const found = (fingers.get(host) ?? []).find(({ username, uri, url: page, domain = host }) =>
    [`acct:${username}@${host}`, `acct:${username}@${domain}`, uri, page].includes(resource.toLowerCase()),
  )
  if (found === undefined) return new Response('', { status: 404 })
  const { username, uri, domain = host } = found
  const self = { rel: 'self', type: 'application/activity+json', href: uri }
  return json({ subject: `acct:${username}@${domain}`, links: [self] }, 'application/jrd+json')
}

function json(body: unknown, type = 'application/activity+json'): Response {
  return new Response(JSON.stringify(body), { headers: { 'content-type': type } })
}

/** A local account as other servers name it. */
function local(person: { readonly username: string }): Mentioned {
  const origin = env.ORIGIN
  return { uri: `${origin}/users/${person.username}`, handle: `${person.username}@${new URL(origin).host}` }
}

/** The other servers. `network` serves documents, makes them fail, and records the requests of this server. */
export const fediverse = { actor, local, network }
