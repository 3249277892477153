import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { accounts, emojiReactions, favourites, statuses, statusTags } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { countServer } from './figures'
import { answeredBy, reblogsOf, sharedBy, someStatusesOf, tagRowsOf } from './find-leftovers'
import { uncountReactions } from './reactions'

const statusesAtOnce = 100
const marksAtOnce = 200

/**
 * Removes the statuses, favourites and reactions of an account that is no more, with the figures they counted in.
 *
 * A part at a time; the rest is left to a job. Running it twice changes nothing.
 */
export async function removeLeftovers(ctx: Ctx, account: AccountId): Promise<void> {
  const part = someStatusesOf(account, statusesAtOnce)
  const removals = [ctx.db.delete(statuses).where(sql`id in (${part})`), ...dropMarks(ctx, account)]
  // What is counted goes before the rows that tell it.
  const changed = await commit(ctx, new Changes().add(...uncount(ctx, part), ...removals))
  const [ownGone = 0, , favouritesGone = 0, , reactionsGone = 0] = changed.slice(-removals.length)
  if (ownGone >= statusesAtOnce || favouritesGone >= marksAtOnce || reactionsGone >= marksAtOnce)
    await ctx.jobs.send({ kind: 'account.left', accountId: account })
}

function uncount(ctx: Ctx, part: SQL) {
  const less = (selection: SQL, key: SQL) => sql`(select count(*) from (${selection}) gone where ${key})`
  const [shared, answered, reblogs] = [sharedBy(part), answeredBy(part), reblogsOf(part)]
  return [
    ctx.db
      .update(statuses)
      .set({ reblogsCount: sql`max(0, reblogs_count - 1)` })
      .where(sql`id in (${shared})`),
    ctx.db
      .update(statuses)
      .set({
        repliesCount: sql`max(0, replies_count - ${less(answered, sql`gone.in_reply_to_id = ${statuses.id}`)})`,
      })
      .where(sql`id in (${answered})`),
    ctx.db
      .update(statuses)
      .set({ quotesCount: sql`max(0, quotes_count - 1)` })
      .where(
        sql`id in (select quoted_status_id from quotes where status_id in (${part}) and state = 'accepted')`,
      ),
    ctx.db
      .update(accounts)
      .set({
        statusesCount: sql`max(0, statuses_count - ${less(reblogs, sql`gone.account_id = ${accounts.id}`)})`,
      })
      .where(sql`id in (select account_id from (${reblogs}))`),
    countServer(ctx, sql`-${less(reblogs, sql`gone.local = 1`)}`),
    ctx.db.update(statuses).set({ inReplyToId: null }).where(sql`in_reply_to_id in (${part})`),
    ctx.db.delete(statusTags).where(sql`(tag_id, status_id) in (${tagRowsOf(part)})`),
  ]
}

function dropMarks(ctx: Ctx, account: AccountId) {
  const some = (table: string) =>
    sql`select id from ${sql.raw(table)} where account_id = ${account} order by id ${limitTo(marksAtOnce)}`
  return [
    ctx.db
      .update(statuses)
      .set({ favouritesCount: sql`max(0, favourites_count - 1)` })
      .where(sql`id in (select status_id from favourites where id in (${some('favourites')}))`),
    ctx.db.delete(favourites).where(sql`id in (${some('favourites')})`),
    uncountReactions(ctx, account, some('emoji_reactions')),
    ctx.db.delete(emojiReactions).where(sql`id in (${some('emoji_reactions')})`),
  ]
}
