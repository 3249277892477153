import { fragmentActivityUri } from '../../contract/addresses'
import type { OutgoingActivity } from './activities'
import type { JsonLdObject } from './document'

/** Consent requested from the author of a status, for a reply, an Announce or a Like. */
export type RequestType = 'ReplyRequest' | 'AnnounceRequest' | 'LikeRequest'

/**
 * Builds a request to the author of `target` for consent to `interaction`, the inlined reply, Announce or Like. `id` is that
 * of the row of the interaction.
 */
export function interactionRequestActivity(request: {
  readonly type: RequestType
  readonly actor: string
  readonly id: number
  readonly target: string
  readonly targetAuthor: string
  readonly interaction: JsonLdObject
}): OutgoingActivity {
  const { type, actor, id, target, targetAuthor, interaction } = request
  return {
    id: fragmentActivityUri(actor, type === 'LikeRequest' ? 'likerequests' : 'requests', id),
    type,
    actor,
    to: [targetAuthor],
    object: target,
    instrument: interaction,
  }
}

/** A request from a remote server. */
export interface ReceivedRequest {
  /** Makes answers distinct. */
  readonly id: number
  readonly uri: string
  readonly type: RequestType
  readonly actor: string
  readonly target: string
  readonly interaction: string
}

/** Builds the answer to a request; `authorization` is the address of the consent, null for a refusal. */
export function requestAnswerActivity(
  actor: string,
  request: ReceivedRequest,
  authorization: string | null,
): OutgoingActivity {
  const { id, uri, type, target, interaction } = request
  const isGiven = authorization !== null
  return {
    id: fragmentActivityUri(actor, isGiven ? 'accepts' : 'rejects', `requests/${id}`),
    type: isGiven ? 'Accept' : 'Reject',
    actor,
    to: [request.actor],
    object: { id: uri, type, actor: request.actor, object: target, instrument: interaction },
    ...(isGiven ? { result: authorization } : {}),
  }
}

export type AuthorizationType = 'ReplyAuthorization' | 'AnnounceAuthorization' | 'LikeAuthorization'

/** Builds the consent document, which third servers fetch to verify interactions naming it. */
export function interactionAuthorization(consent: {
  readonly id: string
  readonly type: AuthorizationType
  readonly author: string
  readonly interaction: string
  readonly target: string
}): JsonLdObject {
  return {
    id: consent.id,
    type: consent.type,
    attributedTo: consent.author,
    interactingObject: consent.interaction,
    interactionTarget: consent.target,
  }
}

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
