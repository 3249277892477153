import { eq, sql } from 'drizzle-orm'
import { combineQueries, execute, first } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idByHandle } from '../accounts/find'
import { Changes, commit, done, ignored, type Outcome } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { collectionByUri, localMembersOf } from './find-federated'
import { deleteCollectionNotifications, notifyMembers } from './members'
/** A remote collection as sanitised from its own document. Other members are not stored. */
export interface RemoteCollection {
  readonly uri: string
  readonly author: string
  readonly url: string | null
  readonly name: string
  readonly descriptionHtml: string
  readonly language: string | null
  readonly sensitive: boolean
  readonly discoverable: boolean
  readonly tag: string | null
  readonly publishedAt: Date | null
  readonly updatedAt: Date | null
}

/** Collections stored of one remote account. Mastodon lets its own accounts have ten by default. */
const maxCollections = 50

/** Stores or updates a collection of `owner`; false beyond `maxCollections`, and for one that moderators deleted. */
export async function storeCollection(
  ctx: Ctx,
  owner: AccountId,
  document: RemoteCollection,
): Promise<boolean> {
  const others = first(
    ctx.db
      .select({
        count: sql<number>`count(*)`.as('count'),
        forbidden: sql<number>`exists (select 1 from tombstones where uri = ${document.uri})`.as('forbidden'),
      })
      .from(collections)
      .where(sql`${collections.accountId} = ${owner} and ${collections.uri} <> ${document.uri}`),
  )
  const { count, forbidden } = (await execute(ctx.db, others)) ?? { count: 0, forbidden: 0 }
  if (forbidden === 1 || count >= maxCollections) return false
  await commit(ctx, addCollection(ctx, owner, document))
  return true
}

function addCollection(ctx: Ctx, owner: AccountId, document: RemoteCollection): Changes {
  const now = ctx.clock.now()
  const { uri, url, name, language, sensitive, discoverable, tag } = document
  const createdAt = document.publishedAt ?? now
  const values = {
    url,
    name,
    description: document.descriptionHtml,
    language,
    sensitive,
    discoverable,
    tag,
    updatedAt: document.updatedAt ?? createdAt,
  }
  return new Changes().add(
    ctx.db
      .insert(collections)
      .values({ ...values, id: ctx.ids.next(), accountId: owner, uri, createdAt })
      // A collection never changes its owner.
      .onConflictDoUpdate({
        target: collections.uri,
        targetWhere: sql`uri is not null`,
        set: values,
        setWhere: eq(collections.accountId, owner),
      }),
  )
}

/** Handles a remote collection update: stored if a local account is a member, and local members are notified. */
export async function receiveCollection(
  ctx: Ctx,
  sender: RemoteSender,
  document: RemoteCollection,
): Promise<Outcome> {
  const { uri } = document
  const at = sql`(select c.id from collections c where c.uri = ${uri})`
  const { stored, members } = await execute(
    ctx.db,
    combineQueries({ stored: collectionByUri(ctx, uri), members: localMembersOf(ctx, at) }),
  )
  if (stored === null || stored.accountId !== sender.id)
    return ignored('unknown collection, or of another account')
  const changes = addCollection(ctx, sender.id, document)
  const after = { ...document, description: document.descriptionHtml }
  notifyMembers(ctx, changes, [{ before: stored, after, members }])
  await commit(ctx, changes)
  return done
}

/** Handles a remote collection's deletion; null for an unknown collection. */
export async function receiveCollectionDelete(
  ctx: Ctx,
  sender: RemoteSender,
  uri: string,
): Promise<Outcome | null> {
  const stored = await execute(ctx.db, collectionByUri(ctx, uri))
  if (stored === null || stored.accountId !== sender.id) return null
  await commit(
    ctx,
    new Changes().add(
      ...deleteCollectionNotifications(ctx, [stored.id]),
      ctx.db.delete(collections).where(eq(collections.id, stored.id)),
    ),
  )
  return done
}

/** Handles the removal of a local account from a remote collection. */
export async function receiveMemberRemoval(
  ctx: Ctx,
  sender: RemoteSender,
  { collectionUri, username }: { readonly collectionUri: string; readonly username: string },
): Promise<Outcome> {
  const stored = await execute(ctx.db, collectionByUri(ctx, collectionUri))
  if (stored === null || stored.accountId !== sender.id) return ignored('removes from an unknown collection')
  const member = sql`${eq(collectionItems.collectionId, stored.id)}
    and ${collectionItems.accountId} = ${idByHandle({ username, domain: null })} and ${collectionItems.state} = 'accepted'`
  await commit(ctx, new Changes().add(ctx.db.delete(collectionItems).where(member)))
  return done
}
