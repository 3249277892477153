import { type SQL, sql } from 'drizzle-orm'
import { preparedInsert, preparedWrite } from '../../db/prepared'
import { countedBefore, inJsonList, inList, jsonRows, jsonTable } from '../../db/query'
import {
  accounts,
  counters,
  mediaAttachments,
  polls,
  statuses,
  statusMentions,
  statusTags,
  tags,
} from '../../db/schema'
import { Conflict } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addToConversations } from '../conversations/entries'
import { type Changes, commit } from '../core/changes'
import { recordEmojiUses } from '../custom-emojis/shortcodes'
import { updateFeaturedCounts } from '../featured-tags/feature'
import { requestPreview } from '../links/request-preview'
import { restoreClaimed } from '../media/delete-files'
import { areFree } from '../media/find'
import { incrementWeek } from '../metrics/daily-counters'
import { notify } from '../notifications/notify'
import { indexStatus } from '../search/document'
import { fanOut } from '../timelines/fan-out'
import { statusExists } from './find'
import { type CountedStatus, missingMedia, type StatusPlan } from './plan'
import { storeQuote } from './quotes/quote-state'

/** Adds the rows of a plan: parents first, since foreign keys are enforced; feeds after mentions. */
export function storeStatus(ctx: Ctx, changes: Changes, plan: StatusPlan): void {
  const { status } = plan
  changes.add(insertStatus(ctx.db, status))
  addPoll(ctx, changes, plan)
  storeQuote(ctx, changes, plan)
  addMentions(ctx, changes, { ...plan, id: status.id })
  addTags(ctx, changes, { ...plan, id: status.id })
  claimMedia(ctx, changes, plan)
  changes.add(...recordEmojiUses(ctx, { kind: 'status', id: status.id }, plan.shortcodes))
  if (plan.entersHomes) changes.add(...fanOut(ctx, status))
  if (plan.entersHomes && status.visibility === 'direct')
    changes.add(addToConversations(ctx, { ...status, named: plan.mentions.map((mention) => mention.id) }))
  changes.add(
    indexStatus(ctx, documentOf(plan)),
    ...incrementCounters(ctx, status),
    ...updateFeaturedCounts(ctx, status, 1),
  )
  if (plan.isLive) changes.publish({ kind: 'status.posted', statusId: status.id })
  addNotifications(ctx, changes, plan)
  const { id, local, content = '' } = status
  const others = [plan.quote?.quotedUri]
  requestPreview(ctx.config, changes, { id, local, content, others, attached: plan.attachedPage })
}

const insertStatus = preparedInsert(statuses)

function documentOf({ status, poll, quote }: StatusPlan) {
  const { id, accountId, content = '', spoilerText = '', attachments = [], tags: named = [] } = status
  const { language = null, sensitive = false, inReplyToId, inReplyToAccountId, inReplyToUri } = status
  return {
    id,
    accountId,
    content,
    spoilerText,
    attachments,
    tags: named,
    language,
    sensitive,
    isReply: (inReplyToId ?? inReplyToAccountId ?? inReplyToUri ?? null) !== null,
    isQuote: quote !== null,
    pollOptions: poll?.options ?? null,
  }
}

function addPoll(ctx: Ctx, changes: Changes, { poll, status }: StatusPlan): void {
  if (poll === null || status.pollId == null) return
  changes.add(
    ctx.db.insert(polls).values({
      ...poll,
      id: status.pollId,
      statusId: status.id,
      accountId: status.accountId,
    }),
  )
}

type Named = Pick<StatusPlan, 'mentions' | 'addressed' | 'tags'> & { readonly id: StatusId }

/** Grants access to the status `id` to mentioned and addressed accounts, besides existing ones. */
export function addMentions(
  ctx: Ctx,
  changes: Changes,
  { id, mentions, addressed }: Omit<Named, 'tags'>,
): void {
  const ids = [...mentions.map((mention) => mention.id), ...addressed]
  if (ids.length === 0) return
  changes.add(
    ctx.db.run(sql`insert into ${statusMentions} (status_id, account_id)
      select ${id}, item.value from ${jsonRows(ids)} where true on conflict do nothing`),
  )
}

/** Adds tags to the status `id`, besides existing ones. */
export function addTags(ctx: Ctx, changes: Changes, { id, tags: all }: Pick<Named, 'id' | 'tags'>): void {
  if (all.length === 0) return
  const now = ctx.clock.now().getTime()
  const named = JSON.stringify(all.map((tag) => ({ ...tag, id: ctx.ids.next() })))
  changes.add(insertTags(ctx.db, { named, now }), insertStatusTags(ctx.db, { named, id }))
}

const insertTags = preparedWrite(
  ['named', 'now'],
  (_db, { named, now }) => sql`insert into ${tags} (id, name, display_name, created_at)
    select item.value ->> 'id', item.value ->> 'name', item.value ->> 'display', ${now} from ${jsonTable(named)}
    where true on conflict (name) do nothing`,
)

const insertStatusTags = preparedWrite(
  ['named', 'id'],
  (_db, { named, id }) => sql`insert into ${statusTags} (tag_id, status_id)
    select t.id, ${id} from ${jsonTable(named)} cross join tags t
    where t.name = item.value ->> 'name' on conflict do nothing`,
)

/** Guards against two statuses claiming the same upload concurrently. */
function claimMedia(ctx: Ctx, changes: Changes, { mediaIds, status, heldBy }: StatusPlan): void {
  if (mediaIds.length === 0) return
  changes
    .require(areFree(status.accountId, mediaIds, heldBy), missingMedia(mediaIds))
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ statusId: status.id, scheduledStatusId: null })
        .where(inList(mediaAttachments.id, mediaIds)),
    )
  restoreClaimed(changes, mediaIds, status.id)
}

function addNotifications(
  ctx: Ctx,
  changes: Changes,
  { status, notifyMentioned, notifySubscribers }: StatusPlan,
): void {
  const isDirect = status.visibility === 'direct'
  const about = { from: status.accountId, statusId: status.id, isDirect }
  const newNotifications = [
    ...notifyMentioned.map((to) => ({ ...about, to, type: 'mention' as const })),
    ...notifySubscribers.map((to) => ({ ...about, to, type: 'status' as const })),
  ]
  notify(ctx, changes, newNotifications)
}

const attempts = 5

/**
 * Commits the changes of `plan` for a status published at `at` and returns its id, which encodes that time. If
 * another status of the same millisecond has the id, retries with the next one.
 */
export async function commitPublished(
  ctx: Ctx,
  at: Date,
  plan: (id: StatusId) => Changes,
): Promise<StatusId> {
  const ids = Array.from({ length: attempts }, () => ctx.ids.next(at))
  for (const id of ids) {
    const taken = new Conflict('id_taken')
    try {
      await commit(ctx, plan(id).require(sql`not ${statusExists(id)}`, taken))
      return id
    } catch (failure) {
      if (failure !== taken) throw failure
    }
  }
  throw new Error(`No free id at ${at.toISOString()}`)
}

/**
 * Statements that count a new status: for its author, its parent or original, and, if local, for the instance and
 * the week. For a remote author `count-servers` does so once a day, for many statuses at once; those that arrive too late
 * for it are counted here.
 *
 * As in Mastodon, direct statuses are not counted, and a reply counts at its parent only if public or unlisted; so does a
 * reblog, unlike there. A
 * local-only status counts only at local-only parents and originals, because counters are public. `made` is
 * evaluated when the statements run.
 */
export function incrementCounters(ctx: Ctx, status: CountedStatus, made: SQL = sql`1`) {
  const day = dayCounters(ctx, status, made)
  if (status.visibility === 'direct') return day
  if (status.localOnly === true) return [...localOnlyCounters(ctx, status, 1, made), ...day]
  const author = countForAuthor(ctx.db, {
    at: status.createdAt.getTime(),
    accountId: status.accountId,
    made,
    isCounted: isCountedSoon(status),
  })
  return [author, ...sharedCounters(ctx, status, 1, made), ...day]
}

const countForAuthor = preparedWrite(
  ['at', 'accountId', 'made', 'isCounted'],
  (db, { at, accountId, made, isCounted }) =>
    db
      .update(accounts)
      .set({
        statusesCount: sql`statuses_count + 1`,
        lastStatusAt: sql`max(coalesce(last_status_at, 0), ${at})`,
      })
      .where(sql`id = ${accountId} and ${made} and ${isCounted}`),
)

/**
 * Counts a local status for its day: public and unlisted ones as statuses, also of the week, and every reblog and every
 * reply to another account as an interaction.
 */
function dayCounters(ctx: Ctx, status: CountedStatus, made: SQL) {
  const { local, accountId, inReplyToAccountId: repliedTo = null, reblogOfId } = status
  const isCounted = isPublicOrUnlisted(status) && status.localOnly !== true
  const isInteraction = reblogOfId !== null || (repliedTo !== null && repliedTo !== accountId)
  if (!local || !(isCounted || isInteraction)) return []
  return [
    incrementWeek(ctx, status.createdAt, {
      ...(isCounted ? { weekly: 'statuses' as const } : {}),
      daily: { ...(isCounted ? { statuses: 1 } : {}), ...(isInteraction ? { interactions: 1 } : {}) },
      made,
    }),
  ]
}

/** Statements that revert `incrementCounters`. The author's last posting day stays. */
export function decrementCounters(ctx: Ctx, status: CountedStatus) {
  if (status.visibility === 'direct') return []
  if (status.localOnly === true) return localOnlyCounters(ctx, status, -1, sql`1`)
  const author = sql`select ${status.accountId} where ${isCountedSoon(status)}`
  return [decrementStatusCounts(ctx, author), ...sharedCounters(ctx, status, -1, sql`1`)]
}

/** Condition: the count of the author includes the status from the moment it is stored. */
function isCountedSoon({ id, local }: CountedStatus): SQL {
  return local ? sql`1` : sql`${id} < ${countedBefore}`
}

/** Condition: the count of the author of the statuses row `s` includes it by now. */
export const isCountedByNow = sql`(s.local = 1 or s.id < ${countedBefore})`

/** Subtracts one status from the counter of each account in `selection`. */
export function decrementStatusCounts(ctx: Ctx, selection: SQL) {
  return ctx.db
    .update(accounts)
    .set({ statusesCount: sql`max(0, statuses_count - 1)` })
    .where(sql`id in (${selection})`)
}

/**
 * Column updates for one favourite more or less. Counts reported by a remote server stay null where they are
 * null.
 */
export function favouritesChangedBy(by: 1 | -1) {
  return {
    favouritesCount: sql`max(0, favourites_count + ${by})`,
    untrustedFavouritesCount: sql`max(0, untrusted_favourites_count + ${by})`,
  }
}

/** Column updates for one reblog more or less, as `favouritesChangedBy`. */
export function reblogsChangedBy(by: 1 | -1) {
  return {
    reblogsCount: sql`max(0, reblogs_count + ${by})`,
    untrustedReblogsCount: sql`max(0, untrusted_reblogs_count + ${by})`,
  }
}

/** Changes instance counters, by default the number of statuses. */
export function addToInstanceCounters(
  ctx: Ctx,
  by: SQL,
  names: readonly string[] = ['statuses'],
  made: SQL = sql`1`,
) {
  return addToCounters(ctx.db, { by, names: JSON.stringify(names), made })
}

const addToCounters = preparedWrite(['by', 'names', 'made'], (db, { by, names, made }) =>
  db
    .update(counters)
    .set({ value: sql`max(0, value + ${by})` })
    .where(sql`${inJsonList(counters.name, names)} and ${made}`),
)

function sharedCounters(ctx: Ctx, status: CountedStatus, by: 1 | -1, made: SQL) {
  const isOpenReply = status.inReplyToId !== null && isPublicOrUnlisted(status)
  const names = isOpenReply ? ['statuses', 'replies'] : ['statuses']
  return [
    ...(status.local ? [addToInstanceCounters(ctx, sql`${by}`, names, made)] : []),
    ...targetCounters(ctx, status, by, made),
  ]
}

function localOnlyCounters(ctx: Ctx, status: CountedStatus, by: 1 | -1, made: SQL) {
  return targetCounters(ctx, status, by, sql`${made} and local_only = 1`)
}

/**
 * Updates the counters of the parent or original. `counts` is a condition on its row. A reblog for followers counts only
 * where its original is for them too: counters are public.
 */
function targetCounters(ctx: Ctx, status: CountedStatus, by: 1 | -1, counts: SQL) {
  const { inReplyToId, reblogOfId } = status
  const parent = ctx.db
    .update(statuses)
    .set({ repliesCount: sql`max(0, replies_count + ${by})` })
    .where(sql`id = ${inReplyToId} and ${counts}`)
  const original = ctx.db
    .update(statuses)
    .set(reblogsChangedBy(by))
    .where(
      isPublicOrUnlisted(status)
        ? sql`id = ${reblogOfId} and ${counts}`
        : sql`id = ${reblogOfId} and ${counts} and visibility = 'private'`,
    )
  return [
    ...(inReplyToId !== null && isPublicOrUnlisted(status) ? [parent] : []),
    ...(reblogOfId === null ? [] : [original]),
  ]
}

function isPublicOrUnlisted({ visibility }: CountedStatus): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}
