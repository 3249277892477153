import { type SQL, sql } from 'drizzle-orm'
import { map, type Query, rows } from '../../db/query'
import { featuredTags, tags } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { anonymousViewer, type ViewerRef } from '../../domain/core/viewer'
import { featuredVisibleTo } from '../../domain/policy/collections'
import { dayMilliseconds, dayOf } from '../../lib/days'
import { normaliseHashtag } from '../../lib/hashtag'
import type { AccountId } from '../../lib/ids'
import { firstIdAt } from '../../lib/snowflake'
import type { Ctx } from '../../platform/ports'
import { type DailyUsage, daysOfUse, parseUsage, storedUsageCell, weekUntil } from './usage'

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

/** Maximum rows read to count the uses of a whole list. */
const rowsForUses = { anonymous: 560, signedIn: 2_800 }

/** Maximum daily uses counted per tag in a list of `count` hashtags. */
export function usesPerDay(viewer: ViewerRef, count: number): number {
  const rowsEach = rowsForUses[viewer.signedIn ? 'signedIn' : 'anonymous'] / Math.max(1, count)
  return Math.min(mostUses, Math.max(1, Math.floor(rowsEach / (2 * daysOfUse))))
}

/**
 * Source of the usage history: counted now; as stored when the tag was last trending; or stored if present,
 * else at most so many uses a day counted now.
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
  const stored = storedUsageCell('trending_tags', 'tag_id', sql`${tags.id}`)
  const counted = countedUses(week, typeof uses === 'number' ? uses : mostUses)
  const history =
    uses === 'kept'
      ? stored
      : sql<string | null>`${uses === 'counted' ? counted : sql`coalesce(${stored}, ${counted})`}`
  const found = rows(
    ctx.db
      .select({
        id: tags.id,
        name: tags.name,
        displayName: tags.displayName,
        usable: tags.usable,
        listable: tags.listable,
        trendable: tags.trendable,
        reviewedAt: tags.reviewedAt,
        isFeatured: sql<number>`exists (select 1 from featured_tags
          where featured_tags.account_id = ${viewer} and featured_tags.tag_id = ${tags.id})`.as(
          'is_featured',
        ),
        isFollowed: sql<number>`exists (select 1 from tag_follows
          where tag_follows.account_id = ${viewer} and tag_follows.tag_id = ${tags.id})`.as('is_followed'),
        cursor: sql<number>`page.cursor`.as('cursor'),
        history: history.as('history'),
      })
      .from(tags)
      .innerJoin(sql`(${selection}) page`, sql`${tags.id} = page.id`)
      .orderBy(sql`page.cursor desc`),
  )
  return map(found, (list) =>
    list.map((tag) => ({
      ...tag,
      isFeatured: tag.isFeatured === 1,
      isFollowed: tag.isFollowed === 1,
      history: parseUsage(tag.history, week),
    })),
  )
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
function countedUses(week: readonly Date[], perDay: number): SQL {
  const days = week.map((start) => usesOn(start, perDay))
  return sql`json_array(${dayOf(week[0] ?? new Date(0))}, json_array(${sql.join(days, sql`, `)}))`
}

/** Public and unlisted uses among the latest of one day, found by the ids of its statuses. */
function usesOn(start: Date, most: number): SQL {
  const end = new Date(start.getTime() + dayMilliseconds)
  return sql`(select json_array(count(*), count(distinct s.account_id)) from (
      select u.status_id as id from status_tags u
      where u.tag_id = ${tags.id} and u.status_id >= ${firstIdAt(start)} and u.status_id < ${firstIdAt(end)}
      order by u.status_id desc ${limitTo(most)}) late
    cross join statuses s on s.id = late.id
    where s.visibility in ('public', 'unlisted') and s.local_only = 0)`
}
