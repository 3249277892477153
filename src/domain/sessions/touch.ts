import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { accessTokens, activityWeeks, users } from '../../db/schema'
import { weekOf } from '../../lib/weeks'
import { Changes, commit } from '../changes'
import type { Caller } from './find'

const day = 86_400_000

/** Notes that a token and its person were active, after the response and at most once a day each. */
export function noteCall(ctx: Ctx, caller: Caller | null): void {
  if (caller === null) return
  const now = ctx.clock.now()
  const stale = (last: Date | null) => last === null || now.getTime() - last.getTime() >= day
  const { person } = caller
  const changes = new Changes()
  if (stale(caller.lastUsedAt))
    changes.add(
      ctx.db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, caller.tokenId)),
    )
  if (person !== null && stale(person.lastActiveAt)) {
    const { id } = person.viewer
    changes.add(ctx.db.update(users).set({ lastActiveAt: now }).where(eq(users.accountId, id)))
    const newWeek = person.lastActiveAt === null || weekOf(person.lastActiveAt) !== weekOf(now)
    if (newWeek)
      changes.add(
        ctx.db
          .insert(activityWeeks)
          .values({ week: weekOf(now), logins: 1 })
          .onConflictDoUpdate({ target: activityWeeks.week, set: { logins: sql`logins + 1` } }),
      )
  }
  if (changes.statements.length > 0) ctx.waitUntil(commit(ctx, changes))
}
