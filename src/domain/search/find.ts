import { type SQL, sql } from 'drizzle-orm'
import { limitTo } from '../../db/sql'
import { normaliseHashtag } from '../../lib/hashtag'

export interface TagSearch {
  /** As typed, with or without `#`. */
  readonly text: string
  /** Leaves out what no moderator has looked at. */
  readonly onlyReviewed: boolean
  readonly limit: number
  readonly offset: number
}

/** Hashtags beginning with the text, the exact one first, as a selection (id, cursor); null where there is none. */
export function selectTags({ text, onlyReviewed, limit, offset }: TagSearch): SQL | null {
  const name = normaliseHashtag(text.trim().replace(/^#/, ''))
  if (name === '' || limit === 0) return null
  // A range instead of LIKE: that would need 50 bytes at most, and reads the index only for some settings.
  return sql`select id, -row_number() over () as cursor from (
    select t.id from tags t
    where t.name >= ${name} and t.name < ${`${name}\u{10ffff}`} and t.usable = 1 and t.listable = 1
      and ${onlyReviewed ? sql`t.trendable is not null` : sql`1`}
    order by t.name ${limitTo(limit)} offset ${offset})`
}
