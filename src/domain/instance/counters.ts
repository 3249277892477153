import { eq } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { counters } from '../../db/schema'
import { lookupColumns, oneRow } from '../../db/sql'
import type { Ctx } from '../../platform/ports'

/** Figures that are kept as things happen or by cron, never counted when somebody asks. */
export type CounterName = 'users' | 'statuses' | 'replies' | 'domains' | 'active_month' | 'active_halfyear'
export type Counters = Readonly<Record<CounterName, number>>

/** All kept figures. */
export function loadCounters(ctx: Ctx): Query<Counters> {
  // The table holds a handful of rows and nothing else.
  return map(rows(ctx.db.select().from(counters)), (list) => {
    const figure = (name: CounterName) => list.find((row) => row.name === name)?.value ?? 0
    return {
      users: figure('users'),
      statuses: figure('statuses'),
      replies: figure('replies'),
      domains: figure('domains'),
      active_month: figure('active_month'),
      active_halfyear: figure('active_halfyear'),
    }
  })
}

const statNames = ['users', 'statuses', 'domains'] as const

/** What the instance document tells, each figure looked up by itself: the whole table is more rows. */
export function loadStats(ctx: Ctx): Query<Pick<Counters, 'users' | 'statuses' | 'domains'>> {
  const { name: key, value } = counters
  const found = ctx.db.select(lookupColumns(statNames, { key, value })).from(oneRow)
  return map(first(found), (row) => ({
    users: row?.users ?? 0,
    statuses: row?.statuses ?? 0,
    domains: row?.domains ?? 0,
  }))
}

/** One kept figure. */
export function loadCounter(ctx: Ctx, name: CounterName): Query<number> {
  const found = ctx.db.select({ value: counters.value }).from(counters).where(eq(counters.name, name))
  return map(first(found), (row) => row?.value ?? 0)
}
