import { type SQL, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accounts, emojiReactions, favourites, mediaAttachments, statuses, statusTags } from '../../db/schema'
import { inList, jsonRows, limitTo } from '../../db/sql'
import type { Attachment } from '../../db/values'
import { Conflict } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { removeFromConversations } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { uncountReactions } from '../interactions/reaction-counts'
import { deleteFiles } from '../media/delete-files'
import { keysOfFile } from '../media/pictures'
import { addToInstanceCounters, favouritesChangedBy, reblogsChangedBy } from '../statuses/counters'
import {
  areAllThere,
  type PurgeableFacts,
  type PurgeableStatus,
  purgeableFacts,
  quotedBy,
  tagRowsOf,
} from './find-purgeable'

const statusesAtOnce = 100
const interactionsAtOnce = 200
/** Deletions published per batch: the newest statuses are those clients show. Each costs a statement. */
const publishedAtOnce = 20

/** Another run deleted statuses of the part meanwhile. */
class PartChanged extends Conflict {}

/**
 * Removes the statuses, favourites and reactions of a deleted account, lowers the counters they were part of, and
 * enqueues deletion of its uploaded files (`delete-files`).
 *
 * Works in batches; the rest is left to a job. Idempotent. What is counted is computed from the part that was read:
 * the batch fails where another run deleted some of it, and a job starts over.
 */
export async function purgeAccountStatuses(ctx: Ctx, account: AccountId): Promise<void> {
  const facts = await execute(ctx.db, purgeableFacts(ctx, account, statusesAtOnce))
  const removals = [
    ctx.db.delete(statuses).where(sql`id in (${listOf(facts.part)})`),
    ...deleteInteractions(ctx, account),
  ]
  const uploads = facts.part.flatMap((status) => status.uploads)
  // Counters before the rows they are computed from.
  const changes = new Changes()
    .require(areAllThere(listOf(facts.part), facts.part.length), new PartChanged('Deleted by another run'))
    .add(...dropUploads(ctx, uploads), ...uncount(ctx, facts), ...removals)
  deleteFiles(changes, filesOf(uploads))
  const published = facts.hasSubscribers ? facts.part.slice(-publishedAtOnce) : []
  for (const { id } of published) changes.publish({ kind: 'status.removed', statusId: id })
  const isComplete = await commitPart(ctx, changes, removals.length)
  if (!isComplete) await ctx.jobs.send({ kind: 'purge-account-statuses', accountId: account })
}

/** Commits a part whose last statements are `removals`; false where there may be more. */
async function commitPart(ctx: Ctx, changes: Changes, removals: number): Promise<boolean> {
  try {
    const changed = await commit(ctx, changes)
    const [ownGone = 0, , favouritesGone = 0, , reactionsGone = 0] = changed.slice(-removals)
    return (
      ownGone < statusesAtOnce && favouritesGone < interactionsAtOnce && reactionsGone < interactionsAtOnce
    )
  } catch (failure) {
    if (failure instanceof PartChanged) return false
    throw failure
  }
}

function dropUploads(ctx: Ctx, uploads: readonly Attachment[]) {
  if (uploads.length === 0) return []
  const ids = uploads.map(({ id }) => id)
  return [ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids))]
}

function filesOf(uploads: readonly Attachment[]): string[] {
  return uploads.flatMap(({ file, preview }) => [...keysOfFile(file), ...keysOfFile(preview)])
}

function listOf(part: readonly PurgeableStatus[]): SQL {
  return sql`select value from json_each(${JSON.stringify(part.map(({ id }) => id))})`
}

/** Statements for what the part was counted in. Those without anything to change are left out. */
function uncount(ctx: Ctx, { part, reblogs }: PurgeableFacts) {
  if (part.length === 0) return []
  const where = (condition: (status: PurgeableStatus) => boolean) => part.filter(condition)
  const shared = where(({ reblogOfId, visibility }) => reblogOfId !== null && visibility !== 'direct')
  const replies = where(({ inReplyToId, visibility }) => inReplyToId !== null && isOpen(visibility))
  const [quotes, tagged] = [where(({ isQuote }) => isQuote), where(({ hasTags }) => hasTags)]
  const direct = where(({ visibility }) => visibility === 'direct')
  const counted = where(({ local, localOnly, visibility }) => local && !localOnly && visibility !== 'direct')
  const countedReplies = counted.filter(
    ({ inReplyToId, visibility }) => inReplyToId !== null && isOpen(visibility),
  )
  const localReblogs = reblogs.filter(({ local }) => local)
  const originals = shared.flatMap(({ reblogOfId }) => reblogOfId ?? [])
  return [
    ...(originals.length === 0
      ? []
      : [ctx.db.update(statuses).set(reblogsChangedBy(-1)).where(inList(statuses.id, originals))]),
    ...(replies.length === 0 ? [] : [uncountReplies(ctx, replies)]),
    ...(quotes.length === 0
      ? []
      : [
          ctx.db
            .update(statuses)
            .set({ quotesCount: sql`max(0, quotes_count - 1)` })
            .where(sql`id in (${quotedBy(listOf(quotes))})`),
        ]),
    ...(reblogs.length === 0
      ? []
      : [
          uncountReblogs(
            ctx,
            reblogs.map(({ accountId }) => accountId),
          ),
        ]),
    ...instanceCounters(ctx, counted.length + localReblogs.length, ['statuses']),
    ...instanceCounters(ctx, countedReplies.length, ['replies']),
    ...(direct.length === 0 ? [] : removeFromConversations(ctx, listOf(direct))),
    ctx.db
      .update(statuses)
      .set({ inReplyToId: null })
      .where(sql`in_reply_to_id in (${listOf(part)})`),
    ...(tagged.length === 0
      ? []
      : [ctx.db.delete(statusTags).where(sql`(tag_id, status_id) in (${tagRowsOf(listOf(tagged))})`)]),
  ]
}

function isOpen(visibility: PurgeableStatus['visibility']): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}

function instanceCounters(ctx: Ctx, less: number, names: readonly string[]) {
  return less === 0 ? [] : [addToInstanceCounters(ctx, sql`-${less}`, names)]
}

/** Local-only replies count at local-only parents alone. */
function uncountReplies(ctx: Ctx, replies: readonly PurgeableStatus[]) {
  const parents = Map.groupBy(replies, ({ inReplyToId }) => inReplyToId)
  const less = [...parents].map(([parent, all]) => {
    const federated = all.filter(({ localOnly }) => !localOnly).length
    return [parent, federated, all.length]
  })
  return ctx.db.run(sql`update ${statuses} set
      replies_count = max(0, replies_count - iif(local_only, item.value ->> 2, item.value ->> 1))
    from ${jsonRows(less)} where statuses.id = item.value ->> 0`)
}

function uncountReblogs(ctx: Ctx, rebloggers: readonly AccountId[]) {
  const less = [...Map.groupBy(rebloggers, (id) => id)].map(([id, all]) => [id, all.length])
  return ctx.db.run(sql`update ${accounts} set statuses_count = max(0, statuses_count - (item.value ->> 1))
    from ${jsonRows(less)} where accounts.id = item.value ->> 0`)
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
