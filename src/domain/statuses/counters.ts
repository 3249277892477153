import { type SQL, sql } from 'drizzle-orm'
import { accounts, activityWeeks, counters, statuses } from '../../db/schema'
import type { Visibility } from '../../db/schema/statuses'
import { inList } from '../../db/sql'
import type { AccountId, StatusId } from '../../lib/ids'
import { weekOf } from '../../lib/weeks'
import type { Ctx } from '../../platform/ports'

/** What decides which figures a status counts in. */
export interface CountedStatus {
  readonly accountId: AccountId
  readonly local: boolean
  readonly createdAt: Date
  readonly visibility: Visibility
  /** Absent for those of other servers. */
  readonly localOnly?: boolean | undefined
  readonly inReplyToId: StatusId | null
  readonly reblogOfId: StatusId | null
}

/**
 * Statements that count a new status: for its author, its parent or original, and, where it was written here, for
 * the server and the week.
 *
 * As in Mastodon, direct ones count nowhere, and replies count at their parent when anybody may see them. What stays
 * on this server counts only where it answers or shares what stays there too: figures are shown to everybody.
 * `made` is asked when the statements run.
 */
export function incrementCounters(ctx: Ctx, status: CountedStatus, made: SQL = sql`1`) {
  if (status.visibility === 'direct') return []
  if (status.localOnly === true) return amongLocalOnly(ctx, status, 1, made)
  const at = status.createdAt
  const author = ctx.db
    .update(accounts)
    .set({
      statusesCount: sql`statuses_count + 1`,
      lastStatusAt: sql`max(coalesce(last_status_at, 0), ${at.getTime()})`,
    })
    .where(sql`id = ${status.accountId} and ${made}`)
  const week = ctx.db.run(sql`
    insert into ${activityWeeks} (week, statuses) select ${weekOf(at)}, 1 where ${made}
    on conflict (week) do update set statuses = statuses + 1`)
  return [
    author,
    ...shared(ctx, status, 1, made),
    ...(status.local && isPublicOrUnlisted(status) ? [week] : []),
  ]
}

/** Statements that take a status out of what `incrementCounters` counted. The author's last day of posting stays. */
export function decrementCounters(ctx: Ctx, status: CountedStatus) {
  if (status.visibility === 'direct') return []
  if (status.localOnly === true) return amongLocalOnly(ctx, status, -1, sql`1`)
  return [decrementStatusCounts(ctx, sql`${status.accountId}`), ...shared(ctx, status, -1, sql`1`)]
}

/** Takes one status off the figures of each account that `selection` names. */
export function decrementStatusCounts(ctx: Ctx, selection: SQL) {
  return ctx.db
    .update(accounts)
    .set({ statusesCount: sql`max(0, statuses_count - 1)` })
    .where(sql`id in (${selection})`)
}

/** The columns of a status that gains or loses one favourite; those its own server counts stay null where they are. */
export function favouritesChangedBy(by: 1 | -1) {
  return {
    favouritesCount: sql`max(0, favourites_count + ${by})`,
    untrustedFavouritesCount: sql`max(0, untrusted_favourites_count + ${by})`,
  }
}

/** The same for a reblog. */
export function reblogsChangedBy(by: 1 | -1) {
  return {
    reblogsCount: sql`max(0, reblogs_count + ${by})`,
    untrustedReblogsCount: sql`max(0, untrusted_reblogs_count + ${by})`,
  }
}

/** Changes the number of statuses the server tells about itself. */
export function addToInstanceCounters(
  ctx: Ctx,
  by: SQL,
  names: readonly string[] = ['statuses'],
  made: SQL = sql`1`,
) {
  return ctx.db
    .update(counters)
    .set({ value: sql`max(0, value + ${by})` })
    .where(sql`${inList(counters.name, names)} and ${made}`)
}

function shared(ctx: Ctx, status: CountedStatus, by: 1 | -1, made: SQL) {
  const answersOpenly = status.inReplyToId !== null && isPublicOrUnlisted(status)
  const names = answersOpenly ? ['statuses', 'replies'] : ['statuses']
  return [
    ...(status.local ? [addToInstanceCounters(ctx, sql`${by}`, names, made)] : []),
    ...atOthers(ctx, status, by, made),
  ]
}

function amongLocalOnly(ctx: Ctx, status: CountedStatus, by: 1 | -1, made: SQL) {
  return atOthers(ctx, status, by, sql`${made} and local_only = 1`)
}

/** At what a status answers or shares. `counts` is asked about the row of that. */
function atOthers(ctx: Ctx, status: CountedStatus, by: 1 | -1, counts: SQL) {
  const { inReplyToId, reblogOfId } = status
  const parent = ctx.db
    .update(statuses)
    .set({ repliesCount: sql`max(0, replies_count + ${by})` })
    .where(sql`id = ${inReplyToId} and ${counts}`)
  const original = ctx.db
    .update(statuses)
    .set(reblogsChangedBy(by))
    .where(sql`id = ${reblogOfId} and ${counts}`)
  return [
    ...(inReplyToId !== null && isPublicOrUnlisted(status) ? [parent] : []),
    ...(reblogOfId === null ? [] : [original]),
  ]
}

function isPublicOrUnlisted({ visibility }: CountedStatus): boolean {
  return visibility === 'public' || visibility === 'unlisted'
}
