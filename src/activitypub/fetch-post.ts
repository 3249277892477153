import { execute } from '../db/query'
import { accountIdByUri, followersAddress } from '../domain/accounts/find'
import type { RemoteStatus } from '../domain/statuses/remote/remote-status'
import type { AccountId } from '../lib/ids'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { budgetDomain, secondsToWait, spend } from './budgets'
import { type FetchOptions, type FetchResult, fetchDocument } from './fetch'
import { readActivity } from './vocab/activity'
import { type Collection, readCollection } from './vocab/collections'
import { isUnreadable, type Reference } from './vocab/json'
import { isTombstone } from './vocab/quotes'
import { isStatusDocument, readStatus } from './vocab/status'

/** A status read from its own server, and its author, stored by then. */
export interface FetchedPost {
  readonly status: RemoteStatus
  readonly author: AccountId
}

export type PostFetchResult =
  | ({ readonly kind: 'found' } & FetchedPost)
  /** Deleted, according to its server. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'none'; readonly reason: string }
  /** Temporary: a later retry may succeed. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Fetches a status; the address of its Create leads to the object of the Create. */
export async function fetchPost(
  ctx: Ctx,
  address: string,
  options: FetchOptions = {},
): Promise<PostFetchResult> {
  return isOverBudget(ctx, address)
    ? overBudget
    : readFetchedPost(ctx, await fetchDocument(ctx, address, options))
}

const overBudget = { kind: 'unreachable', reason: 'too many statuses of its server were fetched' } as const

function isOverBudget(ctx: Ctx, uri: string): boolean {
  return secondsToWait(ctx, 'fetched', budgetDomain(uri)) !== null
}

/** Parses a status from a fetched document, following a Create to its object. */
export async function readFetchedPost(ctx: Ctx, fetched: FetchResult): Promise<PostFetchResult> {
  const created = fetched.kind === 'found' ? createdBy(fetched.document) : null
  const settled = created === null ? fetched : await fetchDocument(ctx, created)
  switch (settled.kind) {
    case 'found':
      return readPostDocument(ctx, settled.document)
    case 'missing':
      return { kind: 'none', reason: 'there is nothing at its address' }
    case 'refused':
      return { kind: 'none', reason: settled.reason }
    default:
      return settled
  }
}

function createdBy(document: object): string | null {
  const activity = readActivity(document)
  return activity?.type === 'Create' ? (activity.object?.id ?? null) : null
}

/** Parses a document that came from the server of its id. An unknown author is fetched. */
export async function readPostDocument(ctx: Ctx, document: object): Promise<PostFetchResult> {
  if (isTombstone(document)) return { kind: 'gone' }
  if (!isStatusDocument(document)) return { kind: 'none', reason: 'not a status' }
  const now = ctx.clock.now()
  const read = readStatus(document, { authorFollowers: null, now })
  if (isUnreadable(read)) return { kind: 'none', reason: read.unreadable }
  // Threads are unbounded, and one delivered status leads to many fetched ones.
  if (isOverBudget(ctx, read.uri)) return overBudget
  spend(ctx, 'fetched', budgetDomain(read.uri))
  const found = await ctx.resolver.accountByUri(read.author)
  // An address may lead to another actor's document: only the owner of the id is the author.
  const author = found === null ? null : await execute(ctx.db, accountIdByUri(ctx, read.author))
  if (author === null) return { kind: 'none', reason: 'its author cannot be fetched' }
  // Only the mentions distinguish a followers-only status from a direct one.
  if (read.visibility !== 'direct') return { kind: 'found', status: read, author }
  const authorFollowers = await execute(ctx.db, followersAddress(ctx, author))
  const status = readStatus(document, { authorFollowers, now })
  if (isUnreadable(status)) return { kind: 'none', reason: status.unreadable }
  return { kind: 'found', status, author }
}

/** Items of a collection, as far as it was read. */
export interface CollectionItems {
  readonly items: readonly Reference[]
  readonly totalItems: number | null
}

export interface CollectionLimits {
  readonly items: number
  readonly pages: number
}

/**
 * Fetches the first items of a remote collection page by page, up to the first unreadable page. Every page must be on
 * the collection's host.
 */
export async function fetchCollectionItems(
  ctx: Ctx,
  address: string,
  most: CollectionLimits,
): Promise<CollectionItems> {
  const collection = await fetchCollection(ctx, address)
  return collection === null ? nothing : readPages(ctx, { collection, address }, most)
}

/**
 * Reads a collection that a document of `host` links or embeds: embedded items count, and further pages are fetched.
 * GoToSocial leaves the author's own replies out of the collection itself, and names the page that has them in the
 * first page it sends with the status.
 */
export async function readEmbeddedItems(
  ctx: Ctx,
  { reference, host }: { readonly reference: Reference; readonly host: string },
  most: CollectionLimits,
): Promise<CollectionItems> {
  const inside = reference.document === null ? null : readCollection(reference.document)
  const address = reference.id ?? inside?.first?.id ?? null
  if (address !== null && hostOf(address) !== host) return nothing
  const leadsOn = inside !== null && (inside.items.length > 0 || nextPageOf(inside) !== null)
  if (leadsOn) return readPages(ctx, { collection: inside, address: address ?? `https://${host}/` }, most)
  return address === null ? nothing : fetchCollectionItems(ctx, address, most)
}

const nothing: CollectionItems = { items: [], totalItems: null }

interface Start {
  readonly collection: Collection
  /** Address the collection was read from. */
  readonly address: string
}

async function readPages(
  ctx: Ctx,
  { collection, address }: Start,
  most: CollectionLimits,
): Promise<CollectionItems> {
  const items: Reference[] = []
  const seen = new Set([address])
  let page: Collection | null = collection
  for (let pages = 0; page !== null && items.length < most.items; ) {
    items.push(...page.items)
    const next: string | Collection | null = nextPageOf(page)
    if (typeof next === 'string') {
      pages += 1
      const isFresh = !seen.has(next) && pages <= most.pages && hostOf(next) === hostOf(address)
      seen.add(next)
      page = isFresh ? await fetchCollection(ctx, next) : null
    } else page = next
  }
  return { items: items.slice(0, most.items), totalItems: collection.totalItems }
}

/** Page after a collection or page: its first page, possibly embedded, or the next one. */
function nextPageOf(page: Collection): string | Collection | null {
  if (page.isPage) return page.next
  const inside = page.first?.document == null ? null : readCollection(page.first.document)
  if (inside?.isPage === true && (inside.items.length > 0 || inside.next !== null)) return inside
  return page.first?.id ?? null
}

/** Fetches a collection. A server is trusted only for its own collections: a redirect to another host yields null. */
async function fetchCollection(ctx: Ctx, address: string): Promise<Collection | null> {
  const fetched = await fetchDocument(ctx, address)
  return fetched.kind === 'found' && hostOf(fetched.url) === hostOf(address)
    ? readCollection(fetched.document)
    : null
}
