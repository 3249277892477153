import { anonymousViewer, type ViewerRef, viewerById } from '../../domain/core/viewer'
import { admitAnonymous } from '../../domain/sessions/flood'
import { AppError, Forbidden, Unavailable } from '../../errors'
import { cleanJson } from '../../lib/json'
import { clientAddress } from '../../lib/network'
import { prefersData } from '../../lib/request-headers'
import { hasJsonExtension } from '../../lib/route-path'
import { hostOf } from '../../lib/web-address'
import { type AppContext, allowCaching, cachedSeconds } from '../../ports/app-env'
import type { Ctx } from '../../ports/ctx'
import { type JsonLdObject, withContext } from '../serialise/document'
import type { SignatureVerdict } from '../verify-request'

/**
 * Half a minute: when a status spreads, dozens of servers fetch it at once; edited or deleted ones should not stay
 * for long. Caches that heed `Vary` keep pages, documents and signed responses apart. No other cache applies:
 * responses of a Worker bypass Cloudflare's own cache.
 */
const maxAgeSeconds = 30

const vary = 'Accept, Signature'
const privately = { 'Cache-Control': 'private, no-store', Vary: vary }
const publicly = { 'Cache-Control': `public, max-age=${maxAgeSeconds}`, Vary: vary }

/** Responds with a document, publicly cacheable unless made for the signer. */
export function respondWithDocument(c: AppContext, reader: Reader, thing: JsonLdObject): Response {
  if (!reader.isSigned) allowCaching(c, { seconds: cachedSeconds.people, isCounted: true })
  return c.body(cleanJson(withContext(thing)), 200, {
    ...(reader.isSigned ? privately : publicly),
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** Responds with the Tombstone of a deleted object. */
export function respondGone(c: AppContext, tombstone: JsonLdObject): Response {
  return c.body(cleanJson(withContext(tombstone)), 410, {
    ...publicly,
    'Content-Type': 'application/activity+json; charset=utf-8',
  })
}

/** Responds with JSON for `AppError`s; rethrows other errors. */
export function respondWithAppError(failure: Error, c: AppContext): Response {
  if (!(failure instanceof AppError)) throw failure
  return c.json({ error: failure.message }, failure.status, { ...privately, ...failure.headers })
}

/** Whether the document is wanted instead of its page. */
export function wantsDocument(c: AppContext): boolean {
  return hasJsonExtension(c.req.raw) || prefersData(c.req.header('accept'))
}

/** Requester of a document. */
export interface Reader {
  readonly ref: ViewerRef
  /** Makes the response private to this reader. */
  readonly isSigned: boolean
}

export type Verify = (ctx: Ctx, request: Request, body: null) => Promise<SignatureVerdict>

/** 401 for missing or invalid signatures. */
class Unsigned extends AppError {
  readonly name = 'Unsigned'
  readonly status = 401
}

/** Unsigned reader. */
export const anonymousReader: Reader = { ref: anonymousViewer, isSigned: false }

/**
 * Identifies the reader by the request's signature. Public documents are readable with an invalid signature or
 * without one, unless signatures are mandatory. Suspended signers are always refused. `RateLimited` for anonymous
 * floods.
 */
export async function authenticateReader(ctx: Ctx, request: Request, verify: Verify): Promise<Reader> {
  const { signedOnly, limited } = ctx.config.federation
  const isStrict = signedOnly || limited
  const isRead = isStrict || request.headers.has('signature')
  const verdict: SignatureVerdict = isRead ? await verify(ctx, request, null) : { kind: 'unsigned' }
  if (verdict.kind === 'signed') {
    const { signer } = verdict
    if (signer.suspended) throw new Forbidden('server_blocked')
    return { ref: viewerById(signer.id), isSigned: true }
  }
  await admitAnonymous(ctx, clientAddress(request.headers))
  if (isStrict) throw refusalOf(verdict)
  return anonymousReader
}

type Failed = Exclude<SignatureVerdict, { readonly kind: 'signed' }>

function refusalOf(verdict: Failed): AppError {
  switch (verdict.kind) {
    case 'retry':
      return new Unavailable('signature_key_unavailable')
    case 'refused':
      return new Unsigned('signature_refused', { reason: verdict.reason })
    default:
      return new Unsigned('unsigned')
  }
}

/** Authenticates the server behind a request whose response is for that server alone. */
export async function authenticateHost(
  ctx: Ctx,
  request: Request,
  verify: Verify,
): Promise<{ readonly reader: Reader; readonly host: string }> {
  const verdict = await verify(ctx, request, null)
  if (verdict.kind !== 'signed') {
    await admitAnonymous(ctx, clientAddress(request.headers))
    throw refusalOf(verdict)
  }
  const { signer } = verdict
  const host = hostOf(signer.uri)
  if (signer.suspended || host === null) throw new Forbidden('server_blocked')
  return { reader: { ref: viewerById(signer.id), isSigned: true }, host }
}

const form = /^\d{1,16}$/

/** Parses the upper bound of a page (exclusive id). Malformed ids count as absent. */
export function maxIdOf(c: AppContext): number | undefined {
  const text = c.req.query('max_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}

/** Parses the lower bound of an ascending page. */
export function minIdOf(c: AppContext): number | undefined {
  const text = c.req.query('min_id') ?? ''
  return form.test(text) ? Number(text) : undefined
}
