import type { Config } from '../../config'
import { actorUri, collectionUri, collectionUrl, tagUrl } from '../../contract/addresses'
import type { Collection, CollectionItem } from '../../contract/entities/collection'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { escapeHtml } from '../../lib/html'
import type { CollectionFacts, ItemFacts } from '../load/collections'
import { timestamp } from './time'

/** Presents a collection with the items its viewer may see. */
export function presentCollection({ origin }: Config, collection: CollectionFacts): Collection {
  const { id, uri, tag, items } = collection
  const local = uri === null
  const name = tag === null ? null : normaliseHashtag(tag)
  return {
    id: String(id),
    account_id: String(collection.accountId),
    uri: uri ?? collectionUri(actorUri(origin, collection.ownerName), id),
    url: local ? collectionUrl(origin, id) : collection.url,
    name: collection.name,
    description: local ? escapeHtml(collection.description) : collection.description,
    language: collection.language,
    local,
    sensitive: collection.sensitive,
    discoverable: collection.discoverable,
    tag: name === null ? null : { name, url: tagUrl(origin, name) },
    created_at: timestamp(collection.createdAt),
    updated_at: timestamp(collection.updatedAt),
    item_count: items.length,
    items: items.map(presentItem),
  }
}

export function presentItem({ id, accountId, state, createdAt }: ItemFacts): CollectionItem {
  return { id: String(id), account_id: String(accountId), state, created_at: timestamp(createdAt) }
}
