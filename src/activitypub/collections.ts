import type { Ctx } from '../context'
import { fetchDocument } from './fetch'
import { type Collection, readCollection } from './vocab/collection'
import type { Reference } from './vocab/json'

/** What a collection holds, as far as it was read. */
export interface Listing {
  readonly items: readonly Reference[]
  readonly totalItems: number | null
}

export interface Reading {
  readonly items: number
  readonly pages: number
}

/**
 * The first items of a collection of another server, page by page; what cannot be read ends it. All pages have to
 * be on the server of the collection.
 */
export async function readListing(ctx: Ctx, address: string, most: Reading): Promise<Listing> {
  const collection = await fetchCollection(ctx, address)
  if (collection === null) return { items: [], totalItems: null }
  const { totalItems } = collection
  const items: Reference[] = []
  const seen = new Set([address])
  let page: Collection | null = collection
  for (let pages = 0; page !== null && items.length < most.items; ) {
    items.push(...page.items)
    const next: string | Collection | null = following(page)
    if (typeof next === 'string') {
      pages += 1
      const isFresh = !seen.has(next) && pages <= most.pages && sameHost(next, address)
      seen.add(next)
      page = isFresh ? await fetchCollection(ctx, next) : null
    } else page = next
  }
  return { items: items.slice(0, most.items), totalItems }
}

/** What comes after a collection or a page: its first page, which may be inside it, or the next one. */
function following(page: Collection): string | Collection | null {
  if (page.isPage) return page.next
  const inside = page.first?.document == null ? null : readCollection(page.first.document)
  if (inside?.isPage === true && (inside.items.length > 0 || inside.next !== null)) return inside
  return page.first?.id ?? null
}

/** What a list holds is believed of its own server: one that a redirect leads away from there is none. */
async function fetchCollection(ctx: Ctx, address: string): Promise<Collection | null> {
  const fetched = await fetchDocument(ctx, address)
  return fetched.kind === 'found' && sameHost(fetched.url, address) ? readCollection(fetched.document) : null
}

function sameHost(one: string, other: string): boolean {
  return URL.parse(one)?.host === URL.parse(other)?.host
}
