import { sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { trendingStatuses } from '../../db/schema'
import { inList } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type EligibleStatus, eligibleStatuses, type RankedStatus, selectExisting } from './find-statuses'
import { lowestRank, rankOf, scoreOf, trendKinds } from './rank'

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
export async function scoreStatuses(ctx: Ctx, least: number): Promise<void> {
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
