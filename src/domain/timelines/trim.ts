import { sql } from 'drizzle-orm'
import { execute, rows } from '../../db/query'
import { settings } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { type FeedTable, homeFeeds, listFeeds } from './eligibility'

/** Feed length. The feed ends there: readers that far back would only reach old statuses. */
export const feedLength = 400
/** Limits of one run: some 4,000 rows read, plus twice the rows deleted. */
const feedsPerRun = 10
const removedPerFeed = 1_000

/** Cron: trims home feeds to their newest entries. */
export function trimHomes(ctx: Ctx): Promise<void> {
  return trimFeeds(ctx, homeFeeds, 'task.trim-homes')
}

/** Cron: trims list feeds to their newest entries. */
export function trimLists(ctx: Ctx): Promise<void> {
  return trimFeeds(ctx, listFeeds, 'task.trim-lists')
}

/**
 * Trims a few feeds per run, in owner order and round-robin. The `settings` row `placeKey` stores where the last
 * run stopped.
 */
async function trimFeeds(ctx: Ctx, feeds: FeedTable, placeKey: string): Promise<void> {
  const next = await execute(ctx.db, rows(nextFeeds(ctx, feeds, placeKey)))
  const changes = new Changes()
  for (const { owner } of next) changes.add(trimFeed(ctx, feeds, owner))
  const place = next.length < feedsPerRun ? 0 : (next.at(-1)?.owner ?? 0)
  const row = { key: placeKey, value: place, updatedAt: ctx.clock.now() }
  changes.add(
    ctx.db
      .insert(settings)
      .values(row)
      .onConflictDoUpdate({ target: settings.key, set: { value: place } }),
  )
  await commit(ctx, changes)
}

/** Owners of the next feeds: each step jumps to the next owner in the index, so one row is read per feed. */
function nextFeeds(ctx: Ctx, feeds: FeedTable, placeKey: string) {
  const [table, key] = [sql.raw(feeds.table), sql.raw(feeds.key)]
  const place = sql`coalesce((select value ->> '$' from settings where key = ${placeKey}), 0)`
  const owners = sql`(
    with recursive owner(id) as (select min(${key}) from ${table} where ${key} > ${place}
      union all
      select (select min(${key}) from ${table} where ${key} > owner.id) from owner
      where owner.id is not null ${limitTo(feedsPerRun)})
    select id from owner where id is not null) as owners`
  return ctx.db.select({ owner: sql<number>`owners.id`.as('owner') }).from(owners)
}

function trimFeed(ctx: Ctx, feeds: FeedTable, owner: number) {
  const [table, key] = [sql.raw(feeds.table), sql.raw(feeds.key)]
  return ctx.db.run(sql`delete from ${table} where ${key} = ${owner} and status_id in (
    select status_id from ${table} where ${key} = ${owner} and status_id < (
      select status_id from ${table} where ${key} = ${owner}
      order by status_id desc limit 1 offset ${sql.raw(String(feedLength - 1))})
    order by status_id ${limitTo(removedPerFeed)})`)
}
