import { NotAsked, OverBudget, type Unreachable } from '../errors'
import { parseRetryAfter } from '../lib/outgoing/retry-after'
import type { Ctx } from '../platform/ports'

// Strangers decide what this server asks for: by keys, parents, quotes and hints they name. What other servers have to
// bear because of that is bounded here, in the memory of the isolate: a row for each would be a gift to strangers too.

/** The pause after a host failed once; it doubles with each failure after that, up to the longest. */
const firstPauseSeconds = 30
const longestPauseSeconds = 300
const forgottenAfterSeconds = 1_800

/** How often a host may be asked in a minute for what it does not have. Genuine addresses rarely lead nowhere. */
const mostMisses = 120
const missSeconds = 60

/** Why `host` is not asked now, or null: it failed a short while ago, or was asked for too much that it has not. */
export function backoffReason(ctx: Ctx, host: string): string | null {
  if (ctx.memory.get(`pause ${host}`) !== null) return `${host} failed a moment ago`
  return ctx.memory.currentCount(`misses ${host}`) >= mostMisses
    ? `${host} was asked for too much that it does not have`
    : null
}

/** Is it the host that failed, and not this server that did not want to ask it, or not again? */
export function isHostFailure(failure: Unreachable): boolean {
  return !(failure instanceof NotAsked || failure instanceof OverBudget)
}

/** The host gave no answer at all: the next request waits, the longer the more often that happened. */
export function recordNoResponse(ctx: Ctx, host: string): void {
  pause(ctx, host, 0)
}

/** What a host answered to a request: a failure of the whole host, a miss, or a sign that it is well. */
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

/** Answers for the whole host, whatever was asked for. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504])

function pause(ctx: Ctx, host: string, askedSeconds: number): void {
  const failures = ctx.memory.increment(`failures ${host}`, forgottenAfterSeconds)
  const grown = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(failures - 1, 10))
  ctx.memory.set(`pause ${host}`, '', Math.max(grown, askedSeconds))
}
