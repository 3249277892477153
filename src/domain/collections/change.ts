import { eq, sql } from 'drizzle-orm'
import { collectionLimits } from '../../contract/limits'
import { isValidHashtag } from '../../contract/text/hashtag'
import { combineQueries, execute } from '../../db/query'
import { collectionItems, collections } from '../../db/schema'
import { Forbidden, Invalid, InvalidFields, NotFound } from '../../errors'
import { problem, tooLong } from '../../errors/sentences'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { baseRole } from '../policy/permissions'
import { type CollectionRow, findCandidates, type ItemRow, itemIn, visibleCollection } from './find'
import { itemWithCollection, localMembersOf, memberIdsOf } from './find-federated'
import {
  addItems,
  deleteCollectionNotifications,
  deleteItemNotification,
  notifyMembers,
  planItems,
} from './members'

/** The viewer's own collection. `NotFound` for one they may not see, `Forbidden` for another account's. */
function requireOwnCollection(viewer: Viewer, found: CollectionRow | null): CollectionRow {
  if (found === null) throw new NotFound()
  if (found.accountId !== viewer.id) throw new Forbidden()
  return found
}

/** Updates the properties of a viewer's collection; its members stay and are notified. */
export async function updateCollection(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: CollectionId; readonly patch: CollectionPatch },
): Promise<void> {
  const { found, members } = await execute(
    ctx.db,
    combineQueries({
      found: visibleCollection(ctx, viewerById(viewer.id), id),
      members: localMembersOf(ctx, id),
    }),
  )
  const before = requireOwnCollection(viewer, found)
  const after = checkedCollection(patch)
  const set = { ...after, updatedAt: ctx.clock.now() }
  const changes = new Changes()
    .add(ctx.db.update(collections).set(set).where(eq(collections.id, id)))
    .emit({ kind: 'collection.updated', accountId: viewer.id, collectionId: id })
  notifyMembers(ctx, changes, [{ before, after, members }])
  await commit(ctx, changes)
}

/** Deletes a collection of the viewer with its memberships. */
export async function deleteCollection(ctx: Ctx, viewer: Viewer, id: CollectionId): Promise<void> {
  const { found, memberIds } = await execute(
    ctx.db,
    combineQueries({
      found: visibleCollection(ctx, viewerById(viewer.id), id),
      memberIds: memberIdsOf(ctx, id),
    }),
  )
  const { discoverable } = requireOwnCollection(viewer, found)
  await commit(
    ctx,
    new Changes()
      .add(
        ...deleteCollectionNotifications(ctx, [id]),
        ctx.db.delete(collections).where(eq(collections.id, id)),
      )
      .emit({
        kind: 'collection.deleted',
        accountId: viewer.id,
        collectionId: id,
        memberIds: [...memberIds],
        discoverable,
      }),
  )
}

/** Editable properties of a collection; an absent key stays unchanged. */
interface CollectionPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** A language tag; empty for none. */
  readonly language?: string | undefined
  /** With or without `#`; empty for none. */
  readonly tag?: string | undefined
  readonly sensitive?: boolean | undefined
  readonly discoverable?: boolean | undefined
}

/** The columns a patch sets: Drizzle leaves undefined ones alone. */
interface CheckedPatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly language?: string | null | undefined
  readonly tag?: string | null | undefined
  readonly sensitive?: boolean | undefined
  readonly discoverable?: boolean | undefined
}

/** The patch, normalised. Throws a single `Invalid` whose details name every error. */
function checkedCollection(patch: CollectionPatch): CheckedPatch {
  const name = patch.name?.trim()
  const description = patch.description?.trim()
  const tag = patch.tag?.trim().replace(/^#/, '')
  const language = patch.language === undefined ? undefined : knownLanguage(patch.language)
  const problems = [
    ...(name === '' ? [problem('blank', { field: 'name' })] : []),
    ...tooLong('name', name, collectionLimits.nameCharacters),
    ...tooLong('description', description, collectionLimits.descriptionCharacters),
    ...(language === null && patch.language !== ''
      ? [problem('unsupported_language', { field: 'language' })]
      : []),
    ...(tag !== undefined && tag !== '' && !isValidHashtag(tag)
      ? [problem('invalid_hashtag', { field: 'tag_name' })]
      : []),
  ]
  if (problems.length > 0) throw new InvalidFields(problems)
  const { sensitive, discoverable } = patch
  return { name, description, language, tag: tag === '' ? null : tag, sensitive, discoverable }
}

interface NewCollection extends CollectionPatch {
  readonly accountIds: readonly AccountId[]
}

/**
 * Creates a collection of the viewer with its first members, all of whom have to consent.
 *
 * `Invalid` names every bad text, and is thrown when the viewer has as many collections as their role allows. Emits
 * `collection.created`, and `feature.requested` for remote accounts.
 */
export async function createCollection(
  ctx: Ctx,
  viewer: Viewer,
  draft: NewCollection,
): Promise<CollectionId> {
  const {
    name = '',
    description,
    language,
    tag,
    sensitive,
    discoverable,
  } = checkedCollection({
    ...draft,
    name: draft.name ?? '',
  })
  const found =
    draft.accountIds.length === 0
      ? []
      : await execute(ctx.db, findCandidates(ctx, viewer.id, draft.accountIds))
  const items = planItems(viewer.id, draft.accountIds, found)
  const now = ctx.clock.now()
  const id: CollectionId = ctx.ids.next()
  const allowed = sql`select roles.collection_limit from users
    join roles on roles.id = coalesce(users.role_id, ${sql.raw(String(baseRole))}) where users.account_id = ${viewer.id}`
  const changes = new Changes()
    .require(
      sql`(select count(*) from collections where account_id = ${viewer.id}) < (${allowed})`,
      new Invalid('too_many_collections'),
    )
    .add(
      ctx.db.insert(collections).values({
        id,
        accountId: viewer.id,
        name,
        description,
        language,
        tag,
        sensitive,
        discoverable,
        createdAt: now,
        updatedAt: now,
      }),
    )
  addItems(ctx, changes, { collectionId: id, ownerId: viewer.id, items, isNew: true })
  changes.emit({ kind: 'collection.created', accountId: viewer.id, collectionId: id })
  await commit(ctx, changes)
  return id
}

/**
 * Adds an account to a collection of the viewer. Remote accounts have to be asked first.
 *
 * `Invalid` for an account that does not want to be featured, revoked its consent, or is a member already.
 */
export async function addToCollection(
  ctx: Ctx,
  viewer: Viewer,
  { collectionId, accountId }: { readonly collectionId: CollectionId; readonly accountId: AccountId },
): Promise<CollectionItemId> {
  const found = await execute(
    ctx.db,
    combineQueries({
      collection: visibleCollection(ctx, viewerById(viewer.id), collectionId),
      candidates: findCandidates(ctx, viewer.id, [accountId]),
    }),
  )
  requireOwnCollection(viewer, found.collection)
  const changes = new Changes()
  const [id] = addItems(ctx, changes, {
    collectionId,
    ownerId: viewer.id,
    isNew: false,
    items: planItems(viewer.id, [accountId], found.candidates),
  })
  if (id === undefined) throw new NotFound()
  changes.add(touch(ctx, collectionId))
  await commit(ctx, changes)
  return id
}

interface ItemKey {
  readonly collectionId: CollectionId
  readonly id: CollectionItemId
}

/** Removes an account from a collection of the viewer. */
export async function removeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { collection, item } = await execute(
    ctx.db,
    combineQueries({
      collection: visibleCollection(ctx, viewerById(viewer.id), key.collectionId),
      item: itemIn(ctx, key),
    }),
  )
  requireOwnCollection(viewer, collection)
  // Revoked members are removed already; the row stays to remember it.
  if (item === null || item.state === 'rejected' || item.state === 'revoked') throw new NotFound()
  const changes = new Changes().add(
    deleteItemNotification(ctx, item.id),
    ctx.db.delete(collectionItems).where(eq(collectionItems.id, item.id)),
    touch(ctx, key.collectionId),
  )
  if (item.state === 'accepted') changes.emit(memberLeft(viewer.id, item))
  await commit(ctx, changes)
}

function memberLeft(accountId: AccountId, { id: itemId, collectionId, accountId: memberId }: ItemRow) {
  return { kind: 'collection.left' as const, accountId, collectionId, itemId, memberId }
}

/**
 * Removes the viewer from a collection for good: its owner cannot add them again.
 *
 * The collection need not be visible, so that an owner who blocks a member cannot keep them in it. `Forbidden` for an
 * item about another account.
 */
export async function revokeFromCollection(ctx: Ctx, viewer: Viewer, key: ItemKey): Promise<void> {
  const { featuring, collection } = await execute(
    ctx.db,
    combineQueries({
      featuring: itemWithCollection(ctx, key.id),
      collection: visibleCollection(ctx, viewerById(viewer.id), key.collectionId),
    }),
  )
  const item = featuring?.item.collectionId === key.collectionId ? featuring.item : null
  if (featuring === null || item === null || item.state === 'rejected') throw new NotFound()
  if (item.accountId !== viewer.id) throw collection === null ? new NotFound() : new Forbidden()
  if (item.state === 'revoked') return
  const { ownerId, collectionUri } = featuring
  const changes = new Changes().add(
    deleteItemNotification(ctx, item.id),
    ctx.db.update(collectionItems).set({ state: 'revoked' }).where(eq(collectionItems.id, item.id)),
    touch(ctx, key.collectionId),
  )
  if (collectionUri !== null)
    changes.emit({ kind: 'feature.revoked', accountId: viewer.id, ownerId, collectionUri, itemId: item.id })
  else if (item.state === 'accepted') changes.emit(memberLeft(ownerId, item))
  await commit(ctx, changes)
}

function touch(ctx: Ctx, id: CollectionId) {
  return ctx.db.update(collections).set({ updatedAt: ctx.clock.now() }).where(eq(collections.id, id))
}
