import { execute } from '../db/query'
import { localFollowersOf } from '../domain/relationships/synchronize-followers'
import { actorAddresses } from '../lib/addresses'
import { hostOf, sameOrigin } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { fetchDocument } from './fetch'
import type { Signer } from './find-signer'
import { readCollection } from './vocab/collection'

/**
 * A digest of a set of actor ids (FEP-8fcf): the SHA-256 hashes of the ids combined by XOR, in hexadecimal. The order
 * does not matter, and the digest of none is all zeros.
 */
export async function digestOfIds(ids: readonly string[]): Promise<string> {
  const sum = new Uint8Array(32)
  for (const id of ids) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)))
    for (const [index, byte] of hash.entries()) sum[index] = (sum[index] ?? 0) ^ byte
  }
  return sum.toHex()
}

/** Those of the actor ids that are at `host`. */
export function idsAt(host: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => hostOf(id) === host)
}

/** Where one server is told which of its people follow `actor`. */
export function synchronizationUrl(actor: string): string {
  return `${actor}/followers_synchronization`
}

/** What tells a server whom of its people we take for followers of `actor`. */
export async function synchronizationHeader(actor: string, followers: readonly string[]): Promise<string> {
  const digest = await digestOfIds(followers)
  const { followers: collection } = actorAddresses(actor)
  return `collectionId="${collection}", url="${synchronizationUrl(actor)}", digest="${digest}"`
}

/** What another server takes for the followers its actor has here. */
export interface Synchronization {
  readonly collectionId: string
  readonly url: string
  readonly digest: string
}

/** Reads the header; null where it is not of the form, or says a thing twice. */
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

/** How long an unchanged digest is not followed up, and how many changed ones of one actor are in that time. */
const askedAgainSeconds = 3_600
const maxFetches = 6

/**
 * Holds what the server of a signer takes for its followers here against what we do, after the answer. Where they
 * differ, its list is asked for by a job (`followers.doubted`).
 */
export function checkFollowersSync(ctx: Ctx, signer: Signer, header: string | null): void {
  const told = header === null ? null : readSynchronization(header)
  if (told === null || told.collectionId !== signer.followers || !sameOrigin(told.url, signer.uri)) return
  const known = `followers ${signer.id}`
  if (ctx.memory.get(known) === told.digest) return
  if (ctx.memory.increment(`lists of ${signer.id}`, askedAgainSeconds) > maxFetches) return
  ctx.afterResponse(async () => {
    const ours = await execute(ctx.db, localFollowersOf(ctx, signer.id))
    ctx.memory.set(known, told.digest, askedAgainSeconds)
    if ((await digestOfIds(ours.map(({ uri }) => uri))) === told.digest) return
    await ctx.jobs.send({ kind: 'sync-followers', accountId: signer.id, url: told.url })
  })
}

const mostItems = 10_000

/**
 * All items of a collection that comes in one piece; null where it cannot be had whole. What is missing from the
 * answer must mean something: an unreachable server has not lost its followers.
 */
export async function fetchWholeCollection(ctx: Ctx, url: string): Promise<readonly string[] | null> {
  const fetched = await fetchDocument(ctx, url)
  const collection = fetched.kind === 'found' ? readCollection(fetched.document, mostItems) : null
  if (collection === null || collection.isPage || collection.first !== null) return null
  if (collection.items.length === mostItems) return null
  const ids = collection.items.map(({ id }) => id)
  return ids.includes(null) ? null : ids.filter((id) => id !== null)
}
