import { NotAsked, OverBudget, type Unreachable } from '../errors'
import { parseRetryAfter } from '../lib/outgoing/retry-after'
import type { Ctx } from '../ports/ctx'

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
