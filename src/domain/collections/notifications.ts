import { and, eq, sql } from 'drizzle-orm'
import { notifications } from '../../db/schema'
import type { AccountId, CollectionId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import type { Changes } from '../core/changes'
import { notify } from '../notifications/notify'
import type { CollectionRow } from './find'

/** Statements that take what was told of a collection from everybody's notifications: before it goes. */
export function deleteCollectionNotifications(ctx: Ctx, id: CollectionId) {
  const items = sql`select i.id from collection_items i where i.collection_id = ${id}`
  const { subjectId, type } = notifications
  return [
    ctx.db.delete(notifications).where(and(eq(subjectId, id), eq(type, 'collection_update'))),
    ctx.db.delete(notifications).where(and(sql`${subjectId} in (${items})`, eq(type, 'added_to_collection'))),
  ]
}

/** A statement that takes the notification of having come into a collection. */
export function deleteItemNotification(ctx: Ctx, id: CollectionItemId) {
  const { subjectId, type } = notifications
  return ctx.db.delete(notifications).where(and(eq(subjectId, id), eq(type, 'added_to_collection')))
}

/** What a collection says of itself that whoever is in it may mind. */
type NotifiedFields = Pick<CollectionRow, 'name' | 'description' | 'sensitive' | 'tag'>

const notifiedFields = ['name', 'description', 'sensitive', 'tag'] as const

/** Adds what tells `members` that a collection they are in says something else now. Of several changes the last is told. */
export function notifyMembers(
  ctx: Ctx,
  changes: Changes,
  told: {
    readonly before: CollectionRow
    readonly after: { readonly [K in keyof NotifiedFields]?: NotifiedFields[K] | undefined }
    readonly members: readonly AccountId[]
  },
): void {
  const { before, after, members } = told
  const isOther = notifiedFields.some((key) => after[key] !== undefined && after[key] !== before[key])
  if (!isOther || members.length === 0) return
  const about = { type: 'collection_update', subjectId: before.id } as const
  changes.add(
    ctx.db
      .delete(notifications)
      .where(and(eq(notifications.subjectId, about.subjectId), eq(notifications.type, about.type))),
  )
  const notice = { ...about, from: before.accountId, statusId: null }
  notify(
    ctx,
    changes,
    members.map((to) => ({ ...notice, to })),
  )
}
