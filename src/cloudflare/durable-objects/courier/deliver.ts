import { NotAsked, Unreachable } from '../../../errors'
import { parseRetryAfter } from '../../../lib/outgoing'
import { type SignatureScheme, type SigningKey, signRequest } from '../../../lib/signatures/sign'
import type { Ctx } from '../../../ports/ctx'
import { maxRetryAfterMilliseconds, mayAcceptOtherSignature, meaningOfStatus } from './backoff'
import type { PendingDelivery } from './delivery-queue'

/** Result of one delivery, with the number of requests it took. */
export type DeliveryResult = { readonly requests: number } & (
  | { readonly kind: 'accepted'; readonly scheme: SignatureScheme }
  | { readonly kind: 'refused'; readonly status: number }
  /** Inbox not found: permanently (410), or perhaps temporarily (404). */
  | { readonly kind: 'gone' | 'missing' }
  /** Signature not verified by the peer. Its server answers: no failure of the host. */
  | { readonly kind: 'unauthorized' }
  | {
      readonly kind: 'failed'
      readonly reason: string
      readonly error: string
      readonly heldUntil: Date | null
    }
)

interface Signing {
  readonly key: SigningKey
  /** Previous key, while some servers may not know the current one. */
  readonly previous: SigningKey | null
  /** Scheme the server is known to accept; null where unknown. */
  readonly scheme: SignatureScheme | null
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
}

/**
 * Delivers an activity by a signed POST. Where the signature may have been rejected, tries the other scheme, and at
 * last the sender's previous key: a server that still has that one learns of the new one.
 */
export async function deliver(
  ctx: Ctx,
  delivery: PendingDelivery,
  { key, previous, scheme }: Signing,
): Promise<DeliveryResult> {
  const usual = scheme ?? 'cavage'
  const other = usual === 'cavage' ? 'rfc9421' : 'cavage'
  const variants = [
    { key, scheme: usual },
    { key, scheme: other },
    ...(previous === null ? [] : [{ key: previous, scheme: usual }]),
  ] as const
  let requests = 0
  let result: DeliveryResult = { kind: 'refused', status: 0, requests }
  try {
    for (const variant of variants) {
      requests += 1
      const answer = await send(ctx, delivery, variant)
      result = resultOf(ctx, answer, { scheme: variant.scheme, requests })
      if (!mayAcceptOtherSignature(answer.status, scheme !== null)) break
    }
    return result
  } catch (cause) {
    // A forbidden address stays forbidden, so no retry.
    if (cause instanceof NotAsked) return { kind: 'refused', status: 0, requests }
    if (!(cause instanceof Unreachable)) throw cause
    return { kind: 'failed', reason: cause.message, error: classOf(cause), heldUntil: null, requests }
  }
}

function classOf({ message }: Unreachable): string {
  if (message.startsWith('No answer')) return 'no answer in time'
  return message === 'The connection failed' ? 'no connection' : 'unusable answer'
}

async function send(
  ctx: Ctx,
  { inbox, body, synchronization }: PendingDelivery,
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

function resultOf(
  ctx: Ctx,
  { status, retryAfter }: Answer,
  { scheme, requests }: { readonly scheme: SignatureScheme; readonly requests: number },
): DeliveryResult {
  const reading = meaningOfStatus(status)
  switch (reading) {
    case 'accepted':
      return { kind: 'accepted', scheme, requests }
    case 'failed':
      return {
        kind: 'failed',
        requests,
        reason: `answered ${status}`,
        error: `http ${status}`,
        heldUntil: parseRetryAfter(retryAfter, ctx.clock.now(), maxRetryAfterMilliseconds),
      }
    case 'gone':
    case 'missing':
    case 'unauthorized':
      return { kind: reading, requests }
    case 'doubted':
    case 'refused':
      return { kind: 'refused', status, requests }
  }
}
