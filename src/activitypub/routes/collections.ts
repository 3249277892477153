import type { SQL } from 'drizzle-orm'
import { actorAddresses, actorUri, featureAuthorizationUri } from '../../contract/addresses'
import { combineQueries, execute, orNotFound, type Selection } from '../../db/query'
import { idByHandle, selectByHandle } from '../../domain/accounts/find'
import { collectionsOf, findFeatureAuthorization, selectCollection } from '../../domain/collections/find'
import type { Page } from '../../domain/core/page'
import type { ViewerRef } from '../../domain/core/viewer'
import { followersOf, followingOf } from '../../domain/relationships/account-lists'
import { Forbidden, NotFound } from '../../errors'
import type { AppContext } from '../../ports/app-env'
import { type ActorFacts, loadAccountUris, loadActors, loadFeatured } from '../../view/load/actors'
import {
  featureAuthorization,
  featuredCollection,
  orderedCollection,
  orderedList,
  orderedPage,
} from '../serialise/collections'
import { maxIdOf, type Reader, respondWithDocument } from './respond'

const pageSize = 40

interface Listing {
  readonly select: (
    reading: { readonly viewer: ViewerRef; readonly id: SQL; readonly now: Date },
    page: Page,
  ) => Selection
  readonly count: (account: ActorFacts['account']) => number
  readonly address: 'followers' | 'following'
}

const listings: Readonly<Record<Listing['address'], Listing>> = {
  followers: {
    select: followersOf,
    count: ({ followersCount }) => followersCount,
    address: 'followers',
  },
  following: {
    select: followingOf,
    count: ({ followingCount }) => followingCount,
    address: 'following',
  },
}

interface FollowCollectionRequest {
  readonly username: string
  readonly listing: Listing['address']
}

/** Serves followers or followed accounts: the count always, the items only where the account shows them. */
export async function serveFollowCollection(
  c: AppContext,
  reader: Reader,
  { username, listing }: FollowCollectionRequest,
): Promise<Response> {
  const ctx = c.get('ctx')
  const { select, count, address } = listings[listing]
  const handle = { username, domain: null }
  const maxId = maxIdOf(c)
  const reading = { viewer: reader.ref, id: idByHandle(handle), now: ctx.clock.now() }
  const { actors, page } = await execute(
    ctx.db,
    combineQueries({
      actors: loadActors(ctx, selectByHandle(handle)),
      page: loadAccountUris(ctx, select(reading, { limit: pageSize, maxId })),
    }),
  )
  const [facts] = actors
  if (facts === undefined) throw new NotFound()
  const { account } = facts
  if (account.suspendedAt !== null) throw new Forbidden('actor_suspended')
  const id = actorAddresses(actorUri(ctx.config.origin, account.username))[address]
  const isHidden = account.hideCollections === true
  if (c.req.query('page') === undefined) {
    const first = isHidden ? {} : { first: `${id}?page=true` }
    return respondWithDocument(c, reader, orderedCollection(id, { totalItems: count(account), ...first }))
  }
  if (isHidden) throw new Forbidden('network_hidden')
  const last = page.cursors.at(-1)
  const isLast = page.cursors.length < pageSize && !page.endsEarly
  const next = isLast ? undefined : `${id}?max_id=${last}&page=true`
  const self = maxId === undefined ? `${id}?page=true` : `${id}?max_id=${maxId}&page=true`
  return respondWithDocument(c, reader, orderedPage(self, { partOf: id, next }, page.uris))
}

/** Above the limit of any role, in practice. */
const mostCollections = 100

interface Address {
  readonly username: string
  readonly id: number
}

/** Serves a collection of accounts, by its id or page address. */
export async function serveCollection(
  c: AppContext,
  reader: Reader,
  { username, id }: { readonly username: string | null; readonly id: number },
): Promise<Response> {
  const ctx = c.get('ctx')
  const [facts] = await execute(ctx.db, loadFeatured(ctx, reader.ref, selectCollection(reader.ref, id)))
  const isOwners = username === null || username.toLowerCase() === facts?.ownerName.toLowerCase()
  if (facts === undefined || !isOwners) throw new NotFound()
  return respondWithDocument(c, reader, featuredCollection(ctx.config, facts))
}

/** Serves an account's discoverable collections. */
export async function serveCollections(c: AppContext, reader: Reader, username: string): Promise<Response> {
  const ctx = c.get('ctx')
  const handle = { username, domain: null }
  const selection = collectionsOf(reader.ref, idByHandle(handle), { limit: mostCollections, offset: 0 })
  const { actors, found } = await execute(
    ctx.db,
    combineQueries({
      actors: loadActors(ctx, selectByHandle(handle)),
      found: loadFeatured(ctx, reader.ref, selection),
    }),
  )
  const [owner] = actors
  if (owner === undefined) throw new NotFound()
  if (owner.account.suspendedAt !== null) throw new Forbidden('actor_suspended')
  const { featuredCollections } = actorAddresses(actorUri(ctx.config.origin, owner.account.username))
  const items = found.map((facts) => featuredCollection(ctx.config, facts))
  return respondWithDocument(c, reader, orderedList(featuredCollections, items))
}

/** Serves a local account's consent to being in a collection; 404 once revoked. */
export async function serveApproval(c: AppContext, reader: Reader, address: Address): Promise<Response> {
  const ctx = c.get('ctx')
  const { origin } = ctx.config
  const approval = await execute(ctx.db, orNotFound(findFeatureAuthorization(ctx, address)))
  const featured = actorUri(origin, approval.username)
  const id = featureAuthorizationUri(featured, address.id)
  return respondWithDocument(
    c,
    reader,
    featureAuthorization({ id, featured, collection: approval.collection }),
  )
}
