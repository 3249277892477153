import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { execute, first, map, type Query } from '../../db/query'
import { jsonRows } from '../../db/sql'
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

/** Bound of a count: three rows are read for each server. */
const mostServers = 500

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

/** Read from the counters kept for each server, of which the latest day holds the totals. */
function countEffects(ctx: Ctx, domains: readonly string[]): Query<LimitEffects> {
  const counted = first(
    ctx.db
      .select({
        accounts: sql<number>`coalesce(sum(latest.all_accounts), 0)`.as('accounts'),
        following: sql<number>`coalesce(sum(latest.all_follows), 0)`.as('following'),
        followers: sql<number>`coalesce(sum(latest.all_followers), 0)`.as('followers'),
      })
      .from(sql`${jsonRows(domains.slice(0, mostServers))} cross join domain_days latest
        on latest.domain = item.value
        and latest.day = (select max(d.day) from domain_days d where d.domain = item.value)`),
  )
  return map(counted, (row) => ({
    accountsCount: row?.accounts ?? 0,
    followingCount: row?.following ?? 0,
    followersCount: row?.followers ?? 0,
    isComplete: domains.length <= mostServers,
  }))
}
