import type { Ctx } from '../../context'
import { map, type Query, rows } from '../../db/query'
import { counters } from '../../db/schema'
import { isIn } from '../../db/sql'

/** Figures that are kept as things happen or by cron, never counted when somebody asks. */
export const counterNames = [
  'users',
  'statuses',
  'replies',
  'domains',
  'active_month',
  'active_halfyear',
] as const
export type CounterName = (typeof counterNames)[number]

export type Counters = Readonly<Record<CounterName, number>>

/** All kept figures. */
export function loadCounters(ctx: Ctx): Query<Counters> {
  const found = rows(ctx.db.select().from(counters).where(isIn(counters.name, counterNames)))
  return map(found, (list) => {
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
