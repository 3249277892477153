import { touchInstance } from '../../domain/instance/touch'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import type { Signer } from '../find-signer'

/** A server that delivers every second gives one sign of life in ten minutes. */
const gapSeconds = 600

/** The server of a signer is alive: what waits for it is sent now, after the answer. */
export function noteContact(ctx: Ctx, { uri, domain }: Signer): void {
  const host = hostOf(uri)
  if (host === null || ctx.memory.get(`seen ${host}`) !== null) return
  ctx.memory.set(`seen ${host}`, '', gapSeconds)
  ctx.afterResponse(() => Promise.all([touchInstance(ctx, domain), ctx.couriers.wake(host)]))
}
