import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/query'
import { quotes, statuses } from '../../db/schema'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { childTables, someReblogs, someReplies } from './find-affected-servers'
import { addToInstanceCounters, decrementStatusCounts, isCountedByNow } from './store'

/** Rows of one kind that one part deletes: some five rows are read for each. */
const childrenAtOnce = 500
/** Reblogs are statuses themselves, with rows that refer to them. */
const reblogsAtOnce = 100

/**
 * Statements that delete the next rows of each kind that refer to the status `id`, and what they were counted in. Each may
 * run twice. `isPartial` finds by their numbers of changed rows whether rows of some kind may be left.
 */
export function deleteSomeChildren(ctx: Ctx, id: StatusId) {
  const { db } = ctx
  const some = (selection: SQL) => sql`${selection} ${limitTo(childrenAtOnce)}`
  const votes = sql`poll_id = (select id from polls where status_id = ${id})`
  const reblogs = someReblogs(id, reblogsAtOnce)
  const limited = [
    ...childTables.map((name) => {
      const table = sql.raw(name)
      return db.run(sql`delete from ${table} where id in (
        ${some(sql`select id from ${table} where status_id = ${id}`)})`)
    }),
    db.run(sql`delete from status_mentions where status_id = ${id} and account_id in (
      ${some(sql`select account_id from status_mentions where status_id = ${id}`)})`),
    db.run(sql`delete from poll_votes where ${votes} and account_id in (
      ${some(sql`select account_id from poll_votes where ${votes}`)})`),
    db
      .update(quotes)
      .set({ quotedStatusId: null })
      .where(sql`status_id in (${some(sql`select status_id from quotes where quoted_status_id = ${id}`)})`),
    db
      .update(statuses)
      .set({ inReplyToId: null })
      .where(sql`id in (${someReplies(id, childrenAtOnce)})`),
    db.delete(statuses).where(sql`id in (${reblogs('id')})`),
  ]
  const counted = [
    decrementStatusCounts(ctx, reblogs('account_id', sql`local_only = 0 and ${isCountedByNow}`)),
    addToInstanceCounters(ctx, sql`-(${reblogs('count(*)', sql`local = 1 and local_only = 0`)})`),
  ]
  return {
    // Counters before the rows they are computed from.
    statements: [...counted, ...limited],
    isPartial: (changed: readonly number[]) => {
      const numbers = changed.slice(-limited.length)
      return numbers.some((number) => number >= childrenAtOnce) || (numbers.at(-1) ?? 0) >= reblogsAtOnce
    },
  }
}
