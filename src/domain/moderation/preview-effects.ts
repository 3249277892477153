import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, constant, execute, first, jsonRows, limitTo, map, type Query } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { namesAbove, peerDomains } from '../servers/limits'
import { type DomainLimitRow, limitsAbove } from './find-limits'

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

/** Bound of a count: two rows are read for each server. */
const mostServers = 400

/**
 * Counts what limits on `names` and their subdomains affect, before they are made. Two round trips; subdomains are those
 * in the list of known servers, which is at most an hour old.
 */
export async function previewEffects(ctx: Ctx, names: readonly string[]): Promise<LimitEffects> {
  const known = await execute(ctx.db, peerDomains(ctx))
  return execute(ctx.db, effectsAmong(ctx, names, known))
}

/** The second part of `previewEffects`: `known` are the `peerDomains`. */
export function effectsAmong(
  ctx: Ctx,
  names: readonly string[],
  known: readonly string[],
): Query<LimitEffects> {
  return countEffects(ctx, coveredBy(names, known))
}

/** Effects of a limit on one domain, which may be unknown, and the limits that exist on it and above. */
export interface LimitPreview {
  readonly effects: LimitEffects
  readonly existing: readonly DomainLimitRow[]
}

/** Previews a limit on `domain`. Two round trips. */
export async function previewLimit(ctx: Ctx, domain: string): Promise<LimitPreview> {
  const { effects, existing } = await previewLimitWith(ctx, domain, constant(null))
  return { effects, existing }
}

/** Previews a limit on `domain`, with the answer of another query in the same two round trips. */
export async function previewLimitWith<T>(
  ctx: Ctx,
  domain: string,
  query: Query<T>,
): Promise<LimitPreview & { readonly found: T }> {
  const { known, existing, found } = await execute(
    ctx.db,
    combineQueries({ known: peerDomains(ctx), existing: limitsAbove(ctx, domain), found: query }),
  )
  const effects = await execute(ctx.db, countEffects(ctx, coveredBy([domain], known)))
  return { effects, existing, found }
}

/** The `known` servers that are one of `names`, or below one. A single name counts whether or not it is known by now. */
function coveredBy(names: readonly string[], known: readonly string[]): readonly string[] {
  const wanted = new Set(names)
  const covered = known.filter((domain) => namesAbove(domain).some((name) => wanted.has(name)))
  return names.length === 1 ? [...new Set([...names, ...covered])] : covered
}

/** Accounts, follows and followers of a server. */
const Totals = z.tuple([z.number(), z.number(), z.number()])

/** Read from the counters kept for each server, of which the latest day holds the totals. */
function countEffects(ctx: Ctx, domains: readonly string[]): Query<LimitEffects> {
  // A list instead of sums: SQLite would look up each server for every sum.
  const totals = sql<string>`json_group_array((select json_array(d.all_accounts, d.all_follows, d.all_followers)
    from domain_days d where d.domain = item.value order by d.day desc ${limitTo(1)}))`
  const counted = first(
    ctx.db.select({ totals: totals.as('totals') }).from(jsonRows(domains.slice(0, mostServers))),
  )
  return map(counted, (row) => {
    const servers = z.array(Totals.nullable()).parse(JSON.parse(row?.totals ?? '[]'))
    const sum = (index: 0 | 1 | 2) => servers.reduce((total, counts) => total + (counts?.[index] ?? 0), 0)
    return {
      accountsCount: sum(0),
      followingCount: sum(1),
      followersCount: sum(2),
      isComplete: domains.length <= mostServers,
    }
  })
}
