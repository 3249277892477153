import { fragmentActivityUri } from '../../lib/addresses'
import type { OutgoingActivity } from './activities'
import type { JsonLdObject } from './document'

/** Builds a request to the author of `quoted` for consent (FEP-044f). `quoting` is the inlined quoting status. */
export function quoteRequestActivity(request: {
  readonly actor: string
  readonly id: number | string
  readonly quoted: string
  readonly quotedAuthor: string
  readonly quoting: JsonLdObject
}): OutgoingActivity {
  const { actor, id, quoted, quotedAuthor, quoting } = request
  return {
    id: fragmentActivityUri(actor, 'quotes', id),
    type: 'QuoteRequest',
    actor,
    to: [quotedAuthor],
    object: quoted,
    instrument: quoting,
  }
}

/** Builds the quoted author's Accept; `authorization` is the address of the consent. */
export function acceptQuoteActivity(
  actor: string,
  request: ReceivedQuoteRequest,
  authorization: string,
): OutgoingActivity {
  return { ...answer('Accept', actor, request), result: authorization }
}

export function rejectQuoteActivity(actor: string, request: ReceivedQuoteRequest): OutgoingActivity {
  return answer('Reject', actor, request)
}

/** A request from a remote server. */
export interface ReceivedQuoteRequest {
  /** Makes answers distinct. */
  readonly id: number
  readonly uri: string
  readonly actor: string
  readonly quoted: string
  readonly quoting: string
}

function answer(type: 'Accept' | 'Reject', actor: string, request: ReceivedQuoteRequest): OutgoingActivity {
  const { id, uri, quoted, quoting } = request
  const path = type === 'Accept' ? 'accepts' : 'rejects'
  return {
    id: fragmentActivityUri(actor, path, `quotes/${id}`),
    type,
    actor,
    to: [request.actor],
    object: { id: uri, type: 'QuoteRequest', actor: request.actor, object: quoted, instrument: quoting },
  }
}

/** Builds the consent document: the author of `quoted` lets `quoting` quote it. */
export function quoteAuthorization(consent: {
  readonly id: string
  readonly author: string
  readonly quoting: string
  readonly quoted: string
}): JsonLdObject {
  return {
    id: consent.id,
    type: 'QuoteAuthorization',
    attributedTo: consent.author,
    interactingObject: consent.quoting,
    interactionTarget: consent.quoted,
  }
}
