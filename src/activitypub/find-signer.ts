import { eq, sql } from 'drizzle-orm'
import { both, combineQueries, first, map, type Query } from '../db/query'
import { accounts, actorKeys, domainLimits, remoteActors } from '../db/schema'
import { jsonRows, prefixedColumns } from '../db/sql'
import { type DomainLimit, isAllowedDomain } from '../domain/instance/limits'
import type { AccountId } from '../lib/ids'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../platform/ports'

/** Whoever signed a request: an actor of another server this one knows, with what moderators decided about it. */
export interface Signer {
  readonly id: AccountId
  readonly uri: string
  readonly username: string
  readonly domain: string
  /** Suspended itself, here or at home, or all of its server: nothing it sends may have an effect. */
  readonly suspended: boolean
  /** Its followers collection, by which its posts name their audience. */
  readonly followers: string | null
  /** The limit on its server. */
  readonly limit: DomainLimit | null
}

/** A key in store, and whose it is. */
export interface StoredKey {
  /** PEM, or multibase for Ed25519. */
  readonly publicKey: string
  readonly signer: Signer
  /** When the document of its owner was last read. */
  readonly readAt: Date
}

/** The owner of a key, by the id that signatures name; null where no known actor's own document lists it. */
export function signerByKeyId(ctx: Ctx, keyId: string): Query<Signer | null> {
  return map(keyById(ctx, keyId), (key) => key?.signer ?? null)
}

/** The same with the key. Two statements of a few rows. */
export function keyById(ctx: Ctx, keyId: string): Query<StoredKey | null> {
  const { id, uri, username, domain, suspendedAt } = accounts
  const found = first(
    ctx.db
      .select({
        publicKey: actorKeys.publicKey,
        readAt: remoteActors.fetchedAt,
        followers: remoteActors.followers,
        ...prefixedColumns('a', { id, uri, username, domain, suspendedAt }),
      })
      .from(actorKeys)
      .innerJoin(accounts, eq(accounts.id, actorKeys.accountId))
      .innerJoin(remoteActors, eq(remoteActors.accountId, actorKeys.accountId))
      .where(eq(actorKeys.keyId, keyId)),
  )
  const host = hostOf(keyId) ?? ''
  const decided = combineQueries({ limit: limitOfOwner(ctx, keyId), allowed: isAllowedDomain(ctx, host) })
  return map(both(found, decided), ([row, { limit: decision, allowed }]) => {
    if (row === null || row.uri === null || row.domain === null) return null
    const { publicKey, readAt, followers } = row
    const limit = allowed ? decision : unlisted(host, readAt)
    const suspended = row.suspendedAt !== null || limit?.severity === 'suspend'
    const { id, uri, username, domain } = row
    return { publicKey, readAt, signer: { id, uri, username, domain, suspended, followers, limit } }
  })
}

/** Where only listed servers are spoken with, all others stand as if they were suspended. */
function unlisted(domain: string, createdAt: Date): DomainLimit {
  return { domain, severity: 'suspend', rejectMedia: true, rejectReports: true, createdAt }
}

const mostLabels = 10

/**
 * Of the limits on the host of a key and on the domain in the handle of its owner, the severest.
 *
 * A limit holds for subdomains: of a.b.c, those on a.b.c, b.c and c are asked for. D1 bills every step of a recursion:
 * only owners with two domains pay for that.
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

/** What the signature of a request says: `verifyRequest` never throws for what strangers send. */
export type SignatureVerdict =
  | { readonly kind: 'signed'; readonly signer: Signer }
  | { readonly kind: 'unsigned' }
  /** Whoever signed it: what it is about is of no concern here. */
  | { readonly kind: 'idle' }
  /** The server of the key says that the actor is no more: whatever came is to be accepted and forgotten. */
  | { readonly kind: 'gone' }
  /** Not by whom it claims to be; sending it again would not help. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The server of the key does not answer now. */
  | { readonly kind: 'retry'; readonly reason: string }
