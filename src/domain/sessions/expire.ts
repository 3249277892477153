import { lte, sql } from 'drizzle-orm'
import { accessTokens, authorizationCodes, idempotencyKeys, sessions, userTokens } from '../../db/schema'
import { limitTo } from '../../db/sql'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { expiredBefore } from './token-lifetime'

const hour = 3_600_000

/** Tokens of applications deleted in one run. */
const tokensAtOnce = 1_000

/**
 * Cron: forgets what has run out: sign-ins of browsers, authorization codes, tokens that applications had for
 * themselves, secrets sent by mail, and the keys by which repeated posts are known.
 *
 * Codes and keys have no index on their age: this task itself keeps their tables as small as an hour's worth.
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
