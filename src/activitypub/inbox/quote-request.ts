import { done, ignored, rejected } from '../../domain/core/outcome'
import { type QuoteRequest, receiveQuoteRequest } from '../../domain/statuses/quotes/receive-quote'
import { importStatus } from '../../domain/statuses/remote/import'
import { readStatusUri } from '../../lib/addresses'
import { sameOrigin } from '../../lib/web-address'
import { outcomeOf } from '../outcome-of'
import { isStatusDocument, readStatus } from '../vocab/status'
import { isUnreadable } from '../vocab/unreadable'
import type { InboxHandler } from './handler'

/**
 * Remote account asks to quote a local status. The quoting status is stored first: from the inlined copy, or by a
 * job.
 */
export const quoteRequest: InboxHandler = async (ctx, signer, { id: uri, object, instrument }) => {
  const [quotedUri, quotingUri] = [object?.id ?? null, instrument?.id ?? null]
  if (uri === null || quotedUri === null || quotingUri === null)
    return ignored('requests to quote no identifiable status')
  if (readStatusUri(ctx.config.origin, quotedUri) === null)
    return ignored('requests to quote no local status')
  if (!sameOrigin(quotingUri, signer.uri)) return rejected('requests an object of another server')
  const document = instrument?.document ?? null
  const status =
    document === null || !isStatusDocument(document)
      ? null
      : readStatus(document, { authorFollowers: signer.followers, now: ctx.clock.now() })
  if (status !== null && isUnreadable(status)) return rejected(status.unreadable)
  if (status !== null && (status.author !== signer.uri || status.uri !== quotingUri))
    return rejected('requests for another actor')
  const request: QuoteRequest = { uri, quotedUri, quotingUri, quote: status?.quote ?? null }
  const answered = await receiveQuoteRequest(ctx, signer, request)
  if (answered !== null) return answered
  if (status === null) {
    await ctx.jobs.send({ kind: 'answer-quote-request', accountId: signer.id, uri, quotedUri, quotingUri })
    return done
  }
  const imported = await importStatus(ctx, signer.id, { status, occasion: 'delivered' })
  if (imported.kind !== 'stored' && imported.kind !== 'duplicate') return outcomeOf(imported)
  return (await receiveQuoteRequest(ctx, signer, request)) ?? ignored('quotes no status')
}
