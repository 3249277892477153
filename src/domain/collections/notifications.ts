import { and, eq, sql } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { CollectionRow } from './find'

/** Statements that delete every notification about a collection, for the batch that deletes it. */
export function deleteCollectionNotifications(ctx: Ctx, id: CollectionId) {
  const items = sql`select i.id from collection_items i where i.collection_id = ${id}`
  const { subjectId, type } = notifications
  return [
    ctx.db.delete(notifications).where(and(eq(subjectId, id), eq(type, 'collection_update'))),
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

/** Adds notifications to `members` of a changed collection. Of several changes only the last notification is kept. */
export function notifyMembers(
  ctx: Ctx,
  changes: Changes,
  update: {
    readonly before: CollectionRow
    readonly after: { readonly [K in keyof NotifiedFields]?: NotifiedFields[K] | undefined }
    readonly members: readonly AccountId[]
  },
): void {
  const { before, after, members } = update
  const isOther = notifiedFields.some((key) => after[key] !== undefined && after[key] !== before[key])
  if (!isOther || members.length === 0) return
  const about = { type: 'collection_update', subjectId: before.id } as const
  changes.add(
    ctx.db
      .delete(notifications)
      .where(and(eq(notifications.subjectId, about.subjectId), eq(notifications.type, about.type))),
  )
  const template = { ...about, from: before.accountId, statusId: null }
  notify(
    ctx,
    changes,
    members.map((to) => ({ ...template, to })),
  )
}
