import { and, eq, sql } from 'drizzle-orm'
import { inList } from '../../db/query'
import { notifications } from '../../db/schema'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { CollectionRow } from './find'

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
