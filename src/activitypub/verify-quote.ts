import { sql } from 'drizzle-orm'
import { execute } from '../db/query'
import { actorRefsOf } from '../domain/accounts/find-actor-refs'
import { type StatusReference, statusReference } from '../domain/statuses/find-federated'
import { type QuotingFacts, quotingFacts } from '../domain/statuses/quotes/find-quotes'
import { storeVerifiedQuote } from '../domain/statuses/quotes/quote-state'
import { Unavailable } from '../errors'
import type { StatusId } from '../lib/ids'
import { sameOrigin } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { fetchDocument } from './fetch'
import { withRequestBudget } from './resolve'
import { readQuoteAuthorization } from './vocab/quotes'

/** Consent, fetched with two signature variants, behind a redirect. */
const requestsForConsent = 4

/**
 * Verifies the quote of a remote status: fetches the quoted status, and the named consent from the quoted author's
 * server (FEP-044f). Quotes of the author's own statuses need no consent.
 *
 * `Unavailable` when that server does not answer now. An already decided quote stays so.
 */
export async function verifyQuote(ctx: Ctx, id: StatusId): Promise<void> {
  const facts = await execute(ctx.db, quotingFacts(ctx, sql`${id}`))
  if (facts === null || facts.local || facts.quote.state !== 'pending') return
  const { quote } = facts
  const quotedStatusId = quote.quotedStatusId ?? (await ctx.resolver.statusByUri(quote.quotedUri))
  if (quotedStatusId === null) return
  const reference = await execute(ctx.db, statusReference(ctx, quotedStatusId))
  // Local authors answer requests; no other server speaks for them.
  if (reference === null || reference.local) return
  const isOwn = reference.authorId === quote.accountId
  const accepted = isOwn || (await isConsented(ctx, facts, reference))
  await storeVerifiedQuote(ctx, quote, { quotedStatusId, quotedAccountId: reference.authorId, accepted })
}

async function isConsented(
  ctx: Ctx,
  { quote, uri }: QuotingFacts,
  quoted: StatusReference,
): Promise<boolean> {
  const { authorizationUri } = quote
  const author = (await execute(ctx.db, actorRefsOf(ctx, [quoted.authorId]))).get(quoted.authorId)
  if (authorizationUri === null || author === undefined) return false
  if (!sameOrigin(authorizationUri, author.uri)) return false
  const fetched = await fetchDocument(withRequestBudget(ctx, requestsForConsent), authorizationUri)
  if (fetched.kind === 'unreachable') throw new Unavailable('another_server_silent', {}, fetched.reason)
  const consent = fetched.kind === 'found' ? readQuoteAuthorization(fetched.document) : null
  return (
    consent !== null &&
    consent.id === authorizationUri &&
    consent.author === author.uri &&
    consent.quote === uri &&
    consent.quoted === quoted.uri
  )
}
