import { eq, sql } from 'drizzle-orm'
import {
  both,
  combineQueries,
  constant,
  execute,
  first,
  jsonRows,
  map,
  optionalPrefixedColumns,
  prefixedColumns,
  type Query,
} from '../db/query'
import { accounts, actorKeys, domainLimits, relays, remoteActors } from '../db/schema'
import type { RelayState } from '../db/schema/federation'
import type { RemoteActor } from '../domain/accounts/remote-rows'
import { type DomainLimit, isAllowedDomain } from '../domain/servers/limits'
import type { AccountId, RelayId } from '../lib/ids'
import { clientAddress, sitePrefixOf } from '../lib/network'
import { type HttpMessage, publicUrlOf } from '../lib/signatures/message'
import { findSignatureProblem, isSignedBy, readSignature, type Signature } from '../lib/signatures/verify'
import { hostOf, parseWebAddress, sameOrigin } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { type ActorFailure, fetchActor, refreshStale, storeActor } from './actors'
import { backoffReason, budgetDomain, secondsToWait, spend } from './budgets'
import { fetchDocument } from './fetch'
import { readActor } from './vocab/actor'
import { idOf, isObject, isUnreadable, type JsonObject, objectsOf } from './vocab/json'

/**
 * Verifies a request's signature and returns its signer: one lookup for a known key, and no claim is believed before
 * it is proved.
 *
 * Checked against the configured origin and the path as sent. `body` is null for requests without one. An unknown
 * key, or a known one that does not fit, is fetched once from its own server. `relevance` runs with the key lookup:
 * false yields `idle` without any fetch.
 */
export async function verifyRequest(
  ctx: Ctx,
  request: Request,
  body: Uint8Array | null,
  relevance: Query<boolean> = constant(true),
): Promise<SignatureVerdict> {
  const claim = readSignature(request.headers)
  if (claim.kind === 'unsigned') return claim
  if (claim.kind === 'malformed') return refused(claim.reason)
  const { signature } = claim
  const keyId = parseWebAddress(signature.keyId)
  if (keyId === null) return refused('The key id is no address')
  const { method, headers } = request
  const message = { method, headers, body, url: publicUrlOf(ctx.config.origin, request.url) }
  const problem = await findSignatureProblem(signature, message, ctx.clock.now())
  if (problem !== null) return refused(problem)
  const [key, isRelevant] = await execute(ctx.db, both(keyById(ctx, keyId), relevance))
  if (!isRelevant) return { kind: 'idle' }
  const network = sitePrefixOf(clientAddress(headers))
  if (key !== null && (await isSignedBy(key.publicKey, signature, message))) {
    recordVerifiedKey(ctx, { keyId, network })
    refreshStale(ctx, { id: key.signer.id, uri: key.signer.uri, readAt: key.readAt })
    return { kind: 'signed', signer: key.signer }
  }
  if (key?.signer.suspended === true)
    return refused('The signature does not fit the key of a suspended actor')
  return verifyWithRemoteKey(ctx, { keyId, network, signature, message })
}

function refused(reason: string): SignatureVerdict {
  return { kind: 'refused', reason }
}

interface UnverifiedRequest extends ClaimedKey {
  readonly signature: Signature
  readonly message: HttpMessage
}

/** Seconds for which the result of a key fetch is cached. */
const keptSeconds = 300

/** Shorter cache for unreachable servers: they may recover soon, and their requests are retried. */
const downSeconds = 30

/**
 * Fetches a key from its server, unless this isolate did so lately. Cached in memory only: a write for each forged
 * request would invite abuse, and fetches by several isolates do no harm.
 *
 * A key that did not fit is cached as a key: another actor's forgery must not shut out its owner.
 */
async function verifyWithRemoteKey(ctx: Ctx, unproven: UnverifiedRequest): Promise<SignatureVerdict> {
  const { keyId, signature, message } = unproven
  const [, word, rest = ''] = /^(\w+) ?(.*)$/s.exec(ctx.memory.get(`key ${keyId}`) ?? '') ?? []
  if (word === 'gone') return { kind: 'gone' }
  if (word === 'refused' || word === 'retry') return { kind: word, reason: rest }
  if (word === 'found' && !(await isSignedBy(rest, signature, message))) return keyMismatch
  const isSpent = secondsToWait(ctx, 'newcomers', budgetDomain(keyId)) !== null
  const reason = isSpent ? 'Too many new accounts of one server' : countKeyRequest(ctx, unproven)
  if (reason !== null) return { kind: 'retry', reason }
  const verdict = await fetchKeyAndVerify(ctx, unproven)
  if (verdict.kind === 'signed') recordVerifiedKey(ctx, unproven)
  else recordUnverifiedKey(ctx, unproven)
  return verdict
}

const keyMismatch = refused('The signature does not fit its key')

/** Stores the actor only after the signature is verified. */
async function fetchKeyAndVerify(
  ctx: Ctx,
  { keyId, signature, message }: UnverifiedRequest,
): Promise<SignatureVerdict> {
  const key = await fetchKey(ctx, keyId)
  if (key.kind !== 'found') return rememberFailure(ctx, keyId, key)
  ctx.memory.set(`key ${keyId}`, `found ${key.publicKey}`, keptSeconds)
  if (!(await isSignedBy(key.publicKey, signature, message))) return keyMismatch
  const stored = await storeActor(ctx, key.owner)
  if (stored.kind !== 'stored') return rememberFailure(ctx, keyId, stored)
  if (stored.isNew) spend(ctx, 'newcomers', budgetDomain(key.owner.uri))
  const current = await execute(ctx.db, keyById(ctx, keyId))
  if (current?.signer.id !== stored.id) return refused('The key belongs to another actor')
  return { kind: 'signed', signer: current.signer }
}

function rememberFailure(ctx: Ctx, keyId: string, failure: ActorFailure): SignatureVerdict {
  const keep = (text: string, seconds: number) => ctx.memory.set(`key ${keyId}`, text, seconds)
  switch (failure.kind) {
    case 'gone':
      keep('gone', keptSeconds)
      return failure
    case 'refused':
      keep(`refused ${failure.reason}`, keptSeconds)
      return failure
    case 'unreachable':
      // Covered by the host's backoff, if the whole host failed.
      if (backoffReason(ctx, hostOf(keyId) ?? '') === null) keep(`retry ${failure.reason}`, downSeconds)
      return { kind: 'retry', reason: failure.reason }
  }
}

/** A key with the actor whose own document lists it. */
interface OwnedKey {
  readonly kind: 'found'
  readonly publicKey: string
  readonly owner: RemoteActor
}

/** Requests allowed for one key: its own document and that of the owner it names. */
const requestsForKey = 2

/**
 * Fetches the key with this id: from its document to the owner named there, then to the owner's own document. Only
 * the latter is proof, for anyone can name any owner in a key document.
 *
 * Two requests at most, both to the server of the key. A server that takes another signature scheme than the first
 * offered and keeps keys apart from actors needs more at first contact: it is `unreachable`, and the remembered
 * scheme makes two enough on the next delivery.
 */
async function fetchKey(ctx: Ctx, keyId: string): Promise<OwnedKey | ActorFailure> {
  const found = await ownerOf(ctx, keyId)
  if (found.kind !== 'found') return found
  const key = found.actor.keys.find(({ id }) => id === keyId)
  if (key === undefined) return keyRefused(`${found.actor.uri} does not list the key`)
  return { kind: 'found', publicKey: key.publicKey, owner: found.actor }
}

async function ownerOf(ctx: Ctx, keyId: string): ReturnType<typeof fetchActor> {
  const before = ctx.http.sent()
  const fetched = await fetchDocument(ctx, keyId, { sameHostOnly: true, requests: requestsForKey })
  if (fetched.kind === 'refused' && fetched.spent === true) return spent
  if (fetched.kind === 'missing') return keyRefused('there is nothing at the address of the key')
  if (fetched.kind !== 'found') return fetched
  const { document } = fetched
  const actor = readActor(document, ctx.clock.now())
  if (!isUnreadable(actor)) return { kind: 'found', actor }
  const owner = isObject(document) ? ownerIn(document) : null
  // Key and actor are on one server in practice; a key that names an owner elsewhere would send requests to third
  // parties.
  if (owner === null || !sameOrigin(owner, keyId))
    return keyRefused('its document names no owner on its server')
  const left = requestsForKey - (ctx.http.sent() - before)
  return left > 0 ? fetchActor(ctx, owner, { sameHostOnly: true, requests: left }) : spent
}

const spent: ActorFailure = { kind: 'unreachable', reason: 'Its key takes more requests than one may cause' }

function ownerIn(document: JsonObject): string | null {
  const [inner] = objectsOf(document['publicKey'], 1)
  return idOf(document['owner']) ?? idOf(document['controller']) ?? idOf(inner?.['owner'])
}

function keyRefused(reason: string): ActorFailure {
  return { kind: 'refused', reason }
}

/** Key named by a request, and the network the request came from. */
interface ClaimedKey {
  readonly keyId: string
  readonly network: string
}

// Forged requests name the keys that this server then fetches, any number of any host. Counted in memory: a write for
// each forged request would invite abuse.

const windowSeconds = 60

/** Keys fetched because of one network. A widely reblogged status brings hundreds of new accounts within a minute. */
const mostByNetwork = 300

/**
 * Limit of these that may fail verification: requests of honest servers hardly ever do. Networks that were verified
 * for the host before are exempt, for many servers may share one.
 */
const mostUnproven = 30

/** Keys of one host fetched because of networks never verified for it, however many those are. */
const mostOfHost = 100

const spokeSeconds = 86_400

/** Counts a key request. Returns why the key's server is not contacted now, or null. */
function countKeyRequest(ctx: Ctx, named: ClaimedKey): string | null {
  const { memory } = ctx
  const { network } = named
  const spoke = hasVerifiedBefore(ctx, named)
  if (!spoke && memory.currentCount(`unproven ${network}`) >= mostUnproven)
    return 'Too many signatures of one network prove nothing'
  if (memory.increment(`keys by ${network}`, windowSeconds) > mostByNetwork)
    return 'Too many unknown keys of one network'
  if (spoke) return null
  const ofHost = memory.increment(`keys of ${hostOf(named.keyId)}`, windowSeconds)
  return ofHost > mostOfHost ? 'Too many unknown keys of one host' : null
}

/** Marks the network as verified for the key's host, so that forgeries of others do not count against it. */
function recordVerifiedKey(ctx: Ctx, named: ClaimedKey): void {
  if (!hasVerifiedBefore(ctx, named)) ctx.memory.set(verifiedCacheKey(named), '', spokeSeconds)
}

/** Records that the fetched key is missing or does not fit the signature. */
function recordUnverifiedKey(ctx: Ctx, { network }: ClaimedKey): void {
  ctx.memory.increment(`unproven ${network}`, windowSeconds)
}

function hasVerifiedBefore(ctx: Ctx, named: ClaimedKey): boolean {
  return ctx.memory.get(verifiedCacheKey(named)) !== null
}

function verifiedCacheKey({ keyId, network }: ClaimedKey): string {
  return `speaks ${network} ${hostOf(keyId)}`
}

/** Signer of a request: a known remote actor with the moderators' decisions about it. */
export interface Signer {
  readonly id: AccountId
  readonly uri: string
  readonly username: string
  readonly domain: string
  /** Suspended here or by its own server, or its whole server is: nothing it sends may have an effect. */
  readonly suspended: boolean
  /** Followers collection, by which its statuses name their audience. */
  readonly followers: string | null
  /** Domain limit on its server. */
  readonly limit: DomainLimit | null
  /** The relay that it is; null for other actors. */
  readonly relay: RelaySigner | null
}

/** Relay in the list of administrators, recognised by its inbox: an actor's inbox is on the actor's own server. */
export interface RelaySigner {
  readonly id: RelayId
  readonly state: RelayState
}

/** A stored key and its owner. */
interface StoredKey {
  /** PEM, or multibase for Ed25519. */
  readonly publicKey: string
  readonly signer: Signer
  /** Last fetch of the owner's document. */
  readonly readAt: Date
}

/** Finds the owner of a key by the id that signatures name; null where no known actor's own document lists it. */
export function signerByKeyId(ctx: Ctx, keyId: string): Query<Signer | null> {
  return map(keyById(ctx, keyId), (key) => key?.signer ?? null)
}

/** Finds a key and its owner by key id. Two statements of a few rows. */
export function keyById(ctx: Ctx, keyId: string): Query<StoredKey | null> {
  const { id, uri, username, domain, suspendedAt } = accounts
  const found = first(
    ctx.db
      .select({
        publicKey: actorKeys.publicKey,
        readAt: remoteActors.fetchedAt,
        followers: remoteActors.followers,
        ...prefixedColumns('a', { id, uri, username, domain, suspendedAt }),
        ...optionalPrefixedColumns('relay', { relayId: relays.id, relayState: relays.state }),
      })
      .from(actorKeys)
      .innerJoin(accounts, eq(accounts.id, actorKeys.accountId))
      .innerJoin(remoteActors, eq(remoteActors.accountId, actorKeys.accountId))
      .leftJoin(relays, eq(relays.inboxUrl, remoteActors.inbox))
      .where(eq(actorKeys.keyId, keyId)),
  )
  const host = hostOf(keyId) ?? ''
  const decided = combineQueries({ limit: limitOfOwner(ctx, keyId), allowed: isAllowedDomain(ctx, host) })
  return map(both(found, decided), ([row, { limit: decision, allowed }]) => {
    if (row === null || row.uri === null || row.domain === null) return null
    const { publicKey, readAt, followers } = row
    const limit = allowed ? decision : unlisted(host, readAt)
    const suspended = row.suspendedAt !== null || limit?.severity === 'suspend'
    const { id, uri, username, domain, relayId, relayState } = row
    const relay = relayId === null || relayState === null ? null : { id: relayId, state: relayState }
    return { publicKey, readAt, signer: { id, uri, username, domain, suspended, followers, limit, relay } }
  })
}

/** Limit of hosts outside the allowlist in limited federation mode: treated as suspended. */
function unlisted(domain: string, createdAt: Date): DomainLimit {
  return { domain, severity: 'suspend', rejectMedia: true, rejectReports: true, createdAt }
}

const mostLabels = 10

/**
 * Finds the strictest limit on the host of a key and on the domain in its owner's handle.
 *
 * A limit holds for subdomains: for a.b.c, those on a.b.c, b.c and c are looked up. D1 bills every step of a
 * recursion: only owners with two domains pay for that.
 */
function limitOfOwner(ctx: Ctx, keyId: string): Query<DomainLimit | null> {
  const { domain, severity, rejectMedia, rejectReports, createdAt } = domainLimits
  const host = hostOf(keyId) ?? ''
  const labels = host.split('.')
  const names = labels.map((_, index) => labels.slice(index).join('.')).slice(-mostLabels)
  const ofHost = sql`select l.* from ${jsonRows(names)} cross join domain_limits l on l.domain = item.value`
  const ofHandle = sql`select l.* from actor_keys k
    join accounts a on a.id = k.account_id and a.domain <> ${host}
    join domain_limits l on l.domain in (
      with recursive part(name) as (select a.domain
        union select substr(name, instr(name, '.') + 1) from part where instr(name, '.') > 0)
      select name from part)
    where k.key_id = ${keyId}`
  return first(
    ctx.db
      .select(prefixedColumns('l', { domain, severity, rejectMedia, rejectReports, createdAt }))
      .from(sql`(${ofHost} union all ${ofHandle}) as ${domainLimits}`)
      .orderBy(sql`case ${severity} when 'suspend' then 0 when 'silence' then 1 else 2 end`),
  )
}

/** Verdict on a request's signature: `verifyRequest` never throws for what remote servers send. */
export type SignatureVerdict =
  | { readonly kind: 'signed'; readonly signer: Signer }
  | { readonly kind: 'unsigned' }
  /** Irrelevant activity: the signer does not matter. */
  | { readonly kind: 'idle' }
  /** Actor deleted, according to the key's server: the delivery is to be accepted and dropped. */
  | { readonly kind: 'gone' }
  /** Signature does not match the claimed signer; a retry would not help. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The server of the key does not answer now. */
  | { readonly kind: 'retry'; readonly reason: string }
