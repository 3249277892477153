import { sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { authorizationCodes, sessions, userTokens } from '../../db/schema'
import { Changes, commit } from '../changes'

/** Cron: forgets sessions, codes and mailed links that have run out. They count for nothing before that already. */
export async function forgetExpired(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now().getTime()
  await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(sessions).where(sql`${sessions.expiresAt} <= ${now}`),
      ctx.db.delete(authorizationCodes).where(sql`${authorizationCodes.expiresAt} <= ${now}`),
      ctx.db.delete(userTokens).where(sql`${userTokens.expiresAt} <= ${now}`),
    ),
  )
}
