import type { QuoteState, ShallowQuote } from '../../contract/entities/status'
import type { QuoteFacts } from '../load/quotes'

/**
 * How a quote stands for its viewer; null for what is no quote to them. As in Mastodon, one said in words that know
 * no consent is none until there is consent; its text has a link.
 *
 * `statusExists` tells whether the viewer may see what is quoted.
 */
export function stateOf(quote: QuoteFacts, isThere: boolean): QuoteState | null {
  if (quote.state !== 'accepted') return quote.legacy ? null : quote.state
  if (quote.quotedId === null) return 'deleted'
  if (!isThere) return 'unauthorized'
  if (quote.domainBlocked) return 'blocked_domain'
  if (quote.blocked) return 'blocked_account'
  return quote.muted ? 'muted_account' : 'accepted'
}

/** Who blocked or muted the quoted author may still look behind that. */
export function isRevealable(state: QuoteState): boolean {
  return ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'].includes(state)
}

/** The quote of a status that is itself shown as quoted. */
export function shallowQuote(quote: QuoteFacts | null): ShallowQuote | null {
  const state = quote === null ? null : stateOf(quote, quote.seen)
  if (quote === null || state === null) return null
  const id = isRevealable(state) ? quote.quotedId : null
  return { state, quoted_status_id: id === null ? null : String(id) }
}
