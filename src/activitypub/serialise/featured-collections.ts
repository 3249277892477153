import type { Config } from '../../config'
import {
  actorUri,
  collectionUri,
  collectionUrl,
  featureAuthorizationUri,
  tagUrl,
  uriOfAccount,
} from '../../lib/addresses'
import { normaliseHashtag } from '../../lib/hashtag'
import { escapeHtml } from '../../lib/html'
import type { FeaturedCollectionFacts, FeaturedItemFacts } from '../../view/load/actors'
import { instant, type JsonLdObject } from './document'

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
