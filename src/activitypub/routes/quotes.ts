import { ask } from '../../db/query'
import { servedApproval } from '../../domain/statuses/find-approvals'
import type { StatusAddress } from '../../domain/statuses/find-served'
import { servedConsent } from '../../domain/statuses/quotes/find-quotes'
import { NotFound } from '../../errors'
import { approvalUri, quoteAuthorizationUri } from '../../lib/addresses'
import type { AppContext } from '../../platform/app-env'
import { interactionAuthorization } from '../serialise/approvals'
import { quoteAuthorization } from '../serialise/quotes'
import { answerDocument } from './answer'
import type { Reader } from './reader'

/** The consent of one of ours to a quote; gone once it is taken back. */
export async function serveConsent(c: AppContext, reader: Reader, address: StatusAddress): Promise<Response> {
  const ctx = c.get('ctx')
  const consent = await ask(ctx.db, servedConsent(ctx, reader.ref, address))
  if (consent === null) throw new NotFound()
  const id = quoteAuthorizationUri(consent.author, address.id)
  return answerDocument(c, reader, quoteAuthorization({ id, ...consent }))
}

/** The consent of one of ours to an answer or a reblog of another server. */
export async function serveInteractionConsent(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const ctx = c.get('ctx')
  const consent = await ask(ctx.db, servedApproval(ctx, reader.ref, address))
  if (consent === null) throw new NotFound()
  const id = approvalUri(consent.author, address.id)
  return answerDocument(c, reader, interactionAuthorization({ id, ...consent }))
}
