import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { accounts, emojiReactions, favourites, mediaAttachments, statuses, statusTags } from '../../db/schema'
import { inList, limitTo } from '../../db/sql'
import type { Attachment } from '../../db/values'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { removeFromConversations } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { uncountReactions } from '../interactions/reaction-counts'
import { deleteFiles } from '../media/delete-files'
import { keysOfFile } from '../media/pictures'
import { addToInstanceCounters, favouritesChangedBy, reblogsChangedBy } from '../statuses/counters'
import {
  answeredBy,
  countedHere,
  quotedBy,
  reblogsOf,
  sharedBy,
  someStatusesOf,
  statusesToPublish,
  tagRowsOf,
  uploadsOf,
} from './find-purgeable'

const statusesAtOnce = 100
const interactionsAtOnce = 200
/** Deletions published per batch: the newest statuses are those clients show. Each costs a statement. */
const publishedAtOnce = 20

/**
 * Removes the statuses, favourites and reactions of a deleted account, lowers the counters they were part of, and
 * enqueues deletion of its uploaded files (`delete-files`).
 *
 * Works in batches; the rest is left to a job. Idempotent.
 */
export async function purgeAccountStatuses(ctx: Ctx, account: AccountId): Promise<void> {
  const part = someStatusesOf(account, statusesAtOnce)
  const { uploads, published } = await execute(
    ctx.db,
    combineQueries({
      uploads: uploadsOf(ctx, part),
      published: statusesToPublish(ctx, part, publishedAtOnce),
    }),
  )
  const removals = [ctx.db.delete(statuses).where(sql`id in (${part})`), ...deleteInteractions(ctx, account)]
  // Counters before the rows they are computed from.
  const changes = new Changes().add(...dropUploads(ctx, uploads), ...uncount(ctx, part), ...removals)
  deleteFiles(changes, filesOf(uploads))
  for (const statusId of published) changes.publish({ kind: 'status.removed', statusId })
  const changed = await commit(ctx, changes)
  const [ownGone = 0, , favouritesGone = 0, , reactionsGone = 0] = changed.slice(-removals.length)
  if (
    ownGone >= statusesAtOnce ||
    favouritesGone >= interactionsAtOnce ||
    reactionsGone >= interactionsAtOnce
  )
    await ctx.jobs.send({ kind: 'purge-account-statuses', accountId: account })
}

function dropUploads(ctx: Ctx, uploads: readonly Attachment[]) {
  if (uploads.length === 0) return []
  const ids = uploads.map(({ id }) => id)
  return [ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids))]
}

function filesOf(uploads: readonly Attachment[]): string[] {
  return uploads.flatMap(({ file, preview }) => [...keysOfFile(file), ...keysOfFile(preview)])
}

function uncount(ctx: Ctx, part: SQL) {
  const less = (selection: SQL, key: SQL) => sql`(select count(*) from (${selection}) gone where ${key})`
  const [shared, answered, reblogs] = [sharedBy(part), answeredBy(part), reblogsOf(part)]
  return [
    ctx.db.update(statuses).set(reblogsChangedBy(-1)).where(sql`id in (${shared})`),
    ctx.db
      .update(statuses)
      .set({
        repliesCount: sql`max(0, replies_count - ${less(answered, sql`gone.in_reply_to_id = ${statuses.id}`)})`,
      })
      .where(sql`id in (${answered})`),
    ctx.db
      .update(statuses)
      .set({ quotesCount: sql`max(0, quotes_count - 1)` })
      .where(sql`id in (${quotedBy(part)})`),
    ctx.db
      .update(accounts)
      .set({
        statusesCount: sql`max(0, statuses_count - ${less(reblogs, sql`gone.account_id = ${accounts.id}`)})`,
      })
      .where(sql`id in (select account_id from (${reblogs}))`),
    addToInstanceCounters(ctx, sql`-${less(reblogs, sql`gone.local = 1`)}`),
    addToInstanceCounters(ctx, sql`-(select count(*) from (${countedHere(part)}))`),
    addToInstanceCounters(
      ctx,
      sql`-(select count(*) from (${countedHere(part)})
      where in_reply_to_id is not null and visibility in ('public', 'unlisted'))`,
      ['replies'],
    ),
    ...removeFromConversations(ctx, part),
    ctx.db.update(statuses).set({ inReplyToId: null }).where(sql`in_reply_to_id in (${part})`),
    ctx.db.delete(statusTags).where(sql`(tag_id, status_id) in (${tagRowsOf(part)})`),
  ]
}

function deleteInteractions(ctx: Ctx, account: AccountId) {
  const some = (table: string) =>
    sql`select id from ${sql.raw(table)} where account_id = ${account} order by id ${limitTo(interactionsAtOnce)}`
  return [
    ctx.db
      .update(statuses)
      .set(favouritesChangedBy(-1))
      .where(sql`id in (select status_id from favourites where id in (${some('favourites')}))`),
    ctx.db.delete(favourites).where(sql`id in (${some('favourites')})`),
    uncountReactions(ctx, some('emoji_reactions')),
    ctx.db.delete(emojiReactions).where(sql`id in (${some('emoji_reactions')})`),
  ]
}
