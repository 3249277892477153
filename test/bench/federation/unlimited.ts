import { ExpiringCache } from '../../../src/lib/expiring-cache'
import type { MemoryCache } from '../../../src/ports/ctx'
import type { Throttle } from '../../../src/ports/services'

const kept = new ExpiringCache(4_000)
const now = () => new Date()

/**
 * Ports without limits. One actor delivers more in a minute than its budget allows: the cost of a delivery is
 * measured, not that of refusing it.
 */
export const unlimited: { readonly memory: MemoryCache; readonly throttle: Throttle } = {
  memory: {
    get: (key) => kept.recall(key, now()),
    set: (key, value, seconds) => kept.remember(key, { value, seconds }, now()),
    increment: (key, seconds) => kept.count(key, seconds, now()),
    currentCount: () => 0,
    delete: (key) => kept.forget(key),
  },
  throttle: {
    take: async () => ({ limit: 300, remaining: 300, resetAt: now() }),
    spend: async () => null,
    admits: async () => true,
  },
}
