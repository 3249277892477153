import { eq, type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { settings } from '../../db/schema'
import type { SuggestionEntry } from '../../db/schema/discovery'
import { dayMilliseconds } from '../../lib/days'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { isOpening, latestStatuses } from '../core/page'
import { anonymousViewer } from '../core/viewer'
import { mayBeRecommended } from '../policy/featuring'

/** Key of the `settings` row with the popular accounts, as cron last found them. */
export const popularKey = 'suggestions.popular'

/** Popular accounts for every viewer's suggestions, best first. One statement. */
export function popularAccounts(ctx: Ctx): Query<readonly SuggestionEntry[]> {
  const found = first(
    ctx.db
      .select({ value: sql<string>`${settings.value}`.as('value') })
      .from(settings)
      .where(eq(settings.key, popularKey)),
  )
  return map(found, (row) => {
    const entries: readonly SuggestionEntry[] = row === null ? [] : JSON.parse(row.value)
    return entries
  })
}

const recentMilliseconds = 30 * dayMilliseconds
/** Fewer are not popular, and would reveal who follows whom. As in Mastodon. */
const minFigure = 5
const maxPopular = 40
/** Bounds: accounts sampled, follows read of each, and statuses read. */
const maxUsersRead = 200
const maxFollowsOfEach = 50
const maxStatusesRead = 4_000

interface Popular {
  readonly id: AccountId
  readonly figure: number
}

/** Accounts followed by the most users active within the last 30 days. Reads some 20,000 rows at most. */
export function mostFollowed(ctx: Ctx, now: Date): Query<Popular[]> {
  const activeUsers = sql`select account_id as id from users
    where last_active_at > ${now.getTime() - recentMilliseconds}
    order by last_active_at desc ${limitTo(maxUsersRead)}`
  const followedIds = sql`(select json_group_array(target_account_id) from (
    select target_account_id from follows f where f.account_id = people.id
    order by f.id desc ${limitTo(maxFollowsOfEach)}))`
  return popularIn(
    ctx,
    now,
    sql`select follow.value as id, count(*) as figure from (${activeUsers}) people, json_each(${followedIds}) follow
      group by follow.value having count(*) >= ${minFigure}`,
  )
}

/**
 * Accounts whose public statuses of the last 30 days have the most reblogs and favourites; only the latest statuses
 * count.
 */
export function mostInteractions(ctx: Ctx, now: Date): Query<Popular[]> {
  const since = firstIdAt(new Date(now.getTime() - recentMilliseconds))
  return popularIn(
    ctx,
    now,
    sql`select account_id as id, sum(figure) as figure from (
        select s.account_id, s.reblogs_count + s.favourites_count as figure
        from (${latestStatuses({ since, most: maxStatusesRead })}) s where ${isOpening} and s.local_only = 0)
      group by account_id having sum(figure) >= ${minFigure}`,
  )
}

function popularIn(ctx: Ctx, now: Date, figures: SQL): Query<Popular[]> {
  return rows(
    ctx.db
      .select({ id: sql<AccountId>`found.id`.as('id'), figure: sql<number>`found.figure`.as('figure') })
      .from(sql`(select a.id as id, popular.figure as figure
        from (${figures}) popular cross join accounts a on a.id = popular.id
        where ${mayBeRecommended(anonymousViewer, now)}
        order by popular.figure desc, a.id desc ${limitTo(maxPopular)}) found`),
  )
}
