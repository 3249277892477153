import { hostOf } from '../lib/web-address'
import type { Ctx } from '../platform/ports'

/** A key that a request names, and the network the request came from. */
export interface ClaimedKey {
  readonly keyId: string
  readonly network: string
}

// Whoever forges requests names the keys that this server then asks for, as many as they like and of whom they like.
// Counted in memory: a write for each forged request would be a gift to whoever sends them.

const windowSeconds = 60

/** Keys asked for because of one network. Something widely shared brings hundreds of new people within a minute. */
const mostByNetwork = 300

/**
 * Of these, how many may prove nothing: requests of honest servers hardly ever do that. Networks that spoke for the host
 * before are excepted, for many servers may share one.
 */
const mostUnproven = 30

/** Keys of one host asked for because of networks that never spoke for it, be they ever so many. */
const mostOfHost = 100

const spokeSeconds = 86_400

/** Why the server of a key is not asked for it now, or null, which counts as being asked. */
export function countKeyRequest(ctx: Ctx, named: ClaimedKey): string | null {
  const { memory } = ctx
  const { network } = named
  const spoke = hasVerifiedBefore(ctx, named)
  if (!spoke && memory.currentCount(`unproven ${network}`) >= mostUnproven)
    return 'Too many signatures of one network prove nothing'
  if (memory.increment(`keys by ${network}`, windowSeconds) > mostByNetwork)
    return 'Too many unknown keys of one network'
  if (spoke) return null
  const ofHost = memory.increment(`keys of ${hostOf(named.keyId)}`, windowSeconds)
  return ofHost > mostOfHost ? 'Too many unknown keys of one host' : null
}

/** The signature holds: the network speaks for the host of the key, and forgeries of others do not count against it. */
export function recordVerifiedKey(ctx: Ctx, named: ClaimedKey): void {
  if (!hasVerifiedBefore(ctx, named)) ctx.memory.set(verifiedCacheKey(named), '', spokeSeconds)
}

/** The key was asked for, and there is none or the signature does not fit it. */
export function recordUnverifiedKey(ctx: Ctx, { network }: ClaimedKey): void {
  ctx.memory.increment(`unproven ${network}`, windowSeconds)
}

function hasVerifiedBefore(ctx: Ctx, named: ClaimedKey): boolean {
  return ctx.memory.get(verifiedCacheKey(named)) !== null
}

function verifiedCacheKey({ keyId, network }: ClaimedKey): string {
  return `speaks ${network} ${hostOf(keyId)}`
}
