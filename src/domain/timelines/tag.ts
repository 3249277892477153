import { type SQL, sql } from 'drizzle-orm'
import type { BoundedSelection } from '../../db/selection'
import { candidateLimit, type Page, scanIndex } from '../core/page'
import type { ViewerRef } from '../core/viewer'
import { allowedInPublicTimeline, narrowedTo, type PublicFilter } from './public'
import { idOfTag, tagStream, walkTags } from './walk-tags'

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
