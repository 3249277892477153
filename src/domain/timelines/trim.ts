import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, execute, first, jsonRows, limitTo, oneRow, rows } from '../../db/query'
import { fullHomeFeeds, settings } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { type FeedTable, homeFeeds, listFeeds } from './eligibility'

/** Feed length. The feed ends there: readers that far back would only reach old statuses. */
export const feedLength = 400
/** Limits of one run: some 4,000 rows read, plus twice the rows deleted. */
const feedsPerRun = 10
const removedPerRun = 10_000

const placeKeys = { homes: 'task.trim-homes', lists: 'task.trim-lists' } as const

/** Position of a round: the last owner done, and the newest status when the round began. */
const TrimProgress = z.object({ owner: z.number(), newest: z.number() })

/** Condition: a round through the feeds is under way, or statuses were stored since the last one began. */
export const isTrimDue = (feeds: keyof typeof placeKeys) => sql`not exists (select 1 from settings
  where key = ${placeKeys[feeds]} and value ->> 'owner' = 0
    and value ->> 'newest' >= (select coalesce(max(id), 0) from statuses))`

/** Cron: trims home feeds to their newest entries. */
export function trimHomes(ctx: Ctx): Promise<void> {
  return trimFeeds(ctx, homeFeeds, placeKeys.homes)
}

/** Cron: trims list feeds to their newest entries. */
export function trimLists(ctx: Ctx): Promise<void> {
  return trimFeeds(ctx, listFeeds, placeKeys.lists)
}

/**
 * Trims a few feeds per run, in owner order. The `settings` row `placeKey` stores the progress of the round. A status
 * stored during a round makes another one due: its feeds may have been trimmed already.
 */
async function trimFeeds(ctx: Ctx, feeds: FeedTable, placeKey: string): Promise<void> {
  const { next, stored, newest } = await execute(
    ctx.db,
    combineQueries({
      next: rows(nextFeeds(ctx, feeds, placeKey)),
      stored: first(
        ctx.db.select({ value: settings.value }).from(settings).where(eq(settings.key, placeKey)),
      ),
      newest: first(
        ctx.db.select({ id: sql<number>`coalesce((select max(id) from statuses), 0)`.as('id') }).from(oneRow),
      ),
    }),
  )
  const progress = TrimProgress.safeParse(stored?.value)
  const isUnderWay = progress.success && progress.data.owner > 0
  const changes = new Changes()
  const long = next.flatMap(({ owner, end }) => (end === null ? [] : [{ owner, end }]))
  if (long.length > 0) changes.add(deleteOldest(ctx, feeds, long))
  if (feeds === homeFeeds && long.length > 0) changes.add(noteFull(ctx, long))
  const value = {
    owner: next.length < feedsPerRun ? 0 : (next.at(-1)?.owner ?? 0),
    newest: isUnderWay ? progress.data.newest : (newest?.id ?? 0),
  }
  changes.add(
    ctx.db
      .insert(settings)
      .values({ key: placeKey, value, updatedAt: ctx.clock.now() })
      .onConflictDoUpdate({ target: settings.key, set: { value } }),
  )
  await commit(ctx, changes)
}

/** A feed of full length or more: its owner, and the oldest entry that stays. */
interface LongFeed {
  readonly owner: number
  readonly end: number
}

/** Notes the home feeds that are trimmed, behind their trimming: a deleted entry ends it. */
function noteFull(ctx: Ctx, long: readonly LongFeed[]) {
  const isOlder = sql`status_id < item.value ->> 'end'`
  return ctx.db.run(sql`insert into ${fullHomeFeeds} (account_id)
    select item.value ->> 'owner' from ${jsonRows(long)} where not exists (
      select 1 from home_entries where account_id = item.value ->> 'owner' and ${isOlder})
    on conflict do nothing`)
}

/**
 * Owners of the next feeds, each with the oldest entry that stays: null in a shorter feed, and in a full home feed, which
 * triggers keep at its length. Each step jumps to the next owner in the index, so one row is read per feed.
 */
function nextFeeds(ctx: Ctx, feeds: FeedTable, placeKey: string) {
  const [table, key] = [sql.raw(feeds.table), sql.raw(feeds.key)]
  const place = sql`coalesce((select value ->> 'owner' from settings where key = ${placeKey}), 0)`
  const owners = sql`(
    with recursive owner(id) as (select min(${key}) from ${table} where ${key} > ${place}
      union all
      select (select min(${key}) from ${table} where ${key} > owner.id) from owner
      where owner.id is not null ${limitTo(feedsPerRun)})
    select id from owner where id is not null) as owners`
  const end = sql`select status_id from ${table} where ${key} = owners.id
    order by status_id desc limit 1 offset ${sql.raw(String(feedLength - 1))}`
  const isFull =
    feeds === homeFeeds
      ? sql`exists (select 1 from ${fullHomeFeeds} f where f.account_id = owners.id)`
      : sql`0`
  return ctx.db
    .select({
      owner: sql<number>`owners.id`.as('owner'),
      end: sql<number | null>`case when ${isFull} then null else (${end}) end`.as('end'),
    })
    .from(owners)
}

/** Deletes the entries that are too many, of all feeds in one statement: those of the first owners first. */
function deleteOldest(ctx: Ctx, feeds: FeedTable, long: readonly LongFeed[]) {
  const [table, key] = [sql.raw(feeds.table), sql.raw(feeds.key)]
  return ctx.db.run(sql`delete from ${table} where (${key}, status_id) in (
    select e.${key}, e.status_id from ${jsonRows(long)} cross join ${table} e
    where e.${key} = item.value ->> 'owner' and e.status_id < item.value ->> 'end' ${limitTo(removedPerRun)})`)
}
