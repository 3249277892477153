import * as z from 'zod'
import {
  Collections,
  CollectionWithAccounts,
  WrappedCollection,
  WrappedCollectionItem,
} from '../contract/entities/collection'
import { Flag, Id, IdList, Limit, Offset } from '../contract/scalars'
import { combineQueries, execute } from '../db/query'
import { accountExists } from '../domain/accounts/find'
import {
  addToCollection,
  createCollection,
  deleteCollection,
  removeFromCollection,
  revokeFromCollection,
  updateCollection,
} from '../domain/collections/change'
import {
  collectionsOf,
  collectionsWith,
  type OffsetPage,
  selectCollection,
  selectCollectionMembers,
} from '../domain/collections/find'
import { type Viewer, viewerById } from '../domain/core/viewer'
import { Forbidden, Invalid, NotFound } from '../errors'
import type { CollectionId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { loadAccounts } from '../view/load/accounts'
import { type CollectionFacts, loadCollections } from '../view/load/collections'
import { presentAccounts } from '../view/present/account'
import { presentCollection, presentItem } from '../view/present/collection'
import { type ApiRequest, anyone, endpoint, readEndpoint, updateEndpoints, user } from './endpoint'
import { offsetPage } from './paginate'

/** Since 4.6.0 the alpha paths are aliases of these. */
const alphaUntil = new Date(1_781_049_600_000)

const ById = z.object({ id: Id })
const ItemKey = z.object({ collection_id: Id, id: Id })
const Paged = z.object({ account_id: Id, offset: Offset() })

/** Null and empty text clear the value; an absent key leaves it. */
const Text = z
  .string()
  .nullable()
  .transform((text) => text ?? '')
  .optional()

const Draft = z.object({
  name: Text,
  description: Text,
  language: Text,
  tag_name: Text,
  sensitive: Flag,
  discoverable: Flag,
})

function patchOf(input: z.output<typeof Draft>) {
  const { name, description, language, tag_name: tag, sensitive, discoverable } = input
  return { name, description, language, tag, sensitive, discoverable }
}

/** Collections an account owns, and collections an account is in. */
const lists = [
  readEndpoint({
    path: '/api/v1/accounts/:account_id/collections',
    summary: 'Collections somebody made; unlisted ones for themselves only',
    auth: anyone('read:collections'),
    input: Paged.extend({ limit: Limit(40, 100) }),
    output: Collections,
    read: (ctx, { input, as }) =>
      combineQueries({
        exists: accountExists(ctx, input.account_id),
        found: loadCollections(ctx, as, collectionsOf(as, input.account_id, oneMore(input))),
      }),
    show: (ctx, { input, request, found: { exists, found } }) => {
      if (!exists) throw new NotFound()
      return pageOf(ctx, { input, request, found })
    },
  }),
  readEndpoint({
    path: '/api/v1/accounts/:account_id/in_collections',
    summary: 'Collections the viewer is in; told to nobody else',
    auth: anyone('read:collections'),
    input: Paged.extend({ limit: Limit(40, 80) }),
    output: Collections,
    read: (ctx, { input, as }) =>
      combineQueries({
        exists: accountExists(ctx, input.account_id),
        found: loadCollections(ctx, as, collectionsWith(as, oneMore(input))),
      }),
    show: (ctx, { input, viewer, request, found: { exists, found } }) => {
      if (!exists) throw new NotFound()
      if (viewer?.id !== input.account_id) throw new Forbidden()
      return pageOf(ctx, { input, request, found })
    },
  }),
]

/** The stable path and the alpha path. */
const versions = [
  { prefix: '/api/v1' as const, outdated: {} },
  { prefix: '/api/v1_alpha' as const, outdated: { deprecatedSince: alphaUntil } },
]

const reads = versions.map(({ prefix, outdated }) =>
  readEndpoint({
    path: `${prefix}/collections/:id`,
    summary: 'A collection and who is in it',
    auth: anyone('read:collections'),
    input: ById,
    output: CollectionWithAccounts,
    ...outdated,
    read: (ctx, { input, as }) =>
      combineQueries({
        collections: loadCollections(ctx, as, selectCollection(as, input.id)),
        accounts: loadAccounts(ctx, selectCollectionMembers(as, input.id)),
      }),
    show: ({ config }, { found }) => {
      const [facts] = found.collections
      if (facts === undefined) throw new NotFound()
      return {
        accounts: presentAccounts(config, found.accounts),
        collection: presentCollection(config, facts),
      }
    },
  }),
)

const creations = versions.map(({ prefix, outdated }) =>
  endpoint({
    path: `${prefix}/collections`,
    summary: 'Make a collection',
    auth: user('write:collections'),
    input: Draft.extend({ account_ids: IdList }),
    output: WrappedCollection,
    ...outdated,
    run: async (ctx, { input, viewer }) => {
      const draft = { ...patchOf(input), accountIds: input.account_ids }
      return { collection: await presentById(ctx, viewer, await createCollection(ctx, viewer, draft)) }
    },
  }),
)

const changes = updateEndpoints({
  path: '/api/v1/collections/:id',
  summary: 'Change what a collection says of itself',
  auth: user('write:collections'),
  input: Draft.extend({ id: Id }),
  output: WrappedCollection,
  run: async (ctx, { input, viewer }) => {
    await updateCollection(ctx, viewer, { id: input.id, patch: patchOf(input) })
    return { collection: await presentById(ctx, viewer, input.id) }
  },
})

const items = [
  endpoint({
    path: '/api/v1/collections/:collection_id/items',
    summary: 'Put somebody into a collection',
    auth: user('write:collections'),
    input: z.object({ collection_id: Id, account_id: z.union([z.string(), z.number()]).optional() }),
    output: WrappedCollectionItem,
    run: async (ctx, { input, viewer }) => {
      if (input.account_id === undefined) throw new Invalid('account_id_missing')
      const key = { collectionId: input.collection_id, accountId: Id.parse(input.account_id) }
      const id = await addToCollection(ctx, viewer, key)
      const { items: all } = await factsOf(ctx, viewer, input.collection_id)
      const added = all.find((item) => item.id === id)
      if (added === undefined) throw new NotFound()
      return { collection_item: presentItem(added) }
    },
  }),
  endpoint({
    method: 'DELETE',
    path: '/api/v1/collections/:collection_id/items/:id',
    summary: 'Take somebody out of a collection',
    auth: user('write:collections'),
    input: ItemKey,
    run: (ctx, { input, viewer }) =>
      removeFromCollection(ctx, viewer, { collectionId: input.collection_id, id: input.id }),
  }),
  endpoint({
    path: '/api/v1/collections/:collection_id/items/:id/revoke',
    summary: 'Leave a collection of somebody else for good',
    auth: user('write:collections'),
    input: ItemKey,
    run: (ctx, { input, viewer }) =>
      revokeFromCollection(ctx, viewer, { collectionId: input.collection_id, id: input.id }),
  }),
]

export const collections = [
  ...lists,
  ...reads,
  ...creations,
  ...changes,
  ...items,
  endpoint({
    method: 'DELETE',
    path: '/api/v1/collections/:id',
    summary: 'Delete a collection',
    auth: user('write:collections'),
    input: ById,
    run: (ctx, { input, viewer }) => deleteCollection(ctx, viewer, input.id),
  }),
]

/** Selecting one more than the page size shows whether there is a next page. */
/**
 * Each collection may have 25 members, all of which are loaded: more collections go to the next page, whatever the
 * limit asked for.
 */
const maxPerPage = 20

const shownOf = ({ limit }: OffsetPage) => Math.min(limit, maxPerPage)

function oneMore(page: OffsetPage): OffsetPage {
  return { limit: shownOf(page) + 1, offset: page.offset }
}

interface FoundPage {
  readonly input: OffsetPage
  readonly request: ApiRequest
  readonly found: readonly CollectionFacts[]
}

function pageOf(ctx: Ctx, { input, request, found }: FoundPage) {
  const limit = shownOf(input)
  return offsetPage(wrapped(ctx, found.slice(0, limit)), request, { ...input, limit, found: found.length })
}

function wrapped({ config }: Ctx, found: readonly CollectionFacts[]): z.output<typeof Collections> {
  return { collections: found.map((facts) => presentCollection(config, facts)) }
}

async function factsOf(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<CollectionFacts> {
  const as = viewerById(viewer.id)
  const [facts] = await execute(ctx.db, loadCollections(ctx, as, selectCollection(as, id)))
  if (facts === undefined) throw new NotFound()
  return facts
}

async function presentById(ctx: Ctx, viewer: Viewer, id: CollectionId) {
  return presentCollection(ctx.config, await factsOf(ctx, viewer, id))
}
