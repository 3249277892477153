import { noteInstanceSeen } from '../../domain/instance/seen'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../platform/ports'
import type { Signer } from '../keys'

/** A server that delivers every second gives one sign of life in ten minutes. */
const gapSeconds = 600

/** The server of a signer is alive: what waits for it is sent now, after the answer. */
export function noteSeen(ctx: Ctx, { uri, domain }: Signer): void {
  const host = hostOf(uri)
  if (host === null || ctx.memory.recall(`seen ${host}`) !== null) return
  ctx.memory.remember(`seen ${host}`, '', gapSeconds)
  ctx.later(() => Promise.all([noteInstanceSeen(ctx, domain), ctx.couriers.wake(host)]))
}
