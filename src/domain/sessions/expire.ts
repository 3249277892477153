import { lte } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { authorizationCodes, idempotencyKeys, sessions, userTokens } from '../../db/schema'
import { Changes, commit } from '../changes'

const hour = 3_600_000

/**
 * Cron: forgets what has run out: sign-ins of browsers, authorization codes, secrets sent by mail, and the keys by
 * which repeated posts are known.
 *
 * Codes and keys have no index on their age: this task itself keeps their tables as small as an hour's worth.
 */
export async function forgetExpired(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const { db } = ctx
  await commit(
    ctx,
    new Changes().add(
      db.delete(sessions).where(lte(sessions.expiresAt, now)),
      db.delete(userTokens).where(lte(userTokens.expiresAt, now)),
      db.delete(authorizationCodes).where(lte(authorizationCodes.expiresAt, now)),
      db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, new Date(now.getTime() - hour))),
    ),
  )
}
