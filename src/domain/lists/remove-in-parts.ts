import { eq, type SQL, sql } from 'drizzle-orm'
import { execute, first, map, type Query } from '../../db/query'
import { listAccounts, listEntries, lists } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { NotFound } from '../../errors'
import { type ListId, removedAuthorId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
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

/** Adds the first part of a removal: nobody has the list from now on. A job deletes its members, then the list. */
export function withdrawList(ctx: Ctx, changes: Changes, own: SQL | undefined, id: ListId): void {
  changes
    .add(
      makeRemovedAuthor(ctx),
      // Members return to the home feed of who had it.
      ctx.db.update(lists).set({ accountId: removedAuthorId, title: '', exclusive: false }).where(own),
    )
    .enqueue({ kind: 'continue-list-removal', listId: id })
}

/** Deletes the next members of a removed list, at last the list with its feed; a job continues. Runs may repeat. */
export async function continueListRemoval(ctx: Ctx, id: ListId): Promise<void> {
  const { db } = ctx
  const some = sql`select m.id from list_accounts m where m.list_id = ${id} ${limitTo(membersAtOnce)}`
  const isEmpty = sql`not exists (select 1 from list_accounts m where m.list_id = ${id})`
  const changes = new Changes()
    .require(
      sql`exists (select 1 from lists where id = ${id} and account_id = ${removedAuthorId})`,
      new NotFound(),
    )
    .add(
      db.delete(listAccounts).where(sql`id in (${some})`),
      db.delete(listEntries).where(sql`list_id = ${id} and ${isEmpty}`),
      db.delete(lists).where(sql`id = ${id} and ${isEmpty}`),
    )
  try {
    const gone = (await commit(ctx, changes)).at(-1) ?? 0
    if (gone === 0) await ctx.jobs.send({ kind: 'continue-list-removal', listId: id })
  } catch (failure) {
    if (!(failure instanceof NotFound)) throw failure
  }
}

/** Condition: the removal of some list has not ended. */
export const hasUnfinishedListRemovals = () =>
  sql`exists (select 1 from lists where account_id = ${removedAuthorId})`

/** Cron: starts anew the removal that has gone on longest, for a job that was lost. */
export async function resumeListRemoval(ctx: Ctx): Promise<void> {
  const oldest = ctx.db
    .select({ id: lists.id })
    .from(lists)
    .where(eq(lists.accountId, removedAuthorId))
    .orderBy(lists.id)
    .limit(1)
  const found = await execute(ctx.db, first(oldest))
  if (found !== null) await ctx.jobs.send({ kind: 'continue-list-removal', listId: found.id })
}
