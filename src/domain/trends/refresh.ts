import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute, inList, jsonRows } from '../../db/query'
import { trendingStatuses } from '../../db/schema'
import type { DayOfUse } from '../../db/schema/discovery'
import { dayMilliseconds, dayOf } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type InstanceSettings, pickSettings } from '../instance/settings'
import { loadCounter } from '../metrics/counters'
import { linkUsage } from './find-links'
import { type EligibleStatus, eligibleStatuses, type RankedStatus, selectExisting } from './find-statuses'
import { maxTrends, tagUsage } from './find-tags'
import { countedDays, findStoredUsage, type UsageSource, usageCandidates } from './find-usage'
import { lowestRank, rankOf, scoreOf, trendKinds } from './rank'
import { daysToCount, historyOf, rankUsage, type StoredUsage, type UsageRule } from './usage'

/** Cron: recomputes trends, unless the operator disabled them. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  const { settings, activePeople } = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, [
        'trends',
        'trendMinimumAccounts',
        'trendMinimumTagAccounts',
        'trendMinimumInteractions',
      ]),
      activePeople: loadCounter(ctx, 'active_month'),
    }),
  )
  if (!settings.trends) return
  const { tags, links, statuses } = trendLimits(settings, activePeople)
  await scoreUsage(ctx, tagUsage, { kind: trendKinds.tags, least: tags })
  await scoreStatuses(ctx, statuses)
  await scoreUsage(ctx, linkUsage, { kind: trendKinds.links, least: links })
}

const maxKept = 100
/**
 * Decisions of moderators outlive the trend for a while, so that a status that trends again need not be refused
 * again.
 */
const reviewsKeptMilliseconds = 7 * dayMilliseconds

/**
 * Ranks trending statuses, highest first: of each author the highest that moderators did not refuse. Each decays from
 * its publication, as in Mastodon. Pure.
 */
function rankStatuses(eligible: readonly EligibleStatus[], least: number, now: Date): RankedStatus[] {
  const kind = trendKinds.statuses
  const ranked = eligible
    .filter(({ trendable }) => trendable !== 0)
    .map(({ id, accountId, language, createdAt, figure }) => ({
      id,
      accountId,
      language,
      rank: rankOf(kind, scoreOf(figure, 1, least), new Date(createdAt)),
    }))
    .filter(({ rank }) => rank >= lowestRank(kind, now))
    .toSorted((a, b) => b.rank - a.rank)
  const highest = new Map(ranked.toReversed().map((status) => [status.accountId, status]))
  return ranked.filter((status) => highest.get(status.accountId) === status).slice(0, maxKept)
}

/** Rescores trending statuses and those with `least` favourites and reblogs, some of them recent: two round trips. */
async function scoreStatuses(ctx: Ctx, least: number): Promise<void> {
  const now = ctx.clock.now()
  const ranked = rankStatuses(await execute(ctx.db, eligibleStatuses(ctx, least, now)), least, now)
  const others = sql`not ${inList(
    trendingStatuses.statusId,
    ranked.map(({ id }) => id),
  )}`
  const { reviewedAt } = trendingStatuses
  const changes = new Changes().add(
    ctx.db.run(sql`insert into ${trendingStatuses} (status_id, account_id, language, rank) ${selectExisting(ranked)} where true
      on conflict (status_id) do update set rank = excluded.rank, language = excluded.language
        where trending_statuses.rank <> excluded.rank or trending_statuses.language <> excluded.language`),
    ctx.db
      .delete(trendingStatuses)
      .where(
        sql`${others} and (${reviewedAt} is null or ${reviewedAt} < ${now.getTime() - reviewsKeptMilliseconds})`,
      ),
    ctx.db.update(trendingStatuses).set({ rank: 0 }).where(sql`${others} and rank <> 0`),
  )
  await commit(ctx, changes)
}

/** Maximum of current trends that are counted again. */
const recounted = 60
const forgottenMilliseconds = 2 * dayMilliseconds

/**
 * Recounts current trends and candidates, and stores the result: three round trips. Unchanged rows are not written.
 */
async function scoreUsage(ctx: Ctx, source: UsageSource, { kind, least }: UsageRule): Promise<void> {
  const now = ctx.clock.now()
  const today = dayOf(now)
  const { kept, candidates } = await execute(
    ctx.db,
    combineQueries({ kept: findStoredUsage(ctx, source), candidates: usageCandidates(ctx, source, now) }),
  )
  const storedById = new Map(kept.map((usage) => [usage.id, usage]))
  const alive = kept.filter(({ rank }) => rank >= lowestRank(kind, now)).slice(0, recounted)
  const ids = [...new Set([...candidates, ...alive].map(({ id }) => id))]
  const wanted = ids.flatMap((id) => daysToCount(id, storedById.get(id) ?? null, today))
  const counted = await execute(ctx.db, countedDays(ctx, source, wanted))
  const judged = ids.flatMap((id) => {
    const before = storedById.get(id) ?? null
    const days = new Map<number, DayOfUse>(
      counted.filter((entry) => entry.id === id).map(({ day, use }) => [day, use]),
    )
    const after = rankUsage(
      { kind, least },
      { id, history: historyOf(before, days, today), kept: before },
      now,
    )
    return after === null || isSame(before, after) ? [] : [after]
  })
  await commit(ctx, storeUsage(ctx, source, judged, now))
}

function isSame(before: StoredUsage | null, after: StoredUsage): boolean {
  if (before === null || before.rank !== after.rank || before.day !== after.day) return false
  return JSON.stringify(before.history) === JSON.stringify(after.history)
}

function storeUsage(ctx: Ctx, source: UsageSource, judged: readonly StoredUsage[], now: Date): Changes {
  const [trending, id] = [sql.raw(source.table), sql.raw(source.key)]
  const changes = new Changes()
  if (judged.length > 0) changes.add(ctx.db.run(upsertUsage(source, judged)))
  return changes.add(
    ctx.db.run(sql`delete from ${trending} where peak_at < ${now.getTime() - forgottenMilliseconds}
      or ${id} in (select ${id} from ${trending} order by rank desc limit -1 offset ${maxTrends})`),
  )
}

function upsertUsage({ table, key, own }: UsageSource, judged: readonly StoredUsage[]): SQL {
  const list = judged.map(({ peakAt, ...usage }) => ({ ...usage, peakAt: peakAt.getTime() }))
  const columns = ['rank', 'peak', 'peak_at', 'day', 'history', ...(own === undefined ? [] : [own.column])]
  const updates = columns.map((column) => `${column} = excluded.${column}`)
  return sql`insert into ${sql.raw(table)} (${sql.raw(key)}, ${sql.raw(columns.join(', '))})
    select item.value ->> 'id', item.value ->> 'rank', item.value ->> 'peak', item.value ->> 'peakAt',
      item.value ->> 'day', item.value -> 'history'${own === undefined ? sql`` : sql`, ${own.value}`}
    from ${jsonRows(list)} where true
    on conflict (${sql.raw(key)}) do update set ${sql.raw(updates.join(', '))}`
}

/** As in Mastodon. */
const usual = 5
/** On a small server so many are a trend: few of its members use one hashtag on one day. */
const amongFew = 2
/** People active within 30 days below which a server is small. */
const fewPeople = 50

type TrendSettings = Pick<
  InstanceSettings,
  'trendMinimumAccounts' | 'trendMinimumTagAccounts' | 'trendMinimumInteractions'
>

/** Accounts that make a hashtag or page trend, and favourites and reblogs that make a status trend. */
export interface TrendLimits {
  readonly tags: number
  readonly links: number
  readonly statuses: number
}

/** The limits of a server with so many people active within 30 days. Pure. */
function trendLimits(settings: TrendSettings, activePeople: number): TrendLimits {
  const standard = activePeople < fewPeople ? amongFew : usual
  return {
    tags: settings.trendMinimumTagAccounts ?? standard,
    links: settings.trendMinimumAccounts,
    statuses: settings.trendMinimumInteractions ?? standard,
  }
}
