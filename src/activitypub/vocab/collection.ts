import { countOf, idOf, isPlainDocument, type Reference, referenceOf, referencesOf, typeAmong } from './json'

const collectionTypes = [
  'Collection',
  'OrderedCollection',
  'CollectionPage',
  'OrderedCollectionPage',
] as const

const MAX_ITEMS = 200

/** A collection, or one page of one. */
export interface Collection {
  readonly id: string | null
  readonly isPage: boolean
  /** Items in the given order; a paged collection has none itself. */
  readonly items: readonly Reference[]
  readonly totalItems: number | null
  /** First page, often inlined. */
  readonly first: Reference | null
  readonly next: string | null
  readonly partOf: string | null
}

/** Parses a collection or a page of one, up to `maxItems` items; null for any other document. */
export function readCollection(document: unknown, maxItems = MAX_ITEMS): Collection | null {
  if (!isPlainDocument(document)) return null
  const type = typeAmong(document, collectionTypes)
  if (type === null) return null
  return {
    id: idOf(document['id']),
    isPage: type.endsWith('Page'),
    items: referencesOf(document['orderedItems'] ?? document['items'], maxItems),
    totalItems: countOf(document['totalItems']),
    first: referenceOf(document['first']),
    next: idOf(document['next']),
    partOf: idOf(document['partOf']),
  }
}
