import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { combineQueries, first, limitTo, map, oneRow, type Query } from '../../db/query'
import type { Ctx } from '../../ports/ctx'
import { type Counters, loadCounters } from '../metrics/counters'
import { loadUsage, type Usage } from '../usage/read'
import { type Health, loadHealth } from './health'

/** Servers, and rows of other kinds, are counted up to here: more is the same trouble. */
const mostHosts = 120
const mostCounted = 40

/** Work that failed or waits, counted up to a bound each. */
export interface Backlog {
  /** Servers that take no deliveries, those given up apart, and what waits for them. */
  readonly failingHosts: number
  readonly unreachableHosts: number
  readonly waitingDeliveries: number
  readonly oldestDeliveryAt: Date | null
  readonly pendingWebhookDeliveries: number
  readonly deadLetters: number
}

/** State of a server, as metrics show it. */
export interface ObservedState {
  readonly health: Health
  readonly counters: Counters
  readonly usage: Usage
  readonly backlog: Backlog
}

/** Loads the state in one round trip, some 380 rows where everything is wrong. */
export function loadObservedState(ctx: Ctx): Query<ObservedState> {
  return combineQueries({
    health: loadHealth(ctx),
    counters: loadCounters(ctx),
    usage: loadUsage(ctx),
    backlog: loadBacklog(ctx),
  })
}

function loadBacklog(ctx: Ctx): Query<Backlog> {
  const bound = limitTo(mostCounted)
  const hosts = sql<string>`(select json_array(coalesce(sum(unreachable = 0), 0), coalesce(sum(unreachable), 0),
    coalesce(sum(waiting), 0), min(oldest_at))
    from (select unreachable, waiting, oldest_at from failing_hosts ${limitTo(mostHosts)}))`
  const pending = sql<number>`(select count(*) from (select 1 from webhook_deliveries
    where next_attempt_at is not null ${bound}))`
  const found = ctx.db
    .select({
      hosts: hosts.as('hosts'),
      pending: pending.as('pending'),
      dead: sql<number>`(select count(*) from (select 1 from dead_letters ${bound}))`.as('dead'),
    })
    .from(oneRow)
  return map(first(found), (row) => {
    const [failing, unreachable, waiting, oldestAt] = Hosts.parse(JSON.parse(row?.hosts ?? '[0, 0, 0, null]'))
    return {
      failingHosts: failing,
      unreachableHosts: unreachable,
      waitingDeliveries: waiting,
      oldestDeliveryAt: oldestAt === null ? null : new Date(oldestAt),
      pendingWebhookDeliveries: row?.pending ?? 0,
      deadLetters: row?.dead ?? 0,
    }
  })
}

/** Servers that fail, servers given up, deliveries that wait for them, and the time of the oldest. */
const Hosts = z.tuple([z.number(), z.number(), z.number(), z.number().nullable()])
