import { eq, sql } from 'drizzle-orm'
import { first, inList, lookupColumns, map, oneRow, type Query, rows } from '../../db/query'
import { activityWeeks, counters } from '../../db/schema'
import { dayMilliseconds, weekOf } from '../../lib/days'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Counters maintained by commands or cron, never computed on request. */
type CounterName = 'users' | 'statuses' | 'replies' | 'domains' | 'active_month' | 'active_halfyear'
export type Counters = Readonly<Record<CounterName, number>>

/** Loads all counters. */
export function loadCounters(ctx: Ctx): Query<Counters> {
  // The table holds a handful of rows only.
  return map(rows(ctx.db.select().from(counters)), (list) => {
    const counter = (name: CounterName) => list.find((row) => row.name === name)?.value ?? 0
    return {
      users: counter('users'),
      statuses: counter('statuses'),
      replies: counter('replies'),
      domains: counter('domains'),
      active_month: counter('active_month'),
      active_halfyear: counter('active_halfyear'),
    }
  })
}

const statNames = ['users', 'statuses', 'domains'] as const

/** Counters of the instance document, each looked up by itself: the whole table is more rows. */
export function loadStats(ctx: Ctx): Query<Pick<Counters, 'users' | 'statuses' | 'domains'>> {
  const { name: key, value } = counters
  const found = ctx.db.select(lookupColumns(statNames, { key, value })).from(oneRow)
  return map(first(found), (row) => ({
    users: row?.users ?? 0,
    statuses: row?.statuses ?? 0,
    domains: row?.domains ?? 0,
  }))
}

/** Loads a single counter. */
export function loadCounter(ctx: Ctx, name: CounterName): Query<number> {
  const found = ctx.db.select({ value: counters.value }).from(counters).where(eq(counters.name, name))
  return map(first(found), (row) => row?.value ?? 0)
}

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

/**
 * Statement that adds a user to those the instance shows, or takes one away. Nothing happens for a user who waits for approval:
 * they are counted once they have it. To be run while `users` has the row.
 */
export function countUser(ctx: Ctx, accountId: AccountId, by: 1 | -1) {
  return ctx.db
    .update(counters)
    .set({ value: sql`max(0, value + ${by})` })
    .where(
      sql`name = 'users' and exists (select 1 from users where account_id = ${accountId} and approved = 1)`,
    )
}

export type ActivityWeek = Omit<typeof activityWeeks.$inferSelect, 'days'>

const weeksShown = 12

/** Activity counts of the last twelve weeks, the current one first; weeks without activity are zero. */
export function recentWeeks(ctx: Ctx, now: Date): Query<ActivityWeek[]> {
  const current = weekOf(now)
  const { week, statuses, logins, registrations } = activityWeeks
  const found = rows(
    ctx.db
      .select({ week, statuses, logins, registrations })
      .from(activityWeeks)
      .where(sql`${activityWeeks.week} > ${current - weeksShown}`),
  )
  return map(found, (list) =>
    Array.from({ length: weeksShown }, (_, ago) => {
      const number = current - ago
      const none = { week: number, statuses: 0, logins: 0, registrations: 0 }
      return list.find((row) => row.week === number) ?? none
    }),
  )
}
