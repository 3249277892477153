import { isValidHashtag } from '../../contract/text/hashtag'
import type { FeaturePolicy, Featurer } from '../../db/values'
import type { RemoteCollection } from '../../domain/collections/remote'
import { sanitiseHtml } from '../../lib/html'
import { knownLanguage } from '../../lib/language'
import { sameOrigin } from '../../lib/web-address'
import { isPublic } from './activity'
import {
  countOf,
  firstOf,
  hasType,
  idOf,
  isObject,
  isPlainDocument,
  isTrue,
  type JsonObject,
  listOf,
  localizedTextOf,
  pastInstantOf,
  type Reference,
  referenceOf,
  referencesOf,
  singleLineOf,
  truncate,
  typeAmong,
} from './json'
import { ownPageOf } from './links'

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

const MAX_NAME = 200
const MAX_SUMMARY = 5_000
const MAX_SUMMARY_BYTES = 8_192
const MAX_ENTRIES = 50

/** Parses a collection of accounts (FEP-7aa9) fetched from its own id; null for invalid documents. */
export function readFeaturedCollection(document: unknown, now: Date): RemoteCollection | null {
  if (!isPlainDocument(document) || !hasType(document, 'FeaturedCollection')) return null
  const [uri, author] = [idOf(document['id']), idOf(document['attributedTo'])]
  if (uri === null || author === null || !sameOrigin(uri, author)) return null
  const [name, summary] = [localizedTextOf(document, 'name'), localizedTextOf(document, 'summary')]
  const language = name?.language ?? summary?.language ?? null
  return {
    uri,
    author,
    url: ownPageOf(document['url'], uri),
    name: singleLineOf(name?.text, MAX_NAME),
    descriptionHtml: sanitiseHtml(truncate(summary?.text ?? '', MAX_SUMMARY), {
      maxBytes: MAX_SUMMARY_BYTES,
    }),
    language: language === null ? null : knownLanguage(language),
    sensitive: isTrue(document['sensitive']),
    discoverable: document['discoverable'] !== false,
    tag: topicOf(document),
    publishedAt: pastInstantOf(document['published'], now),
    updatedAt: pastInstantOf(document['updated'], now),
  }
}

function topicOf(collection: JsonObject): string | null {
  const topic = firstOf(collection['topic'])
  if (!isObject(topic) || !hasType(topic, 'Hashtag')) return null
  const name = singleLineOf(topic['name'], MAX_NAME).replace(/^#/, '')
  return isValidHashtag(name) ? name : null
}

/** Actor id in an item of a collection; null for any other object. */
export function featuredIn(document: JsonObject | null): string | null {
  if (document === null || !hasType(document, 'FeaturedItem')) return null
  return idOf(document['featuredObject'])
}

/**
 * Actors allowed to feature an actor, by `interactionPolicy.canFeature`. Null where that is missing: no consent. The
 * actor's own id in a list adds no other account.
 */
export function featurePolicyIn(
  actor: JsonObject,
  own: { readonly uri: string; readonly followers: string | null; readonly following: string | null },
): FeaturePolicy | null {
  const policy = firstOf(actor['interactionPolicy'])
  const rule = isObject(policy) ? firstOf(policy['canFeature']) : null
  if (!isObject(rule)) return null
  const who = (key: string) => [
    ...new Set(listOf(rule[key], MAX_ENTRIES).flatMap((entry): Featurer[] => featurerOf(entry, own))),
  ]
  return { automatic: who('automaticApproval'), manual: who('manualApproval') }
}

function featurerOf(entry: unknown, own: Parameters<typeof featurePolicyIn>[1]): Featurer[] {
  if (isPublic(entry)) return ['public']
  const id = idOf(entry)
  if (id === null || id === own.uri) return []
  if (id === own.followers) return ['followers']
  return id === own.following ? ['following'] : ['unsupported_policy']
}
