import { type SQL, sql } from 'drizzle-orm'
import { normaliseHashtag } from '../../contract/text/hashtag'
import { limitTo } from '../../db/query'
import type { ViewerRef } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

export interface TagSearch {
  readonly viewer: ViewerRef
  /** As typed, with or without `#`. */
  readonly text: string
  /** Leaves out hashtags no moderator has reviewed, except an exact match. */
  readonly onlyReviewed: boolean
  /** The request looks for other kinds of results as well. */
  readonly isOneOfMany?: boolean
  readonly limit: number
  readonly offset: number
}

/**
 * Hashtags beginning with the text, the exact one first, as a selection (id, cursor); null for an invalid name.
 *
 * A name that occurs only in statuses hidden from the viewer is as secret as those, unless moderators reviewed it.
 */
export function selectTags({
  viewer,
  text,
  onlyReviewed,
  limit,
  offset,
  isOneOfMany = false,
}: TagSearch): SQL | null {
  const name = normaliseHashtag(text.trim().replace(/^#/, ''))
  if (name === '' || limit === 0) return null
  const max = !viewer.signedIn ? maxNames.strangers : isOneOfMany ? maxNames.amongOthers : maxNames.members
  // A range instead of LIKE, which is limited to 50 bytes and uses the index only under some settings.
  const candidates = sql`select t.* from tags t
    where t.name >= ${name} and t.name < ${`${name}\u{10ffff}`} and t.usable = 1 and t.listable = 1
    order by t.name ${limitTo(max)}`
  return sql`select id, -row_number() over () as cursor from (
    select t.id as id from (${candidates}) t
    where (t.trendable is not null or ${onlyReviewed ? sql`t.name = ${name} and` : sql``} (${isReadable(viewer)}))
    ${limitTo(limit)} offset ${offset})`
}

/** Number of names checked for visibility. */
const maxNames = { strangers: 60, members: 120, amongOthers: 40 }
/** Latest uses of an unreviewed name that decide whether it is public. */
const maxUsesRead = 6

function isReadable(viewer: ViewerRef): SQL {
  return sql`exists (select 1 from tag_follows f where f.tag_id = t.id and f.account_id = ${viewer.id})
    or exists (select 1 from featured_tags f where f.tag_id = t.id)
    or exists (select 1 from (select u.status_id from status_tags u where u.tag_id = t.id
        order by u.status_id desc ${limitTo(maxUsesRead)}) late
      cross join statuses s on s.id = late.status_id where ${visibleTo(viewer)})`
}
