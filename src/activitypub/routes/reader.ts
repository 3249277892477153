import { anonymousViewer, type ViewerRef, viewerById } from '../../domain/core/viewer'
import { admitAnonymous } from '../../domain/sessions/flood'
import { AppError, Forbidden, Unavailable } from '../../errors'
import { clientAddress } from '../../lib/network'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { SignatureVerdict } from '../find-signer'

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
    if (signer.suspended) throw new Forbidden('This server does not speak with yours')
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
      return new Unavailable('The key of the signature could not be fetched now')
    case 'refused':
      return new Unsigned(`The signature does not hold: ${verdict.reason}`)
    default:
      return new Unsigned('Only signed requests are answered here')
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
  if (signer.suspended || host === null) throw new Forbidden('This server does not speak with yours')
  return { reader: { ref: viewerById(signer.id), isSigned: true }, host }
}
