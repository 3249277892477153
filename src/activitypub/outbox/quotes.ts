import { sql } from 'drizzle-orm'
import { combineQueries, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { viewerById } from '../../domain/core/viewer'
import { federatedStatus, statusReference } from '../../domain/statuses/find-reference'
import { quotingFacts } from '../../domain/statuses/quotes/find-quotes'
import { quoteAuthorizationUri } from '../../lib/addresses'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadNotes } from '../../view/load/notes'
import { publicCollection } from '../serialise/document'
import { serialiseNote } from '../serialise/note'
import { acceptQuoteActivity, quoteRequestActivity, rejectQuoteActivity } from '../serialise/quotes'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** Requests consent of the author that a local status quotes. Skipped if answered or deleted meanwhile. */
export async function quoteRequested(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'quote.requested'>,
): Promise<OutboundDelivery | null> {
  const { bundle, facts } = await execute(
    ctx.db,
    combineQueries({
      bundle: loadNotes(ctx, viewerById(accountId), federatedStatus(statusId)),
      facts: quotingFacts(ctx, sql`${statusId}`),
    }),
  )
  const [note] = bundle.notes
  if (note === undefined || facts?.quote.state !== 'pending') return null
  const { quotedAccountId, quotedUri } = facts.quote
  if (quotedAccountId === null) return null
  const author = (await execute(ctx.db, actorRefsOf(ctx, [quotedAccountId]))).get(quotedAccountId)
  if (author === undefined || author.domain === null) return null
  const quoting = serialiseNote(ctx.config, ctx.clock.now(), note)
  const request = { actor: note.actor, id: statusId, quoted: quotedUri, quotedAuthor: author.uri, quoting }
  const recipients = { people: [quotedAccountId], personal: true }
  return {
    senderId: accountId,
    sender: note.actor,
    activities: [quoteRequestActivity(request)],
    recipients,
  }
}

/** Federates the answer of a local account to a remote quote request, with its consent if given. */
export async function quoteAnswered(
  ctx: Ctx,
  event: EventOf<'quote.answered'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { accountId, requesterId, statusId, requestUri, quotingUri } = event
  const { parties, quoted } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId, requesterId]),
      quoted: statusReference(ctx, event.quotedStatusId),
    }),
  )
  const [sender, requester] = [parties.get(accountId), parties.get(requesterId)]
  if (sender === undefined || sender.domain !== null || requester === undefined || quoted === null)
    return null
  const request = {
    id: eventId,
    uri: requestUri,
    actor: requester.uri,
    quoted: quoted.uri,
    quoting: quotingUri,
  }
  const activity =
    statusId === null
      ? rejectQuoteActivity(sender.uri, request)
      : acceptQuoteActivity(sender.uri, request, quoteAuthorizationUri(sender.uri, statusId))
  const recipients = { people: [requesterId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities: [activity], recipients }
}

/**
 * Federates a revoked quote consent to the quoting account and to the author's followers, who may have seen the
 * quote.
 */
export async function quoteRevoked(
  ctx: Ctx,
  { accountId, statusId, quotingAccountId }: EventOf<'quote.revoked'>,
): Promise<OutboundDelivery | null> {
  const sender = (await execute(ctx.db, actorRefsOf(ctx, [accountId]))).get(accountId)
  if (sender === undefined || sender.domain !== null) return null
  const object = quoteAuthorizationUri(sender.uri, statusId)
  const actor = sender.uri
  const activity = { id: `${object}#delete`, type: 'Delete', actor, to: [publicCollection], object }
  const recipients = { people: [quotingAccountId], followersOf: accountId }
  return { senderId: accountId, sender: actor, activities: [activity], recipients }
}
