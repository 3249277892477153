import type { RemoteQuote } from '../../domain/statuses/remote/remote-status'
import { firstOf, hasType, idOf, isPlainDocument, type JsonObject } from './json'
import { quoteIn } from './tags'
import { isTombstone } from './tombstone'

const dialects = ['quoteUri', 'quoteUrl', '_misskey_quote'] as const

/**
 * Quoted status: `quote` of FEP-044f with the consent of the quoted author, `quoteUri` (Fedibird), `quoteUrl`
 * (Pleroma, Misskey), `_misskey_quote`, or a Link among the tags (FEP-e232). Mastodon writes a Tombstone for a
 * deleted quoted status.
 */
export function quoteOf(object: JsonObject, tags: readonly JsonObject[]): RemoteQuote | null {
  if (isTombstone(firstOf(object['quote']))) return { ...nothing, gone: true }
  const quote = idOf(object['quote'])
  if (quote !== null) return { uri: quote, authorization: idOf(object['quoteAuthorization']), legacy: false }
  const key = dialects.find((name) => idOf(object[name]) !== null)
  const uri = key === undefined ? quoteIn(tags) : idOf(object[key])
  return uri === null ? null : { uri, authorization: null, legacy: true }
}

const nothing: RemoteQuote = { uri: '', authorization: null, legacy: false }

/** Consent to one quote, from the quoted author's server (FEP-044f). */
export interface QuoteAuthorization {
  readonly id: string
  readonly author: string
  /** Quoting status. */
  readonly quote: string
  /** Quoted status. */
  readonly quoted: string
}

export function readQuoteAuthorization(document: unknown): QuoteAuthorization | null {
  if (!isPlainDocument(document) || !hasType(document, 'QuoteAuthorization')) return null
  const [id, author] = [idOf(document['id']), idOf(document['attributedTo'])]
  const [quote, quoted] = [idOf(document['interactingObject']), idOf(document['interactionTarget'])]
  if (id === null || author === null || quote === null || quoted === null) return null
  return { id, author, quote, quoted }
}
