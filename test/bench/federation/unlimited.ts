import { ShortMemory } from '../../../src/lib/short-memory'
import type { Memory, Throttle } from '../../../src/platform/ports'

const kept = new ShortMemory(4_000)
const now = () => new Date()

/**
 * Ports without limits. One actor delivers more in a minute than its budget allows: the cost of a delivery is
 * measured, not that of refusing it.
 */
export const unlimited: { readonly memory: Memory; readonly throttle: Throttle } = {
  memory: {
    recall: (key) => kept.recall(key, now()),
    remember: (key, value, seconds) => kept.remember(key, { value, seconds }, now()),
    count: (key, seconds) => kept.count(key, seconds, now()),
    counted: () => 0,
    forget: (key) => kept.forget(key),
  },
  throttle: {
    take: async () => ({ limit: 300, remaining: 300, resetAt: now() }),
    spend: async () => null,
    admits: async () => true,
  },
}
