import { rememberSignatureScheme } from '../domain/servers/signature'
import { NotAsked, OverBudget, type Unreachable } from '../errors'
import { parseRetryAfter } from '../lib/outgoing'
import { registrableDomain } from '../lib/registrable-domain'
import type { SignatureScheme } from '../lib/signatures/sign'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { RateFamily } from '../ports/rate-limits'

// Budgets for the rows that remote servers cause. Only work that stored something is counted, so ignored activities
// (deletions of unknown accounts, votes that groups pass on) never use one up.

interface Budget {
  /** Exact limit for a day, shared by all isolates; its window is in `src/ports/rate-limits.ts`. */
  readonly family: RateFamily
  /** Limit for a minute, held by each isolate for itself. */
  readonly perMinute: number
  /** Batch size in which an isolate reports to the shared counter. */
  readonly reportedEvery: number
}

const budgets = {
  /** Deliveries of all actors of one registrable domain. */
  server: { family: 'remoteServers', perMinute: 1_200, reportedEvery: 50 },
  /** Deliveries of one actor. The busiest are groups, which announce every status of their members. */
  actor: { family: 'remoteActors', perMinute: 300, reportedEvery: 25 },
  /** Statuses that an accepted relay passes on. Each is fetched and stored, which costs far more than to pass it on. */
  relay: { family: 'relays', perMinute: 600, reportedEvery: 50 },
  /** Accounts of one registrable domain stored because they delivered an activity. */
  newcomers: { family: 'newRemoteActors', perMinute: 300, reportedEvery: 10 },
  /**
   * Statuses fetched from one registrable domain, with their authors. Separate from deliveries: a reblog or reply
   * names statuses of any server, which must not lose its own budget for that.
   */
  fetched: { family: 'fetchedPosts', perMinute: 1_200, reportedEvery: 50 },
} as const satisfies Readonly<Record<string, Budget>>

type BudgetName = keyof typeof budgets

const minuteSeconds = 60
const daySeconds = 86_400

/** Upper bound of a wait: the window of a day may end much later, but its counter is shared and checked again. */
const maxWaitSeconds = 3_600

/** Returns the registrable domain that an address counts against. */
export function budgetDomain(uri: string): string {
  return registrableDomain(hostOf(uri) ?? uri)
}

/** Seconds until `owner` may spend from this budget again, or null while some is left. */
export function secondsToWait(ctx: Ctx, name: BudgetName, owner: string): number | null {
  const until = ctx.memory.get(`${name} spent by ${owner}`)
  if (until !== null) {
    const seconds = Math.ceil((Number(until) - ctx.clock.now().getTime()) / 1000)
    return Math.min(maxWaitSeconds, Math.max(1, seconds))
  }
  const isSpent = ctx.memory.currentCount(`${name} of ${owner}`) >= budgets[name].perMinute
  return isSpent ? minuteSeconds : null
}

/** Counts one stored item for `owner`: in memory, and once per batch, after the response, in the shared counter. */
export function spend(ctx: Ctx, name: BudgetName, owner: string): void {
  const { family, reportedEvery } = budgets[name]
  ctx.memory.increment(`${name} of ${owner}`, minuteSeconds)
  const unreported = `${name} unreported of ${owner}`
  if (ctx.memory.increment(unreported, daySeconds) < reportedEvery) return
  ctx.memory.delete(unreported)
  ctx.afterResponse(async () => {
    const until = await ctx.throttle.spend(family, owner, reportedEvery)
    if (until !== null) ctx.memory.set(`${name} spent by ${owner}`, String(until.getTime()), maxWaitSeconds)
  })
}

// Remote input decides what this server requests: keys, parents, quotes and forwarded objects it names. The load on
// other servers is bounded here, in the isolate's memory: writing a row for each would invite abuse too.

/** Pause after a host's first failure; doubles with each further failure, up to the longest. */
const firstPauseSeconds = 30
const longestPauseSeconds = 300
const forgottenAfterSeconds = 1_800

/** Limit of missing documents per host and minute. Genuine addresses rarely lead nowhere. */
const mostMisses = 120
const missSeconds = 60

/** Reason why `host` is in backoff, or null: it failed a short while ago, or returned too many misses. */
export function backoffReason(ctx: Ctx, host: string): string | null {
  if (ctx.memory.get(`pause ${host}`) !== null) return `${host} failed a moment ago`
  return ctx.memory.currentCount(`misses ${host}`) >= mostMisses
    ? `${host} was asked for too much that it does not have`
    : null
}

/** Whether the remote host failed, rather than a local rule or budget preventing the request. */
export function isHostFailure(failure: Unreachable): boolean {
  return !(failure instanceof NotAsked || failure instanceof OverBudget)
}

/** Records a missing response; backoff grows with each. */
export function recordNoResponse(ctx: Ctx, host: string): void {
  pause(ctx, host, 0)
}

/** Records a response: a failure of the whole host, a miss, or a success. */
export function recordResponse(
  ctx: Ctx,
  host: string,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): void {
  if (busy.has(status)) {
    const now = ctx.clock.now()
    const until = parseRetryAfter(headers.get('retry-after'), now, longestPauseSeconds * 1000)
    pause(ctx, host, until === null ? 0 : Math.ceil((until.getTime() - now.getTime()) / 1000))
  } else if (status < 400) ctx.memory.delete(`failures ${host}`)
  else ctx.memory.increment(`misses ${host}`, missSeconds)
}

/** Statuses that concern the whole host, not one document. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

function pause(ctx: Ctx, host: string, askedSeconds: number): void {
  const failures = ctx.memory.increment(`failures ${host}`, forgottenAfterSeconds)
  const grown = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 10))
  ctx.memory.set(`pause ${host}`, '', Math.max(grown, askedSeconds))
}

/** A variant of the request signature. */
export interface SignatureVariant {
  readonly scheme: SignatureScheme
  readonly withoutQuery?: boolean
}

/** Statuses that may mean that the signature was not understood. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403])

export function mayRejectSignature(status: number): boolean {
  return refusals.has(status)
}

const rememberedSeconds = 86_400

/** Hourly limit of further variants for a host that accepts none. */
const maxRejections = 10
const rejectionsSeconds = 3_600

/** Scheme that a host accepts: the stored one, or the one this isolate remembers; null where neither exists. */
export function knownScheme(ctx: Ctx, host: string, stored: SignatureScheme | null): SignatureScheme | null {
  if (stored !== null) return stored
  const remembered = ctx.memory.get(`scheme ${host}`)
  return remembered === 'cavage' || remembered === 'rfc9421' ? remembered : null
}

/**
 * Further signature variants after the first response: the other scheme, then one without the query.
 *
 * A host whose scheme is known means its 400 and 403; only 401 may signal a changed scheme. Hosts that refuse every
 * variant get one request each time: private documents must not double their traffic.
 */
export function variantsAfter(
  ctx: Ctx,
  url: string,
  { known, status }: { readonly known: SignatureScheme | null; readonly status: number },
): readonly SignatureVariant[] {
  const host = URL.parse(url)?.host ?? ''
  if (!mayRejectSignature(status) || (known !== null && status !== 401)) return []
  if (ctx.memory.increment(`knocks ${host}`, rejectionsSeconds) > maxRejections) return []
  const other: SignatureVariant = { scheme: (known ?? 'cavage') === 'cavage' ? 'rfc9421' : 'cavage' }
  const bare: SignatureVariant = { scheme: 'cavage', withoutQuery: true }
  return URL.parse(url)?.search ? [other, bare] : [other]
}

/** Remembers the scheme a host accepted. Stored where it is not the one offered first. */
export async function learnScheme(
  ctx: Ctx,
  host: string,
  { scheme, wasFirst }: { readonly scheme: SignatureScheme; readonly wasFirst: boolean },
): Promise<void> {
  if (ctx.memory.get(`scheme ${host}`) !== scheme) ctx.memory.set(`scheme ${host}`, scheme, rememberedSeconds)
  if (wasFirst) return
  ctx.memory.delete(`knocks ${host}`)
  await rememberSignatureScheme(ctx, host, scheme)
}
