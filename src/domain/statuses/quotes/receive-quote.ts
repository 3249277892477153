import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../../db/query'
import type { StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../../core/changes'
import type { RemoteSender } from '../../core/viewer'
import { mayQuote } from '../../policy/interaction'
import { idByAddress } from '../find'
import { statusOfActor } from '../remote/find-remote'
import type { RemoteQuote } from '../remote/remote-status'
import {
  type QuoteTarget,
  type QuotingFacts,
  quoteConsentedAt,
  quoteTargetAt,
  quotingFacts,
} from './find-quotes'
import { acceptQuote, attachAcceptedQuote, endQuote } from './quote-state'

/** A quote request (FEP-044f). */
export interface QuoteRequest {
  readonly uri: string
  readonly quotedUri: string
  /** On the requester's server. */
  readonly quotingUri: string
  /** Quote in the copy sent with the request; null without a copy or without a quote. */
  readonly quote?: RemoteQuote | null
}

/**
 * Answers a remote request to quote a local status at once, by its policy. Null if the quoting status is not
 * stored yet, since consent is stored with it. One round trip to load, one to commit.
 *
 * The status may have arrived without its quote: Hollo publishes the quote once it has consent. Then the quote is
 * taken from the copy in the request, which its author signed. Repeated requests get the same answer. Emits
 * `quote.answered`.
 */
export async function receiveQuoteRequest(
  ctx: Ctx,
  actor: RemoteSender,
  request: QuoteRequest,
): Promise<Outcome | null> {
  const { target, held, quoting } = await execute(
    ctx.db,
    combineQueries({
      target: quoteTargetAt(ctx, actor.id, request.quotedUri),
      held: statusOfActor(ctx, actor.id, request.quotingUri),
      quoting: quotingFacts(ctx, idByAddress(ctx, request.quotingUri)),
    }),
  )
  if (target?.status.local !== true) return ignored('asks to quote a status its actor cannot see')
  if (!mayQuote(target.status, target.standing) || quoting?.quote.state === 'revoked')
    return answer(ctx, actor, { request, target, changes: new Changes(), statusId: null })
  const consent = approvalFor(target, request)
  if (quoting === null) {
    if (held === null || held === 'of another' || !quotesRequested(request)) return null
    const changes = new Changes()
    attachAcceptedQuote(ctx, changes, held, { ...consent, quotedUri: request.quotedUri })
    return answer(ctx, actor, { request, target, changes, statusId: held.id })
  }
  const problem = mismatch(actor, target, quoting)
  if (problem !== null) return rejected(problem)
  const changes = new Changes()
  if (quoting.quote.state !== 'accepted') acceptQuote(ctx, changes, quoting.quote, consent)
  return answer(ctx, actor, { request, target, changes, statusId: quoting.quote.statusId })
}

function approvalFor({ status }: QuoteTarget, { uri: requestUri }: QuoteRequest) {
  return { quotedStatusId: status.id, quotedAccountId: status.accountId, requestUri }
}

/** True if the enclosed copy quotes the requested status. Pure. */
function quotesRequested({ quote, quotedUri }: QuoteRequest): boolean {
  return quote?.uri === quotedUri
}

/** Reason why the request does not match the stored quote, or null. Pure. */
function mismatch(actor: RemoteSender, target: QuoteTarget, { quote }: QuotingFacts): string | null {
  if (quote.accountId !== actor.id) return 'the quoting status belongs to another actor'
  return quote.quotedStatusId === target.status.id ? null : 'the quoting status quotes another status'
}

interface Answer {
  readonly request: QuoteRequest
  readonly target: QuoteTarget
  readonly changes: Changes
  readonly statusId: StatusId | null
}

async function answer(
  ctx: Ctx,
  actor: RemoteSender,
  { request, target, changes, statusId }: Answer,
): Promise<Outcome> {
  const { id: quotedStatusId, accountId } = target.status
  const { uri: requestUri, quotingUri } = request
  changes.emit({
    kind: 'quote.answered',
    accountId,
    statusId,
    requesterId: actor.id,
    requestUri,
    quotedStatusId,
    quotingUri,
  })
  await commit(ctx, changes)
  return done
}

/** Answer to a local quote request, for the quote in the local status `statusId`. */
export interface QuoteAnswer {
  readonly statusId: StatusId
  /** Address of the authorization; null for a rejection. */
  readonly authorizationUri: string | null
}

/**
 * Receives the acceptance, rejection or revocation of a quote in a local status by the quoted author. Emits
 * `status.updated`, which shows other servers the authorization.
 */
export async function receiveQuoteAnswer(
  ctx: Ctx,
  actor: RemoteSender,
  { statusId, authorizationUri }: QuoteAnswer,
): Promise<Outcome> {
  const facts = await execute(ctx.db, quotingFacts(ctx, sql`${statusId}`))
  if (facts === null || !facts.local) return ignored('answers no local request')
  const { quote } = facts
  const { state, quotedStatusId, quotedAccountId } = quote
  if (quotedAccountId !== actor.id) return rejected('the actor is not the quoted author')
  const changes = new Changes()
  if (authorizationUri === null) {
    if (state !== 'pending' && state !== 'accepted') return ignored('already refused')
    endQuote(ctx, changes, quote, state === 'accepted' ? 'revoked' : 'rejected')
  } else {
    if (state === 'accepted' || state === 'revoked') return ignored('already answered')
    if (quotedStatusId === null) return ignored('the quoted status is deleted')
    acceptQuote(ctx, changes, quote, { quotedStatusId, quotedAccountId, authorizationUri })
  }
  return applyAnswer(ctx, changes, facts)
}

/** Receives the revocation of a quote authorization by a remote author; null if none is known at that address. */
export async function receiveQuoteRevocation(
  ctx: Ctx,
  actor: RemoteSender,
  uri: string,
): Promise<Outcome | null> {
  const facts = await execute(ctx.db, quoteConsentedAt(ctx, actor.id, uri))
  if (facts === null) return null
  const { quote } = facts
  if (quote.quotedAccountId !== actor.id) return rejected('revokes the consent of another actor')
  if (quote.state === 'revoked') return ignored('already revoked')
  const changes = new Changes()
  endQuote(ctx, changes, quote, 'revoked')
  return applyAnswer(ctx, changes, facts)
}

async function applyAnswer(
  ctx: Ctx,
  changes: Changes,
  { quote, local, localOnly }: QuotingFacts,
): Promise<Outcome> {
  const { accountId, statusId } = quote
  if (local && !localOnly) changes.emit({ kind: 'status.updated', accountId, statusId })
  await commit(ctx, changes)
  return done
}
