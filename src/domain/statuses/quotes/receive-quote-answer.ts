import { sql } from 'drizzle-orm'
import { execute } from '../../../db/query'
import type { AccountId, StatusId } from '../../../lib/ids'
import type { Ctx } from '../../../platform/ports'
import { Changes, commit } from '../../core/changes'
import { done, ignored, type Outcome, rejected } from '../../core/outcome'
import { type QuotingFacts, quoteConsentedAt, quotingFacts } from './find-quotes'
import { acceptQuote, endQuote } from './quote-state'

interface ActingAccount {
  readonly id: AccountId
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
  doer: ActingAccount,
  { statusId, authorizationUri }: QuoteAnswer,
): Promise<Outcome> {
  const facts = await execute(ctx.db, quotingFacts(ctx, sql`${statusId}`))
  if (facts === null || !facts.local) return ignored('answers no request of ours')
  const { quote } = facts
  const { state, quotedStatusId, quotedAccountId } = quote
  if (quotedAccountId !== doer.id) return rejected('answers for somebody else')
  const changes = new Changes()
  if (authorizationUri === null) {
    if (state !== 'pending' && state !== 'accepted') return ignored('refused before')
    endQuote(ctx, changes, quote, state === 'accepted' ? 'revoked' : 'rejected')
  } else {
    if (state === 'accepted' || state === 'revoked') return ignored('answered before')
    if (quotedStatusId === null) return ignored('what is quoted is gone')
    acceptQuote(ctx, changes, quote, { quotedStatusId, quotedAccountId, authorizationUri })
  }
  return applyAnswer(ctx, changes, facts)
}

/** Receives the revocation of a quote authorization by a remote author; null if none is known at that address. */
export async function receiveQuoteRevocation(
  ctx: Ctx,
  doer: ActingAccount,
  uri: string,
): Promise<Outcome | null> {
  const facts = await execute(ctx.db, quoteConsentedAt(ctx, doer.id, uri))
  if (facts === null) return null
  const { quote } = facts
  if (quote.quotedAccountId !== doer.id) return rejected('takes back what somebody else agreed to')
  if (quote.state === 'revoked') return ignored('taken back before')
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
