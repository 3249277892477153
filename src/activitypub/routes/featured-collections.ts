import { combineQueries, execute } from '../../db/query'
import { idByHandle, selectByHandle } from '../../domain/accounts/find'
import { collectionsOf, findFeatureAuthorization, selectCollection } from '../../domain/collections/find'
import { Forbidden, NotFound } from '../../errors'
import { actorAddresses, actorUri, featureAuthorizationUri } from '../../lib/addresses'
import type { AppContext } from '../../ports/app-env'
import { loadActors, loadFeatured } from '../../view/load/actors'
import { orderedList } from '../serialise/collections'
import { featureAuthorization, featuredCollection } from '../serialise/featured-collections'
import type { Reader } from './reader'
import { respondWithDocument } from './respond'

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
  if (owner.account.suspendedAt !== null) throw new Forbidden('This account is suspended')
  const { featuredCollections } = actorAddresses(actorUri(ctx.config.origin, owner.account.username))
  const items = found.map((facts) => featuredCollection(ctx.config, facts))
  return respondWithDocument(c, reader, orderedList(featuredCollections, items))
}

/** Serves a local account's consent to being in a collection; 404 once revoked. */
export async function serveApproval(c: AppContext, reader: Reader, address: Address): Promise<Response> {
  const ctx = c.get('ctx')
  const { origin } = ctx.config
  const approval = await execute(ctx.db, findFeatureAuthorization(ctx, address))
  if (approval === null) throw new NotFound()
  const featured = actorUri(origin, approval.username)
  const id = featureAuthorizationUri(featured, address.id)
  return respondWithDocument(
    c,
    reader,
    featureAuthorization({ id, featured, collection: approval.collection }),
  )
}
