import * as z from 'zod'
import { Html, IdString, Timestamp, Url } from '../scalars'
import { Account } from './account'
import { ShallowTag } from './tag'

export const CollectionItem = z
  .strictObject({
    id: IdString,
    account_id: IdString.nullable(),
    state: z.enum(['pending', 'accepted']),
    created_at: Timestamp,
  })
  .meta({ id: 'CollectionItem' })
export type CollectionItem = z.infer<typeof CollectionItem>

export const Collection = z
  .strictObject({
    id: IdString,
    account_id: IdString,
    uri: Url,
    url: Url.nullable(),
    name: z.string(),
    description: Html,
    language: z.string().nullable(),
    local: z.boolean(),
    sensitive: z.boolean(),
    discoverable: z.boolean(),
    tag: ShallowTag.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    item_count: z.int(),
    items: z.array(CollectionItem),
  })
  .meta({ id: 'Collection' })
export type Collection = z.infer<typeof Collection>

export const WrappedCollection = z.strictObject({ collection: Collection }).meta({ id: 'WrappedCollection' })

export const WrappedCollectionItem = z
  .strictObject({ collection_item: CollectionItem })
  .meta({ id: 'WrappedCollectionItem' })

export const Collections = z.strictObject({ collections: z.array(Collection) }).meta({ id: 'Collections' })

export const CollectionWithAccounts = z
  .strictObject({
    accounts: z.array(Account),
    collection: Collection,
  })
  .meta({ id: 'CollectionWithAccounts' })
