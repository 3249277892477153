import { type SQL, sql } from 'drizzle-orm'
import { first, map, type Query } from '../../db/query'
import { oneRow } from '../../db/sql'
import { parseDomain, parseHandle } from '../../lib/handle'
import { normaliseHashtag } from '../../lib/hashtag'
import type { Ctx } from '../../ports/ctx'
import { selectByHandle } from '../accounts/find'

/** Targets of moderators' decisions: an item, or every item of an author or a host. */
export const reviewable = ['tag', 'status', 'author', 'link', 'publisher'] as const
export type Reviewable = (typeof reviewable)[number]

/** A target of a decision, with the decision so far: null before a review. */
export interface ReviewTarget {
  readonly what: Reviewable
  readonly id: number
  /** Name for readers of the audit log. */
  readonly label: string
  readonly trendable: boolean | null
}

/** A hashtag, a public status, an account, a page or a host by its id. One statement. */
export function reviewTarget(ctx: Ctx, what: Reviewable, id: number): Query<ReviewTarget | null> {
  return targetWhere(ctx, what, sql`id = ${id}`)
}

/**
 * A target by the key an operator names it with: the name of a hashtag, the id of a status, a handle, the URL of a page
 * or a host. A host without a decision so far is a target as well, with a new id. Null for a key that cannot be one.
 */
export function reviewTargetByKey(
  ctx: Ctx,
  what: Reviewable,
  key: string,
): Query<ReviewTarget | null> | null {
  switch (what) {
    case 'tag':
      return targetWhere(ctx, what, sql`name = ${normaliseHashtag(key.trim().replace(/^#/, ''))}`)
    case 'status':
      return reviewTarget(ctx, what, Number(key))
    case 'link':
      return targetWhere(ctx, what, sql`url = ${key}`)
    case 'author': {
      const handle = parseHandle(key, ctx.config.ownDomains)
      return handle === null
        ? null
        : targetWhere(ctx, what, sql`id = (select id from (${selectByHandle(handle)}))`)
    }
    case 'publisher': {
      const domain = parseDomain(key)
      if (domain === null) return null
      const unknown = { what, id: ctx.ids.next(), label: domain, trendable: null }
      return map(targetWhere(ctx, what, sql`domain = ${domain}`), (found) => found ?? unknown)
    }
  }
}

/** A status as a selection (id, account_id, language), for the row of a decision about it. */
export function statusUnderReview(id: number): SQL {
  return sql`select s.id, s.account_id, coalesce(s.language, '') as language from statuses s where s.id = ${id}`
}

/** Selections (id, label, trendable) of targets, to be completed by a condition on the target. */
const selections: Readonly<Record<Reviewable, SQL>> = {
  tag: sql`select id, display_name as label, trendable from tags where`,
  // Only public statuses of accounts that are not suspended trend, and moderators see no others.
  status: sql`select id, uri as label,
      (select trend.trendable from trending_statuses trend where trend.status_id = statuses.id) as trendable
    from statuses where visibility = 'public' and local_only = 0 and reblog_of_id is null
      and exists (select 1 from accounts a where a.id = statuses.account_id and a.suspended_at is null) and`,
  author: sql`select id, username || coalesce('@' || domain, '') as label,
      (select by.trendable from trend_authors by where by.account_id = accounts.id) as trendable
    from accounts where`,
  link: sql`select id, url as label, trendable from preview_cards where`,
  publisher: sql`select id, domain as label, trendable from trend_publishers where`,
}

function targetWhere(ctx: Ctx, what: Reviewable, condition: SQL): Query<ReviewTarget | null> {
  const found = ctx.db
    .select({
      id: sql<number>`target.id`.as('id'),
      label: sql<string | null>`target.label`.as('label'),
      trendable: sql<number | null>`target.trendable`.as('trendable'),
    })
    .from(sql`${oneRow} cross join (${selections[what]} ${condition}) target`)
  return map(first(found), (row) =>
    row === null
      ? null
      : {
          what,
          id: row.id,
          label: row.label ?? String(row.id),
          trendable: row.trendable === null ? null : row.trendable === 1,
        },
  )
}
