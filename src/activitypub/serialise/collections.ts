import type { OwnReplies } from '../../view/load/notes'
import type { JsonLdObject } from './document'

/** Builds a collection that reveals its size alone. */
export function countOf(id: string, totalItems: number): JsonLdObject {
  return { id, type: 'Collection', totalItems }
}

/** Builds a short collection with all items inlined. */
export function orderedList(id: string, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'OrderedCollection', totalItems: items.length, orderedItems: items }
}

/** Builds a paged collection; without `first` its items are hidden. */
export function orderedCollection(
  id: string,
  given: { readonly totalItems: number; readonly first?: string; readonly last?: string },
): JsonLdObject {
  return { id, type: 'OrderedCollection', ...given }
}

export interface PageLinks {
  readonly partOf: string
  readonly next?: string | undefined
  readonly prev?: string | undefined
}

/** Builds a page of an ordered collection. */
export function orderedPage(id: string, links: PageLinks, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'OrderedCollectionPage', ...present(links), orderedItems: items }
}

/** Builds a page of an unordered collection. */
export function collectionPage(id: string, links: PageLinks, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'CollectionPage', ...present(links), items }
}

function present(links: PageLinks): JsonLdObject {
  return Object.fromEntries(Object.entries(links).filter(([, link]) => link !== undefined))
}

/** Addresses of the pages of a conversation, as Mastodon's. */
export function contextPage(id: string, minId?: number): string {
  return `${id}/items?${minId === undefined ? '' : `min_id=${minId}&`}page=true`
}

/** Page addresses of replies: first the author's own, then those of all other accounts. */
export const repliesPages = {
  own: (id: string, minId?: number) => `${id}?${minId === undefined ? '' : `min_id=${minId}&`}page=true`,
  others: (id: string, minId?: number) =>
    `${id}?${minId === undefined ? '' : `min_id=${minId}&`}only_other_accounts=true&page=true`,
}

/**
 * Builds a status's replies collection. The first page is inlined, so that an author's own thread needs no further
 * fetch.
 */
export function firstReplies(id: string, { uris, moreAbove }: OwnReplies): JsonLdObject {
  const next = moreAbove === null ? repliesPages.others(id) : repliesPages.own(id, moreAbove)
  return { id, type: 'Collection', first: collectionPage(repliesPages.own(id), { partOf: id, next }, uris) }
}
