import { lte, sql } from 'drizzle-orm'
import { accessTokens, authorizationCodes, idempotencyKeys, sessions, userTokens } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { expiredBefore } from './token-lifetime'

const hour = 3_600_000

/** Application tokens deleted per run. */
const tokensAtOnce = 1_000

/**
 * Cron: deletes expired browser sessions, authorization codes, application tokens, mailed secrets, and idempotency
 * keys.
 *
 * Codes and keys have no index on their age: this task itself keeps their tables at an hour's worth.
 */
export async function pruneExpired(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const { db } = ctx
  await commit(
    ctx,
    new Changes().add(
      db.delete(sessions).where(lte(sessions.expiresAt, now)),
      db.delete(userTokens).where(lte(userTokens.expiresAt, now)),
      db.delete(authorizationCodes).where(lte(authorizationCodes.expiresAt, now)),
      db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, new Date(now.getTime() - hour))),
      db.delete(accessTokens).where(sql`${accessTokens.id} in ${unusedTokens(now)}`),
    ),
  )
}

function unusedTokens(now: Date) {
  return sql`(select id from access_tokens where account_id is null
    and coalesce(last_used_at, created_at) <= ${expiredBefore(now)} ${limitTo(tokensAtOnce)})`
}
