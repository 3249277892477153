import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, type Query } from '../../db/query'
import { jsonRows, limitTo, oneRow } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { readCachedList } from '../core/cached-lists'
import { namesAbove } from '../instance/limits'

/** Accounts of servers known here, and the follows between them and local accounts. */
export interface LimitEffects {
  readonly accountsCount: number
  /** Follows by local accounts. */
  readonly followingCount: number
  /** Follows of local accounts. */
  readonly followersCount: number
  /** False where there are more than were counted. */
  readonly isComplete: boolean
}

/** Bounds of a count, so that no preview reads more than some 10,000 rows. */
const mostAccounts = 2_000
const mostFollows = 2_000

/**
 * Counts what limits on `names` and their subdomains affect, before they are made. Two round trips; subdomains are those
 * in the list of known servers, which is at most an hour old.
 */
export async function previewEffects(ctx: Ctx, names: readonly string[]): Promise<LimitEffects> {
  const wanted = new Set(names)
  const known = await execute(ctx.db, readCachedList(ctx, 'peers', z.string()))
  const covered = known.filter((domain) => namesAbove(domain).some((name) => wanted.has(name)))
  // A single name counts whether or not the list holds it by now.
  const domains = names.length === 1 ? [...new Set([...names, ...covered])] : covered
  return execute(ctx.db, countEffects(ctx, domains))
}

function countEffects(ctx: Ctx, domains: readonly string[]): Query<LimitEffects> {
  const part = sql`(select a.id from ${jsonRows(domains)} cross join accounts a on a.domain = item.value
    ${limitTo(mostAccounts + 1)})`
  const count = (from: ReturnType<typeof sql>) => sql<number>`(select count(*) from ${from})`
  const follows = (column: 'account_id' | 'target_account_id') =>
    count(sql`(select 1 from ${part} t cross join follows f on f.${sql.raw(column)} = t.id
      ${limitTo(mostFollows + 1)})`)
  const counted = first(
    ctx.db
      .select({
        accounts: count(part).as('accounts'),
        following: follows('target_account_id').as('following'),
        followers: follows('account_id').as('followers'),
      })
      .from(oneRow),
  )
  return map(counted, (row) => {
    const { accounts, following, followers } = row ?? { accounts: 0, following: 0, followers: 0 }
    return {
      accountsCount: Math.min(accounts, mostAccounts),
      followingCount: Math.min(following, mostFollows),
      followersCount: Math.min(followers, mostFollows),
      isComplete: accounts <= mostAccounts && following <= mostFollows && followers <= mostFollows,
    }
  })
}
