import type { Ctx } from '../../context'
import { ask, together } from '../../db/query'
import type { AccountId, StatusId } from '../../lib/ids'
import { Changes, commit } from '../changes'
import { done, ignored, type Outcome, rejected } from '../outcome'
import { mayQuote } from '../policy/interaction'
import { idByAddress } from './find-address'
import { type QuoteTarget, type QuotingFacts, quoteTargetAt, quotingFacts } from './find-quotes'
import { acceptQuote } from './settle-quote'

/** A request for consent (FEP-044f). */
export interface QuoteRequest {
  readonly uri: string
  readonly quotedUri: string
  /** On the server of who asks. */
  readonly quotingUri: string
}

interface Doer {
  readonly id: AccountId
}

/**
 * Somebody elsewhere asks to quote a status of ours: answered at once, by its policy. Null when the status that
 * quotes is not known here yet; consent is kept with it. One trip to look, one to answer.
 *
 * Asking again gets the same answer. Emits `quote.answered`.
 */
export async function receiveQuoteRequest(
  ctx: Ctx,
  doer: Doer,
  request: QuoteRequest,
): Promise<Outcome | null> {
  const { target, quoting } = await ask(
    ctx.db,
    together({
      target: quoteTargetAt(ctx, doer.id, request.quotedUri),
      quoting: quotingFacts(ctx, idByAddress(ctx, request.quotingUri)),
    }),
  )
  if (target?.status.local !== true) return ignored('asks to quote what is not there for its actor')
  if (!mayQuote(target.status, target.standing) || quoting?.quote.state === 'revoked')
    return answer(ctx, doer, { request, target, changes: new Changes(), statusId: null })
  if (quoting === null) return null
  const problem = mismatch(doer, target, quoting)
  if (problem !== null) return rejected(problem)
  const { id: quotedStatusId, accountId: quotedAccountId } = target.status
  const changes = new Changes()
  if (quoting.quote.state !== 'accepted')
    acceptQuote(ctx, changes, quoting.quote, { quotedStatusId, quotedAccountId, requestUri: request.uri })
  return answer(ctx, doer, { request, target, changes, statusId: quoting.quote.statusId })
}

/** Is what is asked for not what the status does? Pure. */
function mismatch(doer: Doer, target: QuoteTarget, { quote }: QuotingFacts): string | null {
  if (quote.accountId !== doer.id) return 'asks for a status of somebody else'
  return quote.quotedStatusId === target.status.id ? null : 'asks for a quote that is none'
}

interface Answer {
  readonly request: QuoteRequest
  readonly target: QuoteTarget
  readonly changes: Changes
  readonly statusId: StatusId | null
}

async function answer(
  ctx: Ctx,
  doer: Doer,
  { request, target, changes, statusId }: Answer,
): Promise<Outcome> {
  const { id: quotedStatusId, accountId } = target.status
  const { uri: requestUri, quotingUri } = request
  changes.emit({
    ...{ kind: 'quote.answered', accountId, statusId, requesterId: doer.id },
    ...{ requestUri, quotedStatusId, quotingUri },
  })
  await commit(ctx, changes)
  return done
}
