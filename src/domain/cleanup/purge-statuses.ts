import { type SQL, sql } from 'drizzle-orm'
import { countedBefore, execute, inList, jsonRows } from '../../db/query'
import { accounts, formerTags, mediaAttachments, statuses, statusTags } from '../../db/schema'
import type { Attachment } from '../../db/values'
import { Conflict } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { removeFromConversations } from '../conversations/entries'
import { Changes, commit } from '../core/changes'
import { deleteFiles } from '../media/delete-files'
import { keysOfFile } from '../media/pictures'
import { deleteSomeChildren } from '../statuses/delete-children'
import { deleteRemoteStatuses } from '../statuses/remove'
import { addToInstanceCounters, isCountedByNow, reblogsChangedBy } from '../statuses/store'
import {
  areAllThere,
  countedChildren,
  type PurgeableReblog,
  type PurgeableStatus,
  type PurgeSelection,
  purgeableFacts,
  quotedBy,
  tagRowsOf,
} from './find-purgeable'

const statusesAtOnce = 100
/** Rows that refer to the statuses of a batch: some ten rows are read for each. */
const childrenAtOnce = 1_000

/** Another run deleted statuses of the part meanwhile. */
class PartChanged extends Conflict {
  override readonly name = 'PartChanged'
}

/** Result of one part. */
export interface PurgedPart {
  readonly count: number
  /** No status of the selection is left. */
  readonly isLast: boolean
  /** Rows changed by each statement of the batch. */
  readonly changed: readonly number[]
}

/**
 * Deletes the next statuses of a selection, lowers the counters they were part of but those of their author, and enqueues
 * the deletion of their uploaded files (`delete-files`). `addMore` adds to the batch, as its last statements. Null where a
 * later part has to continue: another run deleted some, or rows that refer to the first had to go before it.
 */
export async function purgeStatuses(
  ctx: Ctx,
  selection: PurgeSelection,
  addMore: (changes: Changes, part: readonly PurgeableStatus[]) => void,
): Promise<PurgedPart | null> {
  const facts = await execute(ctx.db, purgeableFacts(ctx, selection, statusesAtOnce))
  const [first] = facts.part
  const part = deletablePart(facts.part)
  if (first !== undefined && part.length === 0) {
    await clearChildren(ctx, first.id)
    return null
  }
  const uploads = part.flatMap((status) => status.uploads)
  const changes = new Changes()
  if (part.length > 0) changes.require(areAllThere(selection, part), new PartChanged('deleted_meanwhile'))
  // Counters before the rows they are computed from.
  changes.add(
    ...dropUploads(ctx, uploads),
    ...uncount(ctx, part),
    ...deletePart(ctx, selection.account, part),
  )
  addMore(changes, part)
  deleteFiles(changes, filesOf(uploads))
  for (const { id } of part)
    if (facts.shown.has(id)) changes.publish({ kind: 'status.removed', statusId: id })
  try {
    const changed = await commit(ctx, changes)
    const isLast = facts.part.length < statusesAtOnce && part.length === facts.part.length
    return { count: part.length, isLast, changed }
  } catch (failure) {
    if (failure instanceof PartChanged) return null
    throw failure
  }
}

/** Statuses of a part that their author and the server count. */
export function countedOf(part: readonly PurgeableStatus[]): readonly PurgeableStatus[] {
  return part.filter(({ local, localOnly, visibility }) => local && !localOnly && visibility !== 'direct')
}

/** Deletes the next rows that refer to a status, in as many batches as one invocation has statements for. */
async function clearChildren(ctx: Ctx, id: StatusId): Promise<void> {
  const { statements, isPartial } = deleteSomeChildren(ctx, id)
  do if (!isPartial(await commit(ctx, new Changes().add(...statements)))) return
  while (ctx.usage.statementsLeft() > statements.length)
}

/** First statuses of a part that one batch deletes; none where too many rows refer to the first, which go before it. */
function deletablePart(part: readonly PurgeableStatus[]): readonly PurgeableStatus[] {
  let sum = 0
  const end = part.findIndex(({ children }) => {
    sum += children
    return children >= countedChildren || sum > childrenAtOnce
  })
  return end < 0 ? part : part.slice(0, end)
}

/** Statements that delete the statuses of a part; of a remote account, with what its server was counted by. */
function deletePart(ctx: Ctx, account: AccountId, part: readonly PurgeableStatus[]) {
  const [first, last] = [part[0], part.at(-1)]
  if (first === undefined || last === undefined) return []
  const ids = listOf(part)
  if (first.local) return [ctx.db.delete(statuses).where(sql`id in (${ids})`)]
  const counted = sql`case when ${last.id} < ${countedBefore} then ${part.length} when ${first.id} >= ${countedBefore} then 0
    else (select count(*) from (${ids}) where value < ${countedBefore}) end`
  return [
    ...deleteRemoteStatuses(ctx, ids),
    ctx.db.run(sql`insert into domain_changes select a.domain, 0, 0, -(${counted}), 0, 0, 0, null
      from accounts a where a.id = ${account} and a.domain is not null`),
  ]
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
function uncount(ctx: Ctx, part: readonly PurgeableStatus[]) {
  const where = (condition: (status: PurgeableStatus) => boolean) => part.filter(condition)
  const ids = new Set(part.map(({ id }) => id))
  const originalsOf = (isPart: (visibility: PurgeableStatus['visibility']) => boolean) =>
    part.flatMap(({ reblogOfId, visibility }) => (isPart(visibility) ? (reblogOfId ?? []) : []))
  const [originals, hiddenOriginals] = [
    originalsOf(isOpen),
    originalsOf((visibility) => visibility === 'private'),
  ]
  // Parents that go with them count no more.
  const replies = where(
    ({ inReplyToId, visibility }) => inReplyToId !== null && isOpen(visibility) && !ids.has(inReplyToId),
  )
  const [quotes, tagged] = [where(({ isQuote }) => isQuote), where(({ tags }) => tags.length > 0)]
  const [answered, edited] = [where(({ isAnswered }) => isAnswered), where(({ isEdited }) => isEdited)]
  const direct = where(({ visibility }) => visibility === 'direct')
  const counted = countedOf(part)
  const countedReplies = counted.filter(
    ({ inReplyToId, visibility }) => inReplyToId !== null && isOpen(visibility),
  )
  // Reblogs that are in the part themselves are counted as its statuses.
  const reblogs = part.flatMap((status) => status.reblogs).filter(({ id }) => !ids.has(id))
  const localReblogs = reblogs.filter(({ local }) => local)
  return [
    ...(originals.length === 0
      ? []
      : [ctx.db.update(statuses).set(reblogsChangedBy(-1)).where(inList(statuses.id, originals))]),
    ...(hiddenOriginals.length === 0
      ? []
      : [
          ctx.db
            .update(statuses)
            .set(reblogsChangedBy(-1))
            .where(sql`${inList(statuses.id, hiddenOriginals)} and visibility = 'private'`),
        ]),
    ...(replies.length === 0 ? [] : [uncountReplies(ctx, replies)]),
    ...(quotes.length === 0 ? [] : [uncountQuotes(ctx, quotes)]),
    ...(reblogs.length === 0 ? [] : [uncountReblogs(ctx, reblogs)]),
    ...instanceCounters(ctx, counted.length + localReblogs.length, ['statuses']),
    ...instanceCounters(ctx, countedReplies.length, ['replies']),
    ...(direct.length === 0 ? [] : removeFromConversations(ctx, listOf(direct))),
    ...(answered.length === 0
      ? []
      : [
          ctx.db
            .update(statuses)
            .set({ inReplyToId: null })
            .where(sql`in_reply_to_id in (${listOf(answered)})`),
        ]),
    ...(edited.length === 0 ? [] : [ctx.db.delete(formerTags).where(sql`status_id in (${listOf(edited)})`)]),
    ...(tagged.length === 0
      ? []
      : [ctx.db.delete(statusTags).where(sql`(tag_id, status_id) in (${tagRowsOf(tagged)})`)]),
  ]
}

function uncountQuotes(ctx: Ctx, quotes: readonly PurgeableStatus[]) {
  return ctx.db
    .update(statuses)
    .set({ quotesCount: sql`max(0, quotes_count - 1)` })
    .where(sql`id in (${quotedBy(listOf(quotes))})`)
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

function uncountReblogs(ctx: Ctx, reblogs: readonly PurgeableReblog[]) {
  const all = reblogs.map(({ id, accountId, local }) => ({ id, account_id: accountId, local: local ? 1 : 0 }))
  return ctx.db.run(sql`update ${accounts} set statuses_count = max(0, statuses_count - less.number)
    from (select s.account_id, count(*) as number from (select item.value ->> 'id' as id,
        item.value ->> 'account_id' as account_id, item.value ->> 'local' as local from ${jsonRows(all)}) s
      where ${isCountedByNow} group by 1) less where accounts.id = less.account_id`)
}
