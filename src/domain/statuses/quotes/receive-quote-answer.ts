import { sql } from 'drizzle-orm'
import { execute } from '../../../db/query'
import type { StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { done, ignored, type Outcome, rejected } from '../../core/outcome'
import type { RemoteSender } from '../../core/remote-sender'
import { type QuotingFacts, quoteConsentedAt, quotingFacts } from './find-quotes'
import { acceptQuote, endQuote } from './quote-state'

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
