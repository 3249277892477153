import { rememberSignatureScheme } from '../domain/instance/remember-signature'
import type { SignatureScheme } from '../lib/signatures/sign'
import type { Ctx } from '../platform/ports'

/** One way to sign a request. */
export interface SignatureVariant {
  readonly scheme: SignatureScheme
  readonly withoutQuery?: boolean
}

/** Answers that may mean that the signature was not understood. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403])

export function mayRejectSignature(status: number): boolean {
  return refusals.has(status)
}

const learntSeconds = 86_400

/** How often an hour a host is offered other signatures without taking any of them. */
const mostKnocks = 10
const knocksSeconds = 3_600

/** The scheme a host is known to take: what is stored, or what it took from this isolate; null where neither is. */
export function knownScheme(ctx: Ctx, host: string, stored: SignatureScheme | null): SignatureScheme | null {
  if (stored !== null) return stored
  const learnt = ctx.memory.get(`scheme ${host}`)
  return learnt === 'cavage' || learnt === 'rfc9421' ? learnt : null
}

/**
 * Which other signatures are offered after an answer to the first: the other scheme, then one without the query.
 *
 * A host whose scheme is known means what it says with 400 and 403; only 401 may say that it changed its mind. Hosts
 * that refuse everything are asked once each time: what they keep to themselves must not double what they get.
 */
export function variantsAfter(
  ctx: Ctx,
  url: string,
  { known, status }: { readonly known: SignatureScheme | null; readonly status: number },
): readonly SignatureVariant[] {
  const host = URL.parse(url)?.host ?? ''
  if (!mayRejectSignature(status) || (known !== null && status !== 401)) return []
  if (ctx.memory.increment(`knocks ${host}`, knocksSeconds) > mostKnocks) return []
  const other: SignatureVariant = { scheme: (known ?? 'cavage') === 'cavage' ? 'rfc9421' : 'cavage' }
  const bare: SignatureVariant = { scheme: 'cavage', withoutQuery: true }
  return URL.parse(url)?.search ? [other, bare] : [other]
}

/** The host took this scheme. Stored where it is not what it was offered first. */
export async function learnScheme(
  ctx: Ctx,
  host: string,
  { scheme, wasFirst }: { readonly scheme: SignatureScheme; readonly wasFirst: boolean },
): Promise<void> {
  if (ctx.memory.get(`scheme ${host}`) !== scheme) ctx.memory.set(`scheme ${host}`, scheme, learntSeconds)
  if (wasFirst) return
  ctx.memory.delete(`knocks ${host}`)
  await rememberSignatureScheme(ctx, host, scheme)
}
