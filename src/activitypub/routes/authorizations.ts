import { combineQueries, execute } from '../../db/query'
import { findInteractionAuthorization, findLikeAuthorization } from '../../domain/statuses/find-authorization'
import type { StatusAddress } from '../../domain/statuses/find-federated'
import { findQuoteAuthorization } from '../../domain/statuses/quotes/find-quotes'
import { NotFound } from '../../errors'
import { approvalUri, quoteAuthorizationUri } from '../../lib/addresses'
import type { AppContext } from '../../ports/app-env'
import { interactionAuthorization } from '../serialise/approvals'
import { quoteAuthorization } from '../serialise/quotes'
import type { Reader } from './reader'
import { respondWithDocument } from './respond'

/** Serves a local author's consent to a quote; 404 once revoked. */
export async function serveQuoteAuthorization(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const ctx = c.get('ctx')
  const consent = await execute(ctx.db, findQuoteAuthorization(ctx, reader.ref, address))
  if (consent === null) throw new NotFound()
  const id = quoteAuthorizationUri(consent.author, address.id)
  return respondWithDocument(c, reader, quoteAuthorization({ id, ...consent }))
}

/** Serves a local author's consent to a remote reply, reblog or favourite. */
export async function serveInteractionAuthorization(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const ctx = c.get('ctx')
  const { status, like } = await execute(
    ctx.db,
    combineQueries({
      status: findInteractionAuthorization(ctx, reader.ref, address),
      like: findLikeAuthorization(ctx, reader.ref, address),
    }),
  )
  const consent = status ?? like
  if (consent === null) throw new NotFound()
  const id = approvalUri(consent.author, address.id)
  return respondWithDocument(c, reader, interactionAuthorization({ id, ...consent }))
}
