import { RateLimited } from '../errors'
import { ExpiringCache } from '../lib/expiring-cache'
import { floodLimits, rateWindows } from '../ports/rate-limits'
import type { Throttle } from '../ports/services'
import type { Usage } from '../ports/usage'

/** A server on a machine of one's own has no flood gate of the platform: its one isolate counts. */
type ThrottleEnv = Pick<Env, 'THROTTLE'> & Partial<Pick<Env, 'FLOOD' | 'FLOOD_NETWORK'>>

/** A few megabytes when full. */
const floodCounts = new ExpiringCache(0, 50_000)
const floodSeconds = 60

export function throttleOf(
  env: ThrottleEnv,
  now: () => Date,
  { add }: Pick<Usage, 'add'>,
  counts = floodCounts,
): Throttle {
  return {
    async take(family, subject, times = 1) {
      const { limit, periodSeconds } = rateWindows[family]
      const window = { limit: limit * times, periodSeconds }
      const at = now()
      add('objectCalls', 1)
      const counter = env.THROTTLE.get(env.THROTTLE.idFromName(subject))
      const used = await counter.take(family, window, at.getTime())
      const remaining = Math.max(0, window.limit - used)
      const allowance = { limit: window.limit, remaining, resetAt: endOfWindow(at, periodSeconds) }
      if (used > window.limit) throw new RateLimited(allowance)
      return allowance
    },
    async spend(family, subject, amount) {
      const window = rateWindows[family]
      const at = now()
      add('objectCalls', 1)
      const counter = env.THROTTLE.get(env.THROTTLE.idFromName(`${family} ${subject}`))
      const used = await counter.take(family, window, at.getTime(), amount)
      return used > window.limit ? endOfWindow(at, window.periodSeconds) : null
    },
    admits: async (gate, subject) => {
      const binding = gate === 'network' ? env.FLOOD_NETWORK : env.FLOOD
      if (binding !== undefined) return (await binding.limit({ key: subject })).success
      const at = now()
      const minute = endOfWindow(at, floodSeconds).getTime()
      return counts.count(`${gate} ${subject} before ${minute}`, floodSeconds, at) <= floodLimits[gate]
    },
  }
}

/**
 * Passes failures on to `failed` as well. On one's own machine counters are on the same disk as the database and asked
 * before it, those of the flood gate too.
 */
export function observeThrottle(throttle: Throttle, failed: (failure: unknown) => void): Throttle {
  const observed = <T>(counted: Promise<T>) =>
    counted.catch((failure: unknown) => {
      failed(failure)
      throw failure
    })
  return {
    admits: (gate, subject) => observed(throttle.admits(gate, subject)),
    take: (family, subject, times) => observed(throttle.take(family, subject, times)),
    spend: (family, subject, amount) => observed(throttle.spend(family, subject, amount)),
  }
}

function endOfWindow(at: Date, periodSeconds: number): Date {
  const period = periodSeconds * 1000
  return new Date((Math.floor(at.getTime() / period) + 1) * period)
}
