import { registrableDomain } from '../lib/registrable-domain'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { RateFamily } from '../ports/rate-limits'

// Budgets for the rows that remote servers cause. Only work that stored something is counted, so ignored activities
// (deletions of unknown accounts, votes that groups pass on) never use one up.

interface Budget {
  /** Exact limit for a day, shared by all isolates; its window is in `src/ports/rate-limits.ts`. */
  readonly family: RateFamily
  /** Limit for a minute, held by each isolate for itself. */
  readonly perMinute: number
  /** Batch size in which an isolate reports to the shared counter. */
  readonly reportedEvery: number
}

const budgets = {
  /** Deliveries of all actors of one registrable domain. */
  server: { family: 'remoteServers', perMinute: 1_200, reportedEvery: 50 },
  /** Deliveries of one actor. The busiest are groups, which announce every status of their members. */
  actor: { family: 'remoteActors', perMinute: 300, reportedEvery: 25 },
  /** Statuses that an accepted relay passes on. Each is fetched and stored, which costs far more than to pass it on. */
  relay: { family: 'relays', perMinute: 600, reportedEvery: 50 },
  /** Accounts of one registrable domain stored because they delivered an activity. */
  newcomers: { family: 'newRemoteActors', perMinute: 300, reportedEvery: 10 },
  /**
   * Statuses fetched from one registrable domain, with their authors. Separate from deliveries: a reblog or reply
   * names statuses of any server, which must not lose its own budget for that.
   */
  fetched: { family: 'fetchedPosts', perMinute: 1_200, reportedEvery: 50 },
} as const satisfies Readonly<Record<string, Budget>>

type BudgetName = keyof typeof budgets

const minuteSeconds = 60
const daySeconds = 86_400

/** Upper bound of a wait: the window of a day may end much later, but its counter is shared and checked again. */
const maxWaitSeconds = 3_600

/** Returns the registrable domain that an address counts against. */
export function budgetDomain(uri: string): string {
  return registrableDomain(hostOf(uri) ?? uri)
}

/** Seconds until `owner` may spend from this budget again, or null while some is left. */
export function secondsToWait(ctx: Ctx, name: BudgetName, owner: string): number | null {
  const until = ctx.memory.get(`${name} spent by ${owner}`)
  if (until !== null) {
    const seconds = Math.ceil((Number(until) - ctx.clock.now().getTime()) / 1000)
    return Math.min(maxWaitSeconds, Math.max(1, seconds))
  }
  const isSpent = ctx.memory.currentCount(`${name} of ${owner}`) >= budgets[name].perMinute
  return isSpent ? minuteSeconds : null
}

/** Counts one stored item for `owner`: in memory, and once per batch, after the response, in the shared counter. */
export function spend(ctx: Ctx, name: BudgetName, owner: string): void {
  const { family, reportedEvery } = budgets[name]
  ctx.memory.increment(`${name} of ${owner}`, minuteSeconds)
  const unreported = `${name} unreported of ${owner}`
  if (ctx.memory.increment(unreported, daySeconds) < reportedEvery) return
  ctx.memory.delete(unreported)
  ctx.afterResponse(async () => {
    const until = await ctx.throttle.spend(family, owner, reportedEvery)
    if (until !== null) ctx.memory.set(`${name} spent by ${owner}`, String(until.getTime()), maxWaitSeconds)
  })
}
