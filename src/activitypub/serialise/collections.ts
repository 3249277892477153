import type { Config } from '../../config'
import {
  actorUri,
  collectionUri,
  collectionUrl,
  featureAuthorizationUri,
  tagUrl,
  uriOfAccount,
} from '../../contract/addresses'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { escapeHtml } from '../../lib/html'
import type { FeaturedCollectionFacts, FeaturedItemFacts } from '../../view/load/actors'
import type { OwnReplies } from '../../view/load/notes'
import { instant, type JsonLdObject } from './document'

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

/** Serialises a collection of accounts with the consent of each (FEP-7aa9). */
export function featuredCollection({ origin }: Config, facts: FeaturedCollectionFacts): JsonLdObject {
  const { collection, items } = facts
  const { id, name, description, language, tag, createdAt, updatedAt } = collection
  const owner = actorUri(origin, facts.ownerName)
  const uri = collectionUri(owner, id)
  const summary = `<p>${escapeHtml(description)}</p>`
  return {
    id: uri,
    type: 'FeaturedCollection',
    attributedTo: owner,
    url: collectionUrl(origin, id),
    name,
    ...(description === '' ? {} : { summary }),
    ...(language === null ? {} : { nameMap: { [language]: name } }),
    ...(language === null || description === '' ? {} : { summaryMap: { [language]: summary } }),
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    ...(tag === null ? {} : { topic: topicOf(origin, tag) }),
    published: instant(createdAt),
    updated: instant(updatedAt),
    totalItems: items.length,
    orderedItems: items.map((item) => featuredItem(origin, uri, item)),
  }
}

function topicOf(origin: string, tag: string): JsonLdObject {
  return { type: 'Hashtag', href: tagUrl(origin, normaliseHashtag(tag)), name: `#${tag}` }
}

/** Serialises an account in a collection. `collection` is the collection's id. */
export function featuredItem(origin: string, collection: string, item: FeaturedItemFacts): JsonLdObject {
  const { id, actorType, authorizationUri, createdAt } = item
  const featured = uriOfAccount(origin, item)
  return {
    id: `${collection}/items/${id}`,
    type: 'FeaturedItem',
    featuredObject: featured,
    featuredObjectType: actorType,
    featureAuthorization: authorizationUri ?? featureAuthorizationUri(featured, id),
    published: instant(createdAt),
  }
}

/** Serialises a local account's consent to being in a collection. */
export function featureAuthorization(consent: {
  readonly id: string
  readonly featured: string
  readonly collection: string
}): JsonLdObject {
  const { id, featured, collection } = consent
  return {
    id,
    type: 'FeatureAuthorization',
    attributedTo: featured,
    interactingObject: collection,
    interactionTarget: featured,
  }
}
