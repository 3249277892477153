import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask, rows } from '../../db/query'
import { homeEntries, settings } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { AccountId } from '../../lib/ids'
import { Changes, commit } from '../changes'

/** Who reads further back than this reads what was posted long ago: the feed ends there. */
export const homeLength = 400
/** Bounds what one run reads: some 4,000 rows, and twice what it removes. */
const feedsPerRun = 10
const removedPerFeed = 1_000

/** The row of `settings` that remembers where the last run stopped. */
const placeKey = 'task.trim-homes'

/**
 * Cron: cuts home feeds to their newest entries, a few feeds at a time, in the order of accounts and round again.
 */
export async function trimHomes(ctx: Ctx): Promise<void> {
  const feeds = await ask(ctx.db, rows(nextFeeds(ctx)))
  const changes = new Changes()
  for (const { accountId } of feeds) changes.add(trimFeed(ctx, accountId))
  const place = feeds.length < feedsPerRun ? 0 : (feeds.at(-1)?.accountId ?? 0)
  const row = { key: placeKey, value: place, updatedAt: ctx.clock.now() }
  changes.add(
    ctx.db
      .insert(settings)
      .values(row)
      .onConflictDoUpdate({ target: settings.key, set: { value: place } }),
  )
  await commit(ctx, changes)
}

/** The owners of the next feeds: each step jumps to the next owner in the key, so one row is read per feed. */
function nextFeeds(ctx: Ctx) {
  const place = sql`coalesce((select value ->> '$' from settings where key = ${placeKey}), 0)`
  const owners = sql`(
    with recursive owner(id) as (select min(account_id) from home_entries where account_id > ${place}
      union all
      select (select min(account_id) from home_entries where account_id > owner.id) from owner
      where owner.id is not null ${limitTo(feedsPerRun)})
    select id from owner where id is not null) as owners`
  return ctx.db.select({ accountId: sql<AccountId>`owners.id`.as('account_id') }).from(owners)
}

function trimFeed(ctx: Ctx, accountId: AccountId) {
  const own = sql`${homeEntries.accountId} = ${accountId}`
  return ctx.db.delete(homeEntries).where(sql`${own} and ${homeEntries.statusId} in (
    select status_id from home_entries where account_id = ${accountId} and status_id < (
      select status_id from home_entries where account_id = ${accountId}
      order by status_id desc limit 1 offset ${sql.raw(String(homeLength - 1))})
    order by status_id ${limitTo(removedPerFeed)})`)
}
