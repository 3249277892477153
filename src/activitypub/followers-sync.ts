import { actorAddresses } from '../contract/addresses'
import { execute } from '../db/query'
import { localFollowersOf } from '../domain/relationships/synchronize-followers'
import { hostOf, sameOrigin } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { fetchDocument } from './fetch'
import type { Signer } from './verify-request'
import { readCollection } from './vocab/collections'

/**
 * Digest of a set of actor ids (FEP-8fcf): the SHA-256 hashes of the ids combined by XOR, in hexadecimal. The order
 * does not matter, and the digest of an empty set is all zeros.
 */
export async function digestOfIds(ids: readonly string[]): Promise<string> {
  const sum = new Uint8Array(32)
  for (const id of ids) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)))
    for (const [index, byte] of hash.entries()) sum[index] = (sum[index] ?? 0) ^ byte
  }
  return sum.toHex()
}

/** Filters the actor ids by `host`. */
export function idsAt(host: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => hostOf(id) === host)
}

/** Address where a remote server fetches which of its accounts follow `actor`. */
export function synchronizationUrl(actor: string): string {
  return `${actor}/followers_synchronization`
}

/** Value of the Collection-Synchronization header, from the digest of one server's followers of `actor`. */
export function headerOfDigest(actor: string, digest: string): string {
  const { followers: collection } = actorAddresses(actor)
  return `collectionId="${collection}", url="${synchronizationUrl(actor)}", digest="${digest}"`
}

/** Remote server's view of its actor's local followers. */
export interface Synchronization {
  readonly collectionId: string
  readonly url: string
  readonly digest: string
}

/** Parses the header; null where it is malformed or repeats a parameter. */
export function readSynchronization(header: string): Synchronization | null {
  const given = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(/\b(\w+)\s*=\s*"([^"]*)"/g)) {
    if (given.has(name)) return null
    given.set(name, value)
  }
  const [collectionId, url, digest] = [given.get('collectionId'), given.get('url'), given.get('digest')]
  if (collectionId === undefined || url === undefined || !/^[0-9a-f]{64}$/i.test(digest ?? '')) return null
  return { collectionId, url, digest: (digest ?? '').toLowerCase() }
}

/** Period in which an unchanged digest is not checked again, and the limit of changed digests per actor within it. */
const recheckSeconds = 3_600
const maxFetches = 6

/**
 * Compares the signer's server's list of local followers with the stored ones, after the response. Where they differ,
 * a job fetches the list (`sync-followers`).
 */
export function checkFollowersSync(ctx: Ctx, signer: Signer, header: string | null): void {
  const remote = header === null ? null : readSynchronization(header)
  if (remote === null || remote.collectionId !== signer.followers || !sameOrigin(remote.url, signer.uri))
    return
  const cacheKey = `followers ${signer.id}`
  if (ctx.memory.get(cacheKey) === remote.digest) return
  if (ctx.memory.increment(`lists of ${signer.id}`, recheckSeconds) > maxFetches) return
  ctx.afterResponse(async () => {
    const local = await execute(ctx.db, localFollowersOf(ctx, signer.id))
    ctx.memory.set(cacheKey, remote.digest, recheckSeconds)
    if ((await digestOfIds(local.map(({ uri }) => uri))) === remote.digest) return
    await ctx.jobs.send({ kind: 'sync-followers', accountId: signer.id, url: remote.url })
  })
}

const mostItems = 10_000

/**
 * Fetches all items of an unpaged collection; null where it cannot be fetched whole. A missing item counts as an
 * unfollow, so an unreachable server must not look like one that lost its followers.
 */
export async function fetchWholeCollection(ctx: Ctx, url: string): Promise<readonly string[] | null> {
  const fetched = await fetchDocument(ctx, url)
  const collection = fetched.kind === 'found' ? readCollection(fetched.document, mostItems) : null
  if (collection === null || collection.isPage || collection.first !== null) return null
  if (collection.items.length === mostItems) return null
  const ids = collection.items.map(({ id }) => id)
  return ids.includes(null) ? null : ids.filter((id) => id !== null)
}
