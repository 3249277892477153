import type { Ctx } from '../../context'
import { NotAsked, Unreachable } from '../../errors'
import { heldUntil } from '../../lib/outgoing/retry-after'
import { type SignatureScheme, type SigningKey, signRequest } from '../../lib/signatures/sign'
import type { Waiting } from './ledger'
import { longestHoldMilliseconds, readStatus } from './patience'

/** What became of one delivery, and how many requests that took. */
export type Receipt = { readonly requests: number } & (
  | { readonly kind: 'accepted'; readonly scheme: SignatureScheme }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string; readonly heldUntil: Date | null }
)

interface Signing {
  readonly key: SigningKey
  /** The key before, while some may not know the current one. */
  readonly previous: SigningKey | null
  readonly scheme: SignatureScheme
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
}

/**
 * Delivers a parcel by a signed POST. Where the signature may be what was not liked, knocks once more with one of
 * the other kind, and at last with the key that the sender had before: a server that holds that one hears so of the
 * new one.
 */
export async function post(ctx: Ctx, parcel: Waiting, { key, previous, scheme }: Signing): Promise<Receipt> {
  let requests = 0
  const knock = (kind: SignatureScheme, under = key) => {
    requests += 1
    return send(ctx, parcel, { key: under, scheme: kind })
  }
  try {
    const first = await knock(scheme)
    if (readStatus(first.status) !== 'doubted') return receiptOf(ctx, first, { scheme, requests })
    const other = scheme === 'cavage' ? 'rfc9421' : 'cavage'
    const second = await knock(other)
    if (previous === null || readStatus(second.status) !== 'doubted')
      return receiptOf(ctx, second, { scheme: other, requests })
    return receiptOf(ctx, await knock(scheme, previous), { scheme, requests })
  } catch (cause) {
    // An address that must not be asked is none in five days either.
    if (cause instanceof NotAsked) return { kind: 'refused', status: 0, requests }
    if (!(cause instanceof Unreachable)) throw cause
    return { kind: 'failed', reason: cause.message, heldUntil: null, requests }
  }
}

async function send(
  ctx: Ctx,
  { inbox, body, synchronization }: Waiting,
  { key, scheme }: { readonly key: SigningKey; readonly scheme: SignatureScheme },
): Promise<Answer> {
  const headers = {
    'content-type': 'application/activity+json',
    ...(synchronization === null ? {} : { 'collection-synchronization': synchronization }),
  }
  const unsigned = { method: 'POST' as const, url: inbox, headers, body }
  const signed = await signRequest(unsigned, { key, scheme, now: ctx.clock.now() })
  const answer = await ctx.http.send({ ...signed, redirects: 'answer' })
  await answer.body?.cancel()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') }
}

function receiptOf(
  ctx: Ctx,
  { status, retryAfter }: Answer,
  { scheme, requests }: { readonly scheme: SignatureScheme; readonly requests: number },
): Receipt {
  const reading = readStatus(status)
  if (reading === 'accepted') return { kind: 'accepted', scheme, requests }
  if (reading === 'failed')
    return {
      ...{ kind: 'failed', requests, reason: `answered ${status}` },
      heldUntil: heldUntil(retryAfter, ctx.clock.now(), longestHoldMilliseconds),
    }
  return { kind: 'refused', status, requests }
}
