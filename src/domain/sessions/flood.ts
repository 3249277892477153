import type { Query } from '../../db/query'
import { type AppError, RateLimited, type RateLimitStatus } from '../../errors'
import { networkOf, sitePrefixOf } from '../../lib/network'
import type { Ctx } from '../../ports/ctx'
import type { FloodScope, RateFamily } from '../../ports/rate-limits'
import { floodLimits } from '../../ports/rate-limits'
import type { Credential } from '../core/viewer'
import { type Caller, type DeadToken, readAsCaller } from './find'
import { isSetupToken } from './setup-token'

const minute = 60_000

/** Seconds that an isolate caches that a token is dead. */
const deadSeconds = 300

/** A credential presented with a request, not yet verified, and the address it came from. */
export interface PresentedCredential {
  readonly credential: Credential | null
  readonly ip: string
}

/** Counts a request of any kind for its source network, whatever its token. */
export function admitNetwork(ctx: Ctx, ip: string): Promise<void> {
  return admit(ctx, 'network', sitePrefixOf(ip))
}

/** Counts a file request. Apart from other requests: a page shows a hundred pictures. */
export function admitForFile(ctx: Ctx, ip: string): Promise<void> {
  return admit(ctx, 'network', `files ${sitePrefixOf(ip)}`)
}

/** Counts a request without credentials. */
export function admitAnonymous(ctx: Ctx, ip: string): Promise<void> {
  return admit(ctx, 'caller', networkOf(ip))
}

/** Counts a request by its credential, or as anonymous. Refuses those recently found to be dead. */
export async function admitCaller(
  ctx: Ctx,
  presented: PresentedCredential,
  refusal: AppError,
): Promise<void> {
  if ((await admitCredential(ctx, presented)) !== null) throw refusal
}

/**
 * Counts a request by its credential, or as anonymous, also with one recently found to be dead: then returns why it is of
 * no use.
 */
export async function admitCredential(
  ctx: Ctx,
  { credential, ip }: PresentedCredential,
): Promise<DeadToken | null> {
  if (credential === null) {
    await admitAnonymous(ctx, ip)
    return null
  }
  const { kind, hash } = credential
  const cached = ctx.deadTokens.get(hash)
  // The set-up token opens few endpoints: others may have found it unknown.
  if (cached === null || (kind === 'token' && (await isSetupToken(ctx, hash)))) {
    await admit(ctx, 'caller', `${kind} ${hash}`)
    return null
  }
  const dead = cached === 'revoked' ? 'revoked' : 'unknown'
  await countDeadCredential(ctx, { credential, ip }, dead)
  return dead
}

/** Caches that a credential is dead, and counts the request as anonymous. */
export async function countDeadCredential(
  ctx: Ctx,
  { credential, ip }: PresentedCredential & { readonly credential: Credential },
  dead: DeadToken,
): Promise<void> {
  ctx.deadTokens.set(credential.hash, dead, deadSeconds)
  await admitAnonymous(ctx, ip)
}

/**
 * The caller of a credential that was counted (`admitCaller`) and, in the same round trip, the result of `query`; throws
 * `refusal` for a dead one, for which `query` is not run.
 */
export async function requireCaller<T>(
  ctx: Ctx,
  presented: PresentedCredential & { readonly credential: Credential; readonly refusal: AppError },
  query: Query<T>,
): Promise<readonly [Caller, T]> {
  const read = await readAsCaller(ctx, presented.credential, query)
  if (typeof read !== 'string') return read
  await countDeadCredential(ctx, presented, read)
  throw presented.refusal
}

/** Multiple of a network's limit that the wider network around it may use. */
const networksPerSite = 10

/** Counts one more of `family` for the network of an address and, for IPv6, for the wider network around it. */
export async function takeForNetwork(ctx: Ctx, family: RateFamily, ip: string): Promise<RateLimitStatus> {
  const [network, site] = [networkOf(ip), sitePrefixOf(ip)]
  if (site !== network) await ctx.throttle.take(family, site, networksPerSite)
  return ctx.throttle.take(family, network)
}

/**
 * Counts an answer to a known credential, and returns what the flood gate leaves it this minute as far as this isolate counted:
 * the counter of the platform answers only yes or no.
 */
export function countAnswer({ memory, clock }: Ctx, { hash }: Credential): RateLimitStatus {
  const [limit, resetAt] = [floodLimits.caller, endOfMinute(clock.now())]
  const used = memory.increment(`answers to ${hash} before ${resetAt.getTime()}`, minute / 1000)
  return { limit, remaining: Math.max(0, limit - used), resetAt }
}

async function admit(ctx: Ctx, gate: FloodScope, subject: string): Promise<void> {
  if (ctx.uploads === null) return
  if (await ctx.throttle.admits(gate, subject)) return
  throw new RateLimited({ limit: floodLimits[gate], remaining: 0, resetAt: endOfMinute(ctx.clock.now()) })
}

function endOfMinute(now: Date): Date {
  return new Date((Math.floor(now.getTime() / minute) + 1) * minute)
}
