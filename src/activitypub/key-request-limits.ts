import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'

/** Key named by a request, and the network the request came from. */
export interface ClaimedKey {
  readonly keyId: string
  readonly network: string
}

// Forged requests name the keys that this server then fetches, any number of any host. Counted in memory: a write for
// each forged request would invite abuse.

const windowSeconds = 60

/** Keys fetched because of one network. A widely reblogged status brings hundreds of new accounts within a minute. */
const mostByNetwork = 300

/**
 * Limit of these that may fail verification: requests of honest servers hardly ever do. Networks that were verified
 * for the host before are exempt, for many servers may share one.
 */
const mostUnproven = 30

/** Keys of one host fetched because of networks never verified for it, however many those are. */
const mostOfHost = 100

const spokeSeconds = 86_400

/** Counts a key request. Returns why the key's server is not contacted now, or null. */
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

/** Marks the network as verified for the key's host, so that forgeries of others do not count against it. */
export function recordVerifiedKey(ctx: Ctx, named: ClaimedKey): void {
  if (!hasVerifiedBefore(ctx, named)) ctx.memory.set(verifiedCacheKey(named), '', spokeSeconds)
}

/** Records that the fetched key is missing or does not fit the signature. */
export function recordUnverifiedKey(ctx: Ctx, { network }: ClaimedKey): void {
  ctx.memory.increment(`unproven ${network}`, windowSeconds)
}

function hasVerifiedBefore(ctx: Ctx, named: ClaimedKey): boolean {
  return ctx.memory.get(verifiedCacheKey(named)) !== null
}

function verifiedCacheKey({ keyId, network }: ClaimedKey): string {
  return `speaks ${network} ${hostOf(keyId)}`
}
