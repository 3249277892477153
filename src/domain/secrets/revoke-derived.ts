import { sql } from 'drizzle-orm'
import { both, execute, first, rows } from '../../db/query'
import { accessTokens } from '../../db/schema'
import { inList, oneRow } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

const tokensPerPart = 20

/**
 * Revokes the next access tokens from before tokens were random, which whoever has the secret of that time can compute:
 * their apps sign in again. Returns how many are left. Publishes `sessions.ended` for each account.
 */
export async function revokeDerivedTokens(ctx: Ctx): Promise<number> {
  const isDerived = sql`derived = 1`
  const { id, accountId } = accessTokens
  const next = ctx.db
    .select({ id, accountId })
    .from(accessTokens)
    .where(isDerived)
    .orderBy(id)
    .limit(tokensPerPart)
  const count = sql<number>`(select count(*) from access_tokens where ${isDerived})`
  const [found, left] = await execute(
    ctx.db,
    both(rows(next), first(ctx.db.select({ count: count.as('count') }).from(oneRow))),
  )
  if (found.length === 0) return 0
  const ids = found.map((token) => token.id)
  const changes = new Changes().add(ctx.db.delete(accessTokens).where(inList(id, ids)))
  for (const [owner, tokens] of Map.groupBy(found, (token) => token.accountId))
    if (owner !== null)
      changes.publish({ kind: 'sessions.ended', accountId: owner, tokenIds: tokens.map((token) => token.id) })
  await commit(ctx, changes)
  return (left?.count ?? ids.length) - ids.length
}
