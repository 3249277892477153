import { sql } from 'drizzle-orm'
import type { Config } from '../../config'
import { approvalUri, quoteAuthorizationUri } from '../../contract/addresses'
import { combineQueries, constant, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { viewerById } from '../../domain/core/viewer'
import { reactionWithId } from '../../domain/interactions/find-interaction'
import { federatedStatus, pendingStatus, statusReference } from '../../domain/statuses/find-federated'
import { quotingFacts } from '../../domain/statuses/quotes/find-quotes'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import {
  announceActivity,
  emojiReactActivity,
  type InteractionFacts,
  undoActivity,
} from '../serialise/activities'
import {
  acceptQuoteActivity,
  interactionRequestActivity,
  quoteRequestActivity,
  rejectQuoteActivity,
  requestAnswerActivity,
} from '../serialise/approvals'
import { publicCollection } from '../serialise/document'
import { reactionTag, serialiseNote } from '../serialise/note'
import type { OutboundDelivery } from './delivery'

type ReactionEvent = Extract<FederatedEvent, { kind: 'reaction.created' | 'reaction.removed' }>
type Reaction = Pick<Extract<ReactionEvent, { kind: 'reaction.removed' }>, 'name' | 'emoji'>

/** Federates an EmojiReact or its Undo to the status's author alone. Skipped if withdrawn meanwhile. */
export async function reactionChanged(ctx: Ctx, event: ReactionEvent): Promise<OutboundDelivery | null> {
  const { kind, accountId, statusId, reactionId } = event
  const { parties, status, reaction } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      status: statusReference(ctx, statusId),
      reaction: kind === 'reaction.removed' ? constant(event) : reactionWithId(ctx, reactionId),
    }),
  )
  const sender = parties.get(accountId)
  if (sender === undefined || sender.domain !== null || reaction === null) return null
  if (status === null || status.local) return null
  const author = (await execute(ctx.db, actorRefsOf(ctx, [status.authorId]))).get(status.authorId)
  if (author === undefined) return null
  const interaction = { actor: sender.uri, id: reactionId, object: status.uri }
  const activity = activityOf(ctx.config, interaction, { ...reaction, author: author.uri })
  const activities = [kind === 'reaction.created' ? activity : undoActivity(activity)]
  const recipients = { people: [author.id], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients }
}

function activityOf(
  config: Config,
  interaction: InteractionFacts,
  { name, emoji, author }: Reaction & { readonly author: string },
) {
  if (emoji === null) return emojiReactActivity(interaction, { content: name, tag: null, author })
  const content = `:${emoji.shortcode}:`
  return emojiReactActivity(interaction, { content, tag: reactionTag(config, emoji), author })
}

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

/** Requests consent of the author that a local reply or reblog targets. Skipped if answered or deleted meanwhile. */
export async function approvalRequested(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'approval.requested'>,
): Promise<OutboundDelivery | null> {
  const [held] = (await execute(ctx.db, loadNotes(ctx, viewerById(accountId), pendingStatus(statusId)))).notes
  const approval = held?.status.approval ?? null
  if (held === undefined || approval?.state !== 'pending' || approval.held === null) return null
  // Serialised as it will be once published: the consent is about that version.
  const note = { ...held, status: { ...held.status, visibility: approval.held } }
  return note.shared === null ? replyRequest(ctx, note) : reblogRequest(ctx, note, note.shared)
}

async function replyRequest(ctx: Ctx, note: NoteFacts): Promise<OutboundDelivery | null> {
  const { actor, inReplyTo, status } = note
  const { id, accountId: senderId, inReplyToAccountId: authorId } = status
  if (authorId === null || inReplyTo === null) return null
  const author = (await execute(ctx.db, actorRefsOf(ctx, [authorId]))).get(authorId)
  if (author === undefined || author.domain === null) return null
  const interaction = serialiseNote(ctx.config, ctx.clock.now(), note)
  const activity = interactionRequestActivity({
    type: 'ReplyRequest',
    actor,
    id,
    target: inReplyTo,
    targetAuthor: author.uri,
    interaction,
  })
  return {
    senderId,
    sender: actor,
    activities: [activity],
    recipients: { people: [authorId], personal: true },
  }
}

function reblogRequest(
  ctx: Ctx,
  note: NoteFacts,
  shared: NonNullable<NoteFacts['shared']>,
): OutboundDelivery {
  const { actor, status } = note
  const activity = interactionRequestActivity({
    type: 'AnnounceRequest',
    actor,
    id: status.id,
    target: shared.uri,
    targetAuthor: shared.authorUri,
    interaction: announceActivity(ctx.config, note),
  })
  const recipients = { uris: [shared.authorUri], personal: true }
  return { senderId: status.accountId, sender: actor, activities: [activity], recipients }
}

/** Federates the answer of a local account to a remote interaction request, with its consent if given. */
export async function approvalAnswered(
  ctx: Ctx,
  event: EventOf<'approval.answered'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { accountId, requesterId, statusId } = event
  const { parties, target } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId, requesterId]),
      target: statusReference(ctx, event.targetStatusId),
    }),
  )
  const [sender, requester] = [parties.get(accountId), parties.get(requesterId)]
  if (sender === undefined || sender.domain !== null || requester === undefined || target === null)
    return null
  const request = {
    id: eventId,
    uri: event.requestUri,
    type: event.requestType,
    actor: requester.uri,
    target: target.uri,
    interaction: event.interactionUri,
  }
  const authorization = statusId === null ? null : approvalUri(sender.uri, statusId)
  const activity = requestAnswerActivity(sender.uri, request, authorization)
  const recipients = { people: [requesterId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities: [activity], recipients }
}
