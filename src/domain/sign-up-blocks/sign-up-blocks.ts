import { eq, sql } from 'drizzle-orm'
import {
  combineQueries,
  constant,
  first,
  jsonRows,
  map,
  prefixedColumns,
  type Query,
  rows,
} from '../../db/query'
import { emailDomainBlocks, ipBlocks, usernameBlocks } from '../../db/schema'
import type { IpBlockSeverity } from '../../db/schema/blocks'
import { networksAround } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import { namesAbove } from '../servers/limits'
import { matchCanonicalEmail } from './canonical-email-blocks'
import { normalizeUsername } from './username-blocks'

/** Strictest block of a network that an address lies in; null for none. One statement. */
export function findNetworkSeverity(ctx: Ctx, ip: string | null): Query<IpBlockSeverity | null> {
  const networks = ip === null ? [] : networksAround(ip)
  if (networks.length === 0) return constant(null)
  const { severity, expiresAt } = ipBlocks
  const now = ctx.clock.now().getTime()
  const found = ctx.db
    .select(prefixedColumns('b', { severity }))
    .from(sql`${jsonRows(networks)} cross join ${ipBlocks} on ${ipBlocks.ip} = item.value`)
    .where(sql`${expiresAt} is null or ${expiresAt} > ${now}`)
    .orderBy(sql`case ${severity} when 'no_access' then 0 when 'sign_up_block' then 1 else 2 end`)
    .limit(1)
  return map(first(found), (row) => row?.severity ?? null)
}

/** An e-mail address whose blocks are looked for. */
export interface CheckedEmail {
  /** Domain of the address, in lower case. */
  readonly domain: string
  /** Hosts that receive its mail. */
  readonly mailHosts: readonly string[]
  readonly canonicalHash: string
}

export interface EmailBlocks {
  /** Blocks on the domain, its parents and the hosts that receive its mail. */
  readonly domains: readonly {
    readonly id: number
    readonly allowWithApproval: boolean
    /** Through a host that receives the mail, not by the name of the domain. */
    readonly isByMailHost: boolean
  }[]
  readonly isCanonicalBlocked: boolean
}

/** Blocks that an e-mail address meets. Two statements. */
export function findEmailBlocks(
  ctx: Ctx,
  { domain, mailHosts, canonicalHash }: CheckedEmail,
): Query<EmailBlocks> {
  const own = namesAbove(domain)
  const names = [...new Set([...own, ...mailHosts.flatMap(namesAbove)])]
  const { domain: blocked, allowWithApproval } = emailDomainBlocks
  const matching = ctx.db
    .select({
      // Qualified: the rows of a JSON list have ids as well.
      id: sql<number>`email_domain_blocks.id`.as('block_id'),
      ...prefixedColumns('b', { blocked, allowWithApproval }),
    })
    .from(sql`${jsonRows(names)} cross join ${emailDomainBlocks} on ${blocked} = item.value`)
  return combineQueries({
    domains: map(rows(matching), (all) =>
      all.map((row) => ({
        id: row.id,
        allowWithApproval: row.allowWithApproval,
        isByMailHost: !own.includes(row.blocked),
      })),
    ),
    isCanonicalBlocked: map(matchCanonicalEmail(ctx, canonicalHash), (row) => row !== null),
  })
}

/** Treatment of a username at sign-up; null where no block matches. Two statements. */
export function findUsernameTreatment(
  ctx: Ctx,
  username: string,
): Query<'blocked' | 'needs_approval' | null> {
  const name = normalizeUsername(username)
  const matching = (condition: ReturnType<typeof sql>) =>
    ctx.db
      .select({ allowWithApproval: usernameBlocks.allowWithApproval })
      .from(usernameBlocks)
      .where(condition)
  const equal = sql`${eq(usernameBlocks.normalized, name)} and ${usernameBlocks.exact} = 1`
  const within = sql`instr(${name}, ${usernameBlocks.normalized}) > 0 and ${usernameBlocks.exact} = 0`
  return map(combineQueries({ equal: rows(matching(equal)), within: rows(matching(within)) }), (found) => {
    const matches = [...found.equal, ...found.within]
    if (matches.length === 0) return null
    return matches.some((match) => !match.allowWithApproval) ? 'blocked' : 'needs_approval'
  })
}
