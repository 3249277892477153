import { combineQueries, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { viewerById } from '../../domain/core/viewer'
import { pendingStatus, statusReference } from '../../domain/statuses/find-reference'
import { approvalUri } from '../../lib/addresses'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import { announceActivity } from '../serialise/activities'
import { interactionRequestActivity, requestAnswerActivity } from '../serialise/approvals'
import { serialiseNote } from '../serialise/note'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

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
