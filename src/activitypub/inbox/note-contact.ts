import { touchInstance } from '../../domain/instance/touch'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'

/** Minimum gap between two records of contact: a server may deliver every second. */
const gapSeconds = 600

/** Records contact with the signer's server after the response, and wakes its pending deliveries. */
export function noteContact(ctx: Ctx, { uri, domain }: Signer): void {
  const host = hostOf(uri)
  if (host === null || ctx.memory.get(`seen ${host}`) !== null) return
  ctx.memory.set(`seen ${host}`, '', gapSeconds)
  ctx.afterResponse(() => Promise.all([touchInstance(ctx, { domain, host }), ctx.couriers.wake(host)]))
}
