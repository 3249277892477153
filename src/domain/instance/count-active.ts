import { sql } from 'drizzle-orm'
import { counters } from '../../db/schema'
import { inList } from '../../db/sql'
import { dayMilliseconds } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { CounterName } from './counters'

/** Days back from now in which a user was active, by the counter of such users. */
const periods = { active_month: 30, active_halfyear: 180 } as const satisfies Partial<
  Record<CounterName, number>
>
const names = ['active_month', 'active_halfyear'] as const

/** Cron: counts the users active in the last 30 and 180 days, over the index on their last activity. */
export async function countActiveUsers(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now().getTime()
  const count = (name: (typeof names)[number]) =>
    ctx.db
      .update(counters)
      .set({
        value: sql`(select count(*) from users where last_active_at > ${now - periods[name] * dayMilliseconds})`,
      })
      .where(sql`${counters.name} = ${name}`)
  await commit(ctx, new Changes().add(...names.map(count)))
}

/**
 * Statements that count a user who was not active lately, so that a new instance shows its users at once: run
 * before `users.last_active_at` is set. None for most: users active within 30 days are counted already.
 */
export function countReturnedUser(
  ctx: Ctx,
  { accountId, lastActiveAt }: { readonly accountId: AccountId; readonly lastActiveAt: Date | null },
) {
  const now = ctx.clock.now().getTime()
  const last = lastActiveAt?.getTime() ?? 0
  const missing = names.filter((name) => last <= now - periods[name] * dayMilliseconds)
  if (missing.length === 0) return []
  const isUncounted = sql`exists (select 1 from users where account_id = ${accountId}
    and coalesce(last_active_at, 0) <= ${last})`
  return [
    ctx.db
      .update(counters)
      .set({ value: sql`value + 1` })
      .where(sql`${inList(counters.name, missing)} and ${isUncounted}`),
  ]
}
