import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { fetchDocument } from './fetch'
import { type Collection, readCollection } from './vocab/collection'
import type { Reference } from './vocab/json'

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
