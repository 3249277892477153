import { rememberSignatureScheme } from '../domain/instance/remember-signature'
import type { SignatureScheme } from '../lib/signatures/sign'
import type { Ctx } from '../ports/ctx'

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
