import { type SQL, sql } from 'drizzle-orm'
import { type BoundedSelection, limitTo } from '../../db/query'
import { boundedPage, candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { allowedInPublicTimeline, narrowedTo, type PublicFilter } from './public'

/** Hashtags of a timeline, by normalised name. */
export interface TagFilter extends PublicFilter {
  readonly tag: string
  /** Widens: adds statuses with any of these. */
  readonly anyOf: readonly string[]
  /** Narrows to statuses with all of these. */
  readonly allOf: readonly string[]
  readonly noneOf: readonly string[]
}

/** Names used per list; more are ignored. */
const namesPerMode = 4

/**
 * The newest public statuses with the hashtag. An unknown `tag` has none, whatever `anyOf` says.
 *
 * Several hashtags need a walk; a single one is read in index order.
 */
export function tagSelection(viewer: ViewerRef, filter: TagFilter, page: Page, now: Date): BoundedSelection {
  const { tag, anyOf, allOf, noneOf } = filter
  const wanted = sql`s.visibility = 'public' and ${narrowedTo(filter)} and ${hasNone(noneOf)}
    and ${allowedInPublicTimeline(viewer, now)}`
  const shown = (candidates: SQL) =>
    sql`select s.id as id, s.id as cursor from (${candidates}) used cross join statuses s where s.id = used.id and ${wanted}`
  const others = anyOf.slice(0, namesPerMode).filter((name) => name !== tag)
  if (others.length + allOf.length > 0)
    return walkTags(page, {
      anyOf: [tag, ...new Set(others)],
      needed: allOf.slice(0, namesPerMode).map(tagStream),
      shown,
    })
  return scanIndex(page, {
    most: candidateLimit({ each: 3, limit: page.limit, of: 'statuses', scan: 600 }),
    of: 'statuses',
    cursor: sql`t.status_id`,
    candidates: (bounds) => sql`select t.status_id as id, t.status_id as cursor from status_tags t
      where t.tag_id = ${idOfTag(tag)} and ${bounds}`,
    shown,
  })
}

/** True if the status `s` has none of these hashtags. */
function hasNone(names: readonly string[]): SQL {
  if (names.length === 0) return sql`1`
  const barred = names.slice(0, namesPerMode).map(
    (name) => sql`exists (select 1 from status_tags other
      where other.tag_id = ${idOfTag(name)} and other.status_id = s.id)`,
  )
  return sql`not (${sql.join(barred, sql` or `)})`
}

/** Statuses in the order of an index for one value of its first column. */
interface IndexStream {
  readonly table: 'statuses' | 'status_tags'
  readonly id: 'id' | 'status_id'
  readonly key: 'account_id' | 'tag_id'
  readonly value: SQL
}

interface Walk {
  /** Normalised hashtags: candidates have one of them. Empty result if the first is unknown. */
  readonly anyOf: readonly [string, ...string[]]
  /** Streams that have to contain each candidate as well. */
  readonly needed: readonly IndexStream[]
  /** Filters candidates, rows (id) in page order, to rows (id, cursor). */
  shown(candidates: SQL): SQL
}

/** Rows that a walk reads, unless the page is longer: a page of rare intersections ends early, and leads on. */
const walkedRows = 400

/** Index stream of the statuses of one hashtag. */
function tagStream(name: string): IndexStream {
  return { table: 'status_tags', id: 'status_id', key: 'tag_id', value: idOfTag(name) }
}

function idOfTag(name: string): SQL {
  return sql`(select id from tags where name = ${name})`
}

/**
 * Page of the statuses with one of several hashtags that are in every needed stream.
 *
 * Walks from candidate to candidate: takes the nearest status with one of the hashtags, and the nearest in each
 * other stream from there on. If they agree, it is a match; if not, no match lies before the farthest, so the
 * walk continues there. Rare intersections of two busy hashtags are found without reading either in full.
 */
export function walkTags(page: Page, { anyOf, needed, shown }: Walk): BoundedSelection {
  const upwards = page.minId !== undefined
  const [nearest, farthest] = upwards ? [sql`min`, sql`max`] : [sql`max`, sql`min`]
  const [beyond, from] = upwards ? [sql`>`, sql`>=`] : [sql`<`, sql`<=`]
  const start = upwards ? page.minId : (page.maxId ?? Number.MAX_SAFE_INTEGER)
  const end = upwards ? page.maxId : page.sinceId
  const isWithin = end === undefined ? sql`1` : upwards ? sql`at < ${end}` : sql`at > ${end}`
  const nextUse = (after: SQL) => sql`(select ${nearest}((select ${nearest}(u.status_id) from status_tags u
    where u.tag_id = named.id and u.status_id ${beyond} ${after})) from named)`
  const inEach = needed.map(({ table, id, key, value }) => {
    const [stream, column, first] = [sql.raw(table), sql.raw(id), sql.raw(key)]
    return sql`(select ${nearest}(n.${column}) from ${stream} n where n.${first} = ${value} and n.${column} ${from} at)`
  })
  const agreed =
    needed.length === 0
      ? sql`at`
      : needed.length === 1
        ? inEach[0]
        : sql`${farthest}(${sql.join(inEach, sql`, `)})`
  const goOn = upwards ? sql`agreed - 1` : sql`agreed + 1`
  const step = 2 + 2 * anyOf.length + needed.length
  const most = candidateLimit({ each: 2 * step + 1, limit: page.limit, of: 'statuses', scan: walkedRows })
  const steps = sql`walk(at, agreed, is_weighed) as not materialized (
      select ${nextUse(sql`${start}`)}, null, 0
      union all
      select case when is_weighed then ${nextUse(sql`iif(agreed = at, at, ${goOn})`)} else at end,
          case when not is_weighed then ${agreed} end, not is_weighed
        from walk where at is not null and ${isWithin} and (agreed is not null or not is_weighed)
      ${limitTo(2 * most)})`
  const named = sql`named(id) as materialized (
      select t.id from json_each(${JSON.stringify(anyOf)}) asked cross join tags t on t.name = asked.value
        where ${idOfTag(anyOf[0])} is not null),
    ${steps},`
  return boundedPage(page, {
    named,
    shown: shown(sql`select at as id from walk where is_weighed and agreed = at and ${isWithin}`),
    // The last row has compared a candidate: everything up to its agreed id was checked.
    last: sql`(select iif(agreed = at, at, ${goOn}) from walk ${limitTo(1)} offset ${sql.raw(String(2 * most - 1))})`,
    of: 'statuses',
  })
}
