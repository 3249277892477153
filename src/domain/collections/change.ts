import { eq, sql } from 'drizzle-orm'
import { collectionLimits } from '../../contract/limits'
import { combineQueries, execute } from '../../db/query'
import { collections } from '../../db/schema'
import { Forbidden, Invalid, InvalidFields, NotFound } from '../../errors'
import { type Problem, problem } from '../../errors/sentences'
import { isValidHashtag } from '../../lib/hashtag'
import type { AccountId, CollectionId } from '../../lib/ids'
import { knownLanguage } from '../../lib/language'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type Viewer, viewerById } from '../core/viewer'
import { baseRole } from '../policy/permissions'
import { type CollectionRow, findCandidates, visibleCollection } from './find'
import { localMembersOf, memberIdsOf } from './find-federated'
import { addItems, planItems } from './members'
import { deleteCollectionNotifications, notifyMembers } from './notifications'

/** The viewer's own collection. `NotFound` for one they may not see, `Forbidden` for another account's. */
export function requireOwnCollection(viewer: Viewer, found: CollectionRow | null): CollectionRow {
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
export interface CheckedPatch {
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

function tooLong(field: string, text: string | undefined, max: number): readonly Problem[] {
  return text !== undefined && [...text].length > max ? [problem('too_long', { field, max })] : []
}

export interface NewCollection extends CollectionPatch {
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
