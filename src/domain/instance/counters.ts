import { eq } from 'drizzle-orm'
import { first, map, type Query, rows } from '../../db/query'
import { counters } from '../../db/schema'
import { lookupColumns, oneRow } from '../../db/sql'
import type { Ctx } from '../../ports/ctx'

/** Counters maintained by commands or cron, never computed on request. */
export type CounterName = 'users' | 'statuses' | 'replies' | 'domains' | 'active_month' | 'active_halfyear'
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
