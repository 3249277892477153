import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { removedAuthorId } from '../../contract/ids'
import { first, limitTo, map, type Query } from '../../db/query'
import { listAccounts, listEntries, lists } from '../../db/schema'
import type { ListId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commitWhere } from '../core/changes'
import { longTask } from '../core/long-task'
import { makeRemovedAuthor } from '../core/removed-author'

/** Members that may go with their list in one batch. */
const membersInOneBatch = 150
/** Members that one part deletes: some four rows are read for each. */
const membersAtOnce = 1_000

/** Whether the list has so many members that it is removed in parts. One statement. */
export function hasManyMembers(ctx: Ctx, id: ListId): Query<boolean> {
  const found = ctx.db
    .select({ id: listAccounts.id })
    .from(listAccounts)
    .where(sql`${listAccounts.listId} = ${id} ${limitTo(1)} offset ${sql.raw(String(membersInOneBatch))}`)
  return map(first(found), (row) => row !== null)
}

/** Adds the first part of a removal: the list is hidden from now on. A job deletes its members, then the list. */
export function withdrawList(ctx: Ctx, changes: Changes, own: SQL | undefined, id: ListId): void {
  changes
    .add(
      makeRemovedAuthor(ctx),
      // Members return to the home feed of who had it.
      ctx.db.update(lists).set({ accountId: removedAuthorId, title: '', exclusive: false }).where(own),
    )
    .enqueue(listRemoval.job(id))
}

const member = alias(listAccounts, 'member')

/** Deletes the members of removed lists, at last the lists with their feeds. */
export const listRemoval = longTask({
  name: 'remove-list',
  state: sql`select id from ${lists} where ${lists.accountId} = ${removedAuthorId} order by id`,
  statements: 4,
  step: async (ctx, id: ListId) => {
    const { db } = ctx
    const members = sql`from ${listAccounts} ${member} where ${member.listId} = ${id}`
    const isEmpty = sql`not exists (select 1 ${members})`
    const isRemoved = sql`exists (select 1 from ${lists}
      where ${lists.id} = ${id} and ${lists.accountId} = ${removedAuthorId})`
    const changed = await commitWhere(
      ctx,
      isRemoved,
      new Changes().add(
        db
          .delete(listAccounts)
          .where(sql`${listAccounts.id} in (select ${member.id} ${members} ${limitTo(membersAtOnce)})`),
        db.delete(listEntries).where(sql`${listEntries.listId} = ${id} and ${isEmpty}`),
        db.delete(lists).where(sql`${lists.id} = ${id} and ${isEmpty}`),
      ),
    )
    return changed === null || changed.at(-1) === 1
  },
})
