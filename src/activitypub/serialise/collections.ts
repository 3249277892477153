import type { OwnReplies } from '../../view/load/notes'
import type { JsonLdObject } from './document'

/** A collection of which others may know the size alone. */
export function countOf(id: string, totalItems: number): JsonLdObject {
  return { id, type: 'Collection', totalItems }
}

/** A short list, whole. */
export function orderedList(id: string, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'OrderedCollection', totalItems: items.length, orderedItems: items }
}

/** An ordered collection, whose items are on pages; without `first` nobody may see them. */
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

/** A page of an ordered collection. */
export function orderedPage(id: string, links: PageLinks, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'OrderedCollectionPage', ...present(links), orderedItems: items }
}

/** A page of a collection without order. */
export function collectionPage(id: string, links: PageLinks, items: readonly unknown[]): JsonLdObject {
  return { id, type: 'CollectionPage', ...present(links), items }
}

function present(links: PageLinks): JsonLdObject {
  return Object.fromEntries(Object.entries(links).filter(([, link]) => link !== undefined))
}

/** The addresses of the pages of answers: first the author's own, then those of all others. */
export const repliesPages = {
  own: (id: string, minId?: number) => `${id}?${minId === undefined ? '' : `min_id=${minId}&`}page=true`,
  others: (id: string, minId?: number) =>
    `${id}?${minId === undefined ? '' : `min_id=${minId}&`}only_other_accounts=true&page=true`,
}

/** The answers to a status. The first page stands inside, so that a thread of its author is there at once. */
export function firstReplies(id: string, { uris, moreAbove }: OwnReplies): JsonLdObject {
  const next = moreAbove === null ? repliesPages.others(id) : repliesPages.own(id, moreAbove)
  return { id, type: 'Collection', first: collectionPage(repliesPages.own(id), { partOf: id, next }, uris) }
}
