import type { Thing } from './document'

/** A collection of which others may know the size alone. */
export function countOf(id: string, totalItems: number): Thing {
  return { id, type: 'Collection', totalItems }
}

/** A short list, whole. */
export function orderedList(id: string, items: readonly unknown[]): Thing {
  return { id, type: 'OrderedCollection', totalItems: items.length, orderedItems: items }
}

/** An ordered collection, whose items are on pages; without `first` nobody may see them. */
export function orderedCollection(
  id: string,
  given: { readonly totalItems: number; readonly first?: string; readonly last?: string },
): Thing {
  return { id, type: 'OrderedCollection', ...given }
}

export interface PageLinks {
  readonly partOf: string
  readonly next?: string | undefined
  readonly prev?: string | undefined
}

/** A page of an ordered collection. */
export function orderedPage(id: string, links: PageLinks, items: readonly unknown[]): Thing {
  return { id, type: 'OrderedCollectionPage', ...present(links), orderedItems: items }
}

/** A page of a collection without order. */
export function collectionPage(id: string, links: PageLinks, items: readonly unknown[]): Thing {
  return { id, type: 'CollectionPage', ...present(links), items }
}

function present(links: PageLinks): Thing {
  return Object.fromEntries(Object.entries(links).filter(([, link]) => link !== undefined))
}

/**
 * The answers to a status: the author's own come with it, those of others are on the pages after.
 *
 * The first page stands inside, so that a thread is there in one request.
 */
export function firstReplies(id: string, own: readonly string[]): Thing {
  const first = `${id}?page=true`
  const page = collectionPage(first, { partOf: id, next: `${id}?only_other_accounts=true&page=true` }, own)
  return { id, type: 'Collection', first: page }
}
