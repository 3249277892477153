import { and, eq, sql } from 'drizzle-orm'
import { collectionLimits } from '../../contract/limits'
import { inList } from '../../db/query'
import { collectionItems, notifications } from '../../db/schema'
import { Invalid } from '../../errors'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import { featurePolicyOf, mayFeature } from '../policy/featuring'
import type { CollectionRow, FeatureCandidate, ItemRow } from './find'

/** A new member of a collection, and whether their consent has to be requested. */
interface PlannedItem {
  readonly accountId: AccountId
  readonly state: 'accepted' | 'pending'
}

/**
 * Checks that every account of `ids` may be added to a collection of `owner`. Pure. `Invalid` for accounts that are
 * unknown, blocked in either direction, or did not consent to being featured.
 */
export function planItems(
  owner: AccountId,
  ids: readonly AccountId[],
  found: readonly FeatureCandidate[],
): readonly PlannedItem[] {
  if (ids.length > collectionLimits.items) throw tooMany()
  return ids.map((id) => {
    const candidate = found.find((one) => one.id === id)
    if (candidate === undefined) throw new Invalid('not_existing', { field: 'account' })
    const verdict = mayFeature(featurePolicyOf(candidate), { ...candidate, isSelf: id === owner })
    const allowsFeaturing = verdict === 'automatic' || verdict === 'manual'
    if (!allowsFeaturing || candidate.isBlocked) throw new Invalid('not_to_be_featured', { field: 'account' })
    return { accountId: id, state: candidate.domain === null ? 'accepted' : 'pending' }
  })
}

interface Addition {
  readonly collectionId: CollectionId
  readonly ownerId: AccountId
  readonly items: readonly PlannedItem[]
  /** A new collection is federated as a whole, without an event for each member. */
  readonly isNew: boolean
}

/**
 * Adds the planned items to a collection, if there is room and none is in it yet: else `Invalid`. Members added
 * without a request are notified.
 */
export function addItems(
  ctx: Ctx,
  changes: Changes,
  { collectionId, ownerId, items, isNew }: Addition,
): readonly CollectionItemId[] {
  if (items.length === 0) return []
  const rows: readonly ItemRow[] = items.map((item) => ({
    id: ctx.ids.next(),
    collectionId,
    ...item,
    uri: null,
    authorizationUri: null,
    createdAt: ctx.clock.now(),
  }))
  const memberCount = sql`select count(*) from collection_items
    where collection_id = ${collectionId} and state in ('accepted', 'pending')`
  changes.require(sql`(${memberCount}) + ${rows.length} <= ${collectionLimits.items}`, tooMany())
  for (const row of rows)
    changes
      .require(
        sql`not exists (select 1 from collection_items
          where collection_id = ${collectionId} and account_id = ${row.accountId} and state in ('accepted', 'pending'))`,
        new Invalid('taken', { field: 'account' }),
      )
      .require(
        sql`not exists (select 1 from collection_items
          where collection_id = ${collectionId} and account_id = ${row.accountId})`,
        new Invalid('not_to_be_in_collection', { field: 'account' }),
      )
      .add(ctx.db.insert(collectionItems).values(row))
  for (const { id: itemId, accountId: memberId, state } of rows) {
    if (state === 'pending')
      changes.emit({
        kind: 'feature.requested',
        accountId: ownerId,
        targetAccountId: memberId,
        collectionId,
        itemId,
      })
    else if (!isNew)
      changes.emit({ kind: 'collection.joined', accountId: ownerId, collectionId, itemId, memberId })
  }
  const about = { from: ownerId, type: 'added_to_collection', statusId: null } as const
  const accepted = rows.filter(({ state }) => state === 'accepted')
  notify(
    ctx,
    changes,
    accepted.map((item) => ({ ...about, to: item.accountId, subjectId: item.id })),
  )
  return rows.map(({ id }) => id)
}

function tooMany() {
  return new Invalid('too_many_items', { field: 'collection_items', max: collectionLimits.items })
}

/** Statements that delete every notification about some collections, for the batch that deletes these. */
export function deleteCollectionNotifications(ctx: Ctx, ids: readonly CollectionId[]) {
  const items = sql`select i.id from collection_items i where ${inList(sql`i.collection_id`, ids)}`
  const { subjectId, type } = notifications
  return [
    ctx.db.delete(notifications).where(and(inList(subjectId, ids), eq(type, 'collection_update'))),
    ctx.db.delete(notifications).where(and(sql`${subjectId} in (${items})`, eq(type, 'added_to_collection'))),
  ]
}

/** A statement that deletes the notification of a membership. */
export function deleteItemNotification(ctx: Ctx, id: CollectionItemId) {
  const { subjectId, type } = notifications
  return ctx.db.delete(notifications).where(and(eq(subjectId, id), eq(type, 'added_to_collection')))
}

/** Properties of a collection whose changes notify its members. */
type NotifiedFields = Pick<CollectionRow, 'name' | 'description' | 'sensitive' | 'tag'>

const notifiedFields = ['name', 'description', 'sensitive', 'tag'] as const

/** A change of a collection, with the members that it notifies. */
interface CollectionUpdate {
  readonly before: CollectionRow
  readonly after: { readonly [K in keyof NotifiedFields]?: NotifiedFields[K] | undefined }
  readonly members: readonly AccountId[]
}

/** Adds notifications to the members of changed collections. Of several changes only the last notification is kept. */
export function notifyMembers(ctx: Ctx, changes: Changes, updates: readonly CollectionUpdate[]): void {
  const notifying = updates.filter(
    ({ before, after, members }) =>
      members.length > 0 &&
      notifiedFields.some((key) => after[key] !== undefined && after[key] !== before[key]),
  )
  if (notifying.length === 0) return
  const type = 'collection_update'
  const ids = notifying.map(({ before }) => before.id)
  changes.add(
    ctx.db
      .delete(notifications)
      .where(and(inList(notifications.subjectId, ids), eq(notifications.type, type))),
  )
  notify(
    ctx,
    changes,
    notifying.flatMap(({ before, members }) =>
      members.map(
        (to) => ({ type, subjectId: before.id, from: before.accountId, statusId: null, to }) as const,
      ),
    ),
  )
}

/** Statements that remove two accounts from each other's collections. For the batch of a block. */
export function removeFromEachOthersCollections(ctx: Ctx, a: AccountId, b: AccountId) {
  const inOther = (owner: AccountId, member: AccountId) =>
    sql`(${collectionItems.accountId} = ${member} and ${collectionItems.collectionId} in
      (select own.id from collections own where own.account_id = ${owner}))`
  return [
    ctx.db.delete(collectionItems).where(inOther(a, b)),
    ctx.db.delete(collectionItems).where(inOther(b, a)),
  ]
}
