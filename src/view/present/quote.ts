import type { QuoteState, ShallowQuote } from '../../contract/entities/status'
import type { QuoteFacts } from '../load/quotes'

/**
 * State of a quote for its viewer; null if it does not count as a quote. As in Mastodon, a quote in a legacy
 * form is none until there is consent; its text has a link.
 *
 * `isThere` tells whether the viewer may see the quoted status.
 */
export function stateOf(quote: QuoteFacts, isThere: boolean): QuoteState | null {
  if (quote.state !== 'accepted') return quote.legacy ? null : quote.state
  if (quote.quotedId === null) return 'deleted'
  if (!isThere) return 'unauthorized'
  if (quote.domainBlocked) return 'blocked_domain'
  if (quote.blocked) return 'blocked_account'
  return quote.muted ? 'muted_account' : 'accepted'
}

/** Whether the client may reveal the quoted status: viewers who blocked or muted its author may. */
export function isRevealable(state: QuoteState): boolean {
  return ['accepted', 'blocked_account', 'blocked_domain', 'muted_account'].includes(state)
}

/** Presents the quote of a status that is itself shown as quoted. */
export function shallowQuote(quote: QuoteFacts | null): ShallowQuote | null {
  const state = quote === null ? null : stateOf(quote, quote.seen)
  if (quote === null || state === null) return null
  const id = isRevealable(state) ? quote.quotedId : null
  return { state, quoted_status_id: id === null ? null : String(id) }
}
