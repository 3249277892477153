import { eq, sql } from 'drizzle-orm'
import {
  both,
  combineQueries,
  first,
  jsonRows,
  map,
  optionalPrefixedColumns,
  prefixedColumns,
  type Query,
} from '../db/query'
import { accounts, actorKeys, domainLimits, relays, remoteActors } from '../db/schema'
import type { RelayState } from '../db/schema/federation'
import { type DomainLimit, isAllowedDomain } from '../domain/servers/limits'
import type { AccountId, RelayId } from '../lib/ids'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'

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
export interface StoredKey {
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
