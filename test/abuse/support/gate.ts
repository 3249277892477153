import { env } from 'cloudflare:workers'
import type { FloodScope } from '../../../src/ports/rate-limits'
import type { Throttle } from '../../../src/ports/services'
import { wire } from '../../../src/wire'
import { clock, context } from '../../support/test-app'

/** The gate as it is deployed: the platform's own counters, by the minutes of the machine's clock. */
export function realGate(): { readonly throttle: Throttle } {
  return { throttle: wire(env, { waitUntil: () => undefined }, { clock }).throttle }
}

/** A gate that counts for itself, refuses beyond `limits`, and tells who was counted how often. */
export function countingGate(limits: Partial<Record<FloodScope, number>> = {}) {
  const counts = new Map<string, number>()
  const admits: Throttle['admits'] = async (gate, subject) => {
    const key = `${gate} ${subject}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= (limits[gate] ?? Number.POSITIVE_INFINITY)
  }
  const throttle: Throttle = { ...context().throttle, admits }
  return { overrides: { throttle }, counts }
}

let hosts = 0
/** An IPv4 address nobody else in the run asks from. */
export function freshAddress(): string {
  hosts += 1
  return `198.18.${hosts >> 8}.${hosts & 255}`
}
