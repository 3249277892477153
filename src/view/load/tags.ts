import { type SQL, sql } from 'drizzle-orm'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { limitTo, map, type Query, rows } from '../../db/query'
import { featuredTags, tags } from '../../db/schema'
import { anonymousViewer, type ViewerRef } from '../../domain/core/viewer'
import { featuredVisibleTo } from '../../domain/policy/featuring'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { type AccountId, firstIdAt } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'

export interface TagFacts {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly isFeatured: boolean
  readonly isFollowed: boolean
  /** Whether statuses are found by it, and it is found by search. */
  readonly usable: boolean
  readonly listable: boolean
  /** Decision of moderators whether it may trend; null before one. */
  readonly trendable: boolean | null
  readonly reviewedAt: Date | null
  /** Today first. */
  readonly history: readonly DailyUsage[]
  /** The selection's sort key. */
  readonly cursor: number
}

/** A hashtag featured on a profile. */
export interface FeaturedTagFacts {
  readonly id: number
  readonly accountId: AccountId
  /** Normalised, and as its owner wrote it. */
  readonly tag: string
  readonly name: string
  readonly statusesCount: number
  readonly lastStatusAt: Date | null
  readonly username: string
  readonly domain: string | null
}

/**
 * Loads the featured hashtags of the account `owner` selects, newest first; none for accounts that are hidden
 * or block `viewer`. As part of a profile, which blocked accounts may read, they are loaded for an anonymous
 * viewer.
 */
export function featuredTagsOf(
  ctx: Ctx,
  owner: SQL,
  viewer: ViewerRef = anonymousViewer,
): Query<FeaturedTagFacts[]> {
  const { id, accountId, name, statusesCount, lastStatusAt } = featuredTags
  return rows(
    ctx.db
      .select({
        id,
        accountId,
        name,
        statusesCount,
        lastStatusAt,
        tag: sql<string>`(select name from tags where tags.id = ${featuredTags.tagId})`.as('tag'),
        username: sql<string>`a.username`.as('username'),
        domain: sql<string | null>`a.domain`.as('domain'),
      })
      .from(featuredTags)
      .innerJoin(sql`accounts a`, sql`${accountId} = a.id`)
      .where(sql`a.id = ${owner} and ${featuredVisibleTo(viewer)}`)
      .orderBy(sql`${id} desc`),
  )
}

/**
 * Maximum daily uses counted per tag. For a very popular tag, counting on would cost rows and add no
 * information.
 */
const mostUses = 100

/** Maximum rows read to count the uses of a whole list: of hashtags alone, or as one part of a response. */
const rowsForUses = { alone: 1_400, part: 560 }

/** Maximum uses of a week counted per tag in a list of `count` hashtags. A use reads two rows. */
export function usesPerWeek(list: keyof typeof rowsForUses, count: number): number {
  const most = Math.floor(rowsForUses[list] / 2 / Math.max(1, count))
  return Math.min(mostUses * daysOfUse, Math.max(1, most))
}

/**
 * Source of the usage history: counted now; as stored when the tag was last trending; or stored if present, else at
 * most so many of the latest uses of the week counted now.
 */
type UsesFrom = 'counted' | 'kept' | number

/** Loads the hashtags a selection names by rows (id, cursor), with their use in the last week: one statement. */
export function loadTags(
  ctx: Ctx,
  viewer: SQL,
  selection: SQL,
  uses: UsesFrom = 'counted',
): Query<TagFacts[]> {
  const week = weekUntil(ctx.clock.now())
  const found = ctx.db
    .select(columnsOf(viewer, historyFrom(uses, week), sql`page.cursor`))
    .from(tags)
    .innerJoin(sql`(${selection}) page`, sql`${tags.id} = page.id`)
    .orderBy(sql`page.cursor desc`)
  return map(rows(found), (list) => list.map((tag) => factsOf(tag, week)))
}

/** Loads a page of all hashtags by `tags.id`, newest first, with their use as stored: one row each. */
export function loadTagPage(
  ctx: Ctx,
  viewer: SQL,
  { bounds, order }: { readonly bounds: SQL; readonly order: SQL },
): Query<TagFacts[]> {
  const week = weekUntil(ctx.clock.now())
  const found = ctx.db
    .select(columnsOf(viewer, historyFrom('kept', week), sql`tags.id`))
    .from(tags)
    .where(bounds)
    .orderBy(order)
  return map(rows(found), (list) => list.map((tag) => factsOf(tag, week)).toSorted((a, b) => b.id - a.id))
}

function historyFrom(uses: UsesFrom, week: readonly Date[]): SQL<string | null> {
  const stored = storedUsageCell('trending_tags', 'tag_id', sql`tags.id`)
  if (uses === 'kept') return stored
  return uses === 'counted' ? countedUses(week) : sql`coalesce(${stored}, ${latestUses(week, uses)})`
}

/** The columns of a hashtag. Subqueries name `tags.id` in full: Drizzle drops the table in a select of a single one. */
function columnsOf(viewer: SQL, history: SQL<string | null>, cursor: SQL) {
  return {
    id: tags.id,
    name: tags.name,
    displayName: tags.displayName,
    usable: tags.usable,
    listable: tags.listable,
    trendable: tags.trendable,
    reviewedAt: tags.reviewedAt,
    isFeatured: sql<boolean>`exists (select 1 from featured_tags
      where featured_tags.account_id = ${viewer} and featured_tags.tag_id = tags.id)`
      .mapWith(Boolean)
      .as('is_featured'),
    isFollowed: sql<boolean>`exists (select 1 from tag_follows
      where tag_follows.account_id = ${viewer} and tag_follows.tag_id = tags.id)`
      .mapWith(Boolean)
      .as('is_followed'),
    cursor: sql<number>`${cursor}`.as('cursor'),
    history: history.as('history'),
  }
}

/** A row with its stored or counted usage parsed. */
function factsOf(
  { history, ...tag }: Omit<TagFacts, 'history'> & { readonly history: string | null },
  week: readonly Date[],
): TagFacts {
  return { ...tag, history: parseUsage(history, week) }
}

/** A hashtag without uses, spelled as in the request. */
export function unusedTag(written: string, now: Date): TagFacts {
  const history = weekUntil(now).map((day) => ({ day, uses: 0, accounts: 0 }))
  const name = normaliseHashtag(written)
  return {
    id: 0,
    name,
    displayName: written,
    isFeatured: false,
    isFollowed: false,
    usable: true,
    listable: true,
    trendable: null,
    reviewedAt: null,
    history,
    cursor: 0,
  }
}

/** Counts the uses of a week now, in a JSON column of the stored form. */
function countedUses(week: readonly Date[]): SQL<string> {
  const days = week.map((start) => {
    const end = new Date(start.getTime() + dayMilliseconds)
    return sql`(select json_array(count(*), count(distinct account_id)) from (${usesBetween(start, end, mostUses)}))`
  })
  return sql`json_array(${dayOf(today(week))}, json_array(${sql.join(days, sql`, `)}))`
}

/** Counts the latest uses of a week, `most` of them, in a JSON column of the stored form. */
function latestUses(week: readonly Date[], most: number): SQL<string> {
  const from = week.at(-1) ?? today(week)
  const tomorrow = new Date(today(week).getTime() + dayMilliseconds)
  // Days ago: the number of days that begin after the status.
  const day = sql.join(
    week.slice(0, -1).map((start) => sql`(id < ${firstIdAt(start)})`),
    sql` + `,
  )
  const days = week.map((_, ago) => {
    const isOfDay = sql.raw(`day = ${ago}`)
    return sql`json_array(coalesce(sum(${isOfDay}), 0), count(distinct case when ${isOfDay} then account_id end))`
  })
  return sql`(select json_array(${dayOf(today(week))}, json_array(${sql.join(days, sql`, `)}))
    from (select account_id, ${day} as day from (${usesBetween(from, tomorrow, most)})))`
}

function today(week: readonly Date[]): Date {
  return week[0] ?? new Date(0)
}

/** The latest public and unlisted uses in a span, found by the ids of statuses, as rows (id, account_id). */
function usesBetween(start: Date, end: Date, most: number): SQL {
  return sql`select s.id as id, s.account_id as account_id from (
      select u.status_id as id from status_tags u
      where u.tag_id = tags.id and u.status_id >= ${firstIdAt(start)} and u.status_id < ${firstIdAt(end)}
      order by u.status_id desc ${limitTo(most)}) late
    cross join statuses s on s.id = late.id
    where s.visibility in ('public', 'unlisted') and s.local_only = 0`
}

/** Uses of something on one day, and the number of accounts that used it. */
export interface DailyUsage {
  /** Midnight, UTC. */
  readonly day: Date
  readonly accounts: number
  readonly uses: number
}

/** Length of a usage history, in days. */
export const daysOfUse = 7

/** Start of each of the last seven days, today first. */
export function weekUntil(now: Date): readonly Date[] {
  const midnight = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds
  return Array.from({ length: daysOfUse }, (_, ago) => new Date(midnight - ago * dayMilliseconds))
}

/** The stored usage of a trend, as a JSON column for `parseUsage`. */
export function storedUsageCell(
  table: 'trending_tags' | 'trending_links',
  key: 'tag_id' | 'card_id',
  id: SQL,
): SQL<string> {
  return sql<string>`(select json_array(kept.day, json(kept.history)) from ${sql.raw(table)} kept
    where kept.${sql.raw(key)} = ${id})`
}

/** Parses `[day, [[uses, accounts], …]]`, counted on that day, which may be before today. */
export function parseUsage(cell: string | null, week: readonly Date[]): DailyUsage[] {
  const stored: unknown = cell === null ? null : JSON.parse(cell)
  const [counted, history] = Array.isArray(stored) ? stored : [0, []]
  const today = dayOf(week[0] ?? new Date(0))
  return usesIn(history, week, today - Number(counted))
}

/** Maps the list to the week; `late` days of the week are newer than its first entry. */
function usesIn(list: unknown, week: readonly Date[], late: number): DailyUsage[] {
  if (!Array.isArray(list)) throw new Error('Stored usage is not a list')
  return week.map((day, ago) => {
    const entry: unknown = list[ago - late]
    const [uses = 0, accounts = 0] = Array.isArray(entry) ? entry.map(Number) : []
    return { day, uses, accounts }
  })
}
