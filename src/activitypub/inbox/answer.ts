import type { Ctx } from '../../context'
import { receiveFeatureAnswer } from '../../domain/collections/receive-answer'
import { ignored } from '../../domain/outcome'
import { receiveAccept, receiveReject } from '../../domain/relationships/receive-answer'
import { receiveQuoteAnswer } from '../../domain/statuses/receive-quote-answer'
import { readFeatureRequestUri, readQuoteRequestUri, readStatusUri } from '../../lib/addresses'
import type { CollectionItemId, StatusId } from '../../lib/ids'
import { sameOrigin } from '../../lib/web-address'
import type { Signer } from '../keys'
import { hasType, idOf, type Reference } from '../vocab/json'
import { type InboxHandler, localTarget } from './handler'

/** Somebody lets one of ours follow them, feature them, or quote something of theirs. */
export const accept: InboxHandler = async (ctx, signer, { object, result }) => {
  const itemId = featuringIn(ctx, object)
  if (itemId !== null) {
    const authorizationUri = result?.id ?? null
    if (authorizationUri === null || !sameOrigin(authorizationUri, signer.uri))
      return ignored('names no consent on its own server')
    return receiveFeatureAnswer(ctx, signer, { itemId, authorizationUri })
  }
  const quoting = quotingIn(ctx, object)
  if (quoting !== null) {
    const authorizationUri = result?.id ?? null
    if (authorizationUri === null || !sameOrigin(authorizationUri, signer.uri))
      return ignored('names no consent on its own server')
    return receiveQuoteAnswer(ctx, signer, { statusId: quoting, authorizationUri })
  }
  const username = requesterIn(ctx, signer, object)
  return username === null ? ignored('accepts no Follow of ours') : receiveAccept(ctx, signer, username)
}

/** Somebody does not, or no longer. */
export const reject: InboxHandler = async (ctx, signer, { object }) => {
  const itemId = featuringIn(ctx, object)
  if (itemId !== null) return receiveFeatureAnswer(ctx, signer, { itemId, authorizationUri: null })
  const quoting = quotingIn(ctx, object)
  if (quoting !== null) return receiveQuoteAnswer(ctx, signer, { statusId: quoting, authorizationUri: null })
  const username = requesterIn(ctx, signer, object)
  return username === null ? ignored('rejects no Follow of ours') : receiveReject(ctx, signer, username)
}

/** Which item of a collection of ours the answered FeatureRequest is for, by its id, which is ours. */
function featuringIn(ctx: Ctx, request: Reference | null): CollectionItemId | null {
  return request?.id == null ? null : readFeatureRequestUri(ctx.config.origin, request.id)
}

/** Which status of ours the answered QuoteRequest is for: by its id, which is ours, or by the copy. */
function quotingIn(ctx: Ctx, request: Reference | null): StatusId | null {
  const { origin } = ctx.config
  const byId = request?.id == null ? null : readQuoteRequestUri(origin, request.id)
  if (byId !== null) return byId
  const copy = request?.document ?? null
  if (copy === null || !hasType(copy, 'QuoteRequest')) return null
  const instrument = idOf(copy['instrument'])
  return instrument === null ? null : (readStatusUri(origin, instrument)?.id ?? null)
}

/**
 * Who of ours made the Follow that is answered. A copy names its actor. An id of ours begins with the address of
 * the actor, and an id somebody else made up (some answer a Follow by a name of their own) tells nothing.
 */
export function requesterIn(ctx: Ctx, signer: Signer, follow: Reference | null): string | null {
  const copy = follow?.document ?? null
  if (copy === null || !('actor' in copy)) return localTarget(ctx, follow?.id?.split('#')[0] ?? null)
  if (!hasType(copy, 'Follow')) return null
  const followed = idOf(copy['object'])
  // Nobody answers for others.
  return followed === null || followed === signer.uri ? localTarget(ctx, idOf(copy['actor'])) : null
}
