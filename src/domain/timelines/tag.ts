import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import type { ViewerRef } from '../viewer'
import { type Page, withinPage } from './page'
import { narrowedTo, type PublicFilter, shownInPublic } from './public'

/** Which hashtags a timeline is about, by normalised name. */
export interface TagFilter extends PublicFilter {
  readonly tag: string
  /** Widens: statuses with one of these belong as well. */
  readonly anyOf: readonly string[]
  /** Narrows to statuses with every one of these. */
  readonly allOf: readonly string[]
  readonly noneOf: readonly string[]
}

/** How many names each of the three lists takes; more are ignored. */
const namesPerMode = 4

/**
 * The newest public statuses with the hashtag, as rows (id, cursor). An unknown `tag` has none, whatever `anyOf` says.
 *
 * Each of several tags contributes a page of its own: sorting all statuses of popular tags would read them all.
 */
export function tagSelection(viewer: ViewerRef, filter: TagFilter, page: Page, now: Date): SQL {
  const direction = page.minId === undefined ? sql`desc` : sql`asc`
  // Five parts that each bind the viewer and all names would exceed D1's hundred parameters.
  const me: ViewerRef = { id: sql`(select id from me)`, signedIn: viewer.signedIn }
  const wanted = sql`${narrowedTo(filter)} and ${carries(filter)} and ${shownInPublic(me, now)}`
  const names = [...new Set([filter.tag, ...filter.anyOf.slice(0, namesPerMode)])]
  const parts = names.map(
    (name) => sql`
    select id, cursor from (
      select s.id as id, s.id as cursor
      from status_tags t join statuses s on s.id = t.status_id
      where t.tag_id = ${tagNamed(name)} and ${withinPage(page, sql`t.status_id`)}
        and s.visibility = 'public' and ${wanted}
      order by t.status_id ${direction} ${limitTo(page.limit)})`,
  )
  return sql`
    with me(id) as (select ${viewer.id}),
      needed(id) as (${idsOf(filter.allOf)}),
      barred(id) as (${idsOf(filter.noneOf)})
    select id, cursor from (${sql.join(parts, sql` union `)})
    where ${tagNamed(filter.tag)} is not null
    order by cursor ${direction} ${limitTo(page.limit)}`
}

/** Does the status `s` carry every needed tag (an unknown one never) and no barred one? */
function carries({ allOf, noneOf }: TagFilter): SQL {
  const hasNeeded = sql`not exists (select 1 from needed where not exists (
    select 1 from status_tags other where other.tag_id = needed.id and other.status_id = s.id))`
  const hasBarred = sql`exists (
    select 1 from barred join status_tags other on other.tag_id = barred.id and other.status_id = s.id)`
  return sql`${allOf.length === 0 ? sql`1` : hasNeeded} and ${noneOf.length === 0 ? sql`1` : sql`not ${hasBarred}`}`
}

function idsOf(names: readonly string[]): SQL {
  return sql`select (select id from tags where name = value)
    from json_each(${JSON.stringify(names.slice(0, namesPerMode))})`
}

function tagNamed(name: string): SQL {
  return sql`(select id from tags where name = ${name})`
}
