import { type SQL, sql } from 'drizzle-orm'
import { preparedWrite } from '../../db/prepared'
import { countedBefore, inJsonList } from '../../db/query'
import { accounts, counters, statuses } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { incrementWeek } from '../metrics/daily-counters'

/** Fields that decide which counters include a status. */
export interface CountedStatus {
  readonly id: StatusId
  readonly accountId: AccountId
  readonly local: boolean
  readonly createdAt: Date
  readonly visibility: Visibility
  /** Absent for remote statuses. */
  readonly localOnly?: boolean | undefined
  readonly inReplyToId: StatusId | null
  readonly inReplyToAccountId?: AccountId | null | undefined
  readonly reblogOfId: StatusId | null
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
