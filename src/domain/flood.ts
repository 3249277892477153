import type { Ctx } from '../context'
import { RateLimited } from '../errors'
import { networkOf } from '../lib/network'

const minute = 60_000

/** Refuses a caller who floods the server: known by the hash of a token, or else by the network an address is in. */
export async function refuseFlood(
  ctx: Ctx,
  caller: { readonly tokenHash: string | null; readonly ip: string },
): Promise<void> {
  if (await ctx.throttle.admits(caller.tokenHash ?? networkOf(caller.ip))) return
  const resetAt = new Date((Math.floor(ctx.clock.now().getTime() / minute) + 1) * minute)
  throw new RateLimited({ limit: 300, remaining: 0, resetAt })
}
