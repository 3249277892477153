import { actorAddresses, reblogUri } from '../../contract/addresses'
import { combineQueries, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { viewerById } from '../../domain/core/viewer'
import { pollById } from '../../domain/polls/find'
import { isWorthPublishing } from '../../domain/polls/vote'
import type { Recipients } from '../../domain/relationships/find-inboxes'
import { affectedRemoteAccounts, mentionedRemoteAccounts } from '../../domain/statuses/find-affected-servers'
import {
  federatedStatus,
  type InteractionsOn,
  interactionsOn,
  type StatusReference,
  statusReference,
} from '../../domain/statuses/find-federated'
import type { AccountId, StatusId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import {
  addActivity,
  approvedLikeActivity,
  createOrAnnounceActivity,
  deleteStatusActivity,
  type InteractionFacts,
  likeActivity,
  type OutgoingActivity,
  removeActivity,
  undoActivity,
  updateNoteActivity,
  voteActivity,
} from '../serialise/activities'
import { interactionRequestActivity } from '../serialise/approvals'
import { publicCollection } from '../serialise/document'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** Federates a new status or reblog. Null when it is deleted by now or local-only. */
export async function statusCreated(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.created' | 'reblog.created'>,
): Promise<OutboundDelivery | null> {
  const note = await noteOf(ctx, accountId, statusId)
  if (note === null) return null
  return deliveryOf(note, [createOrAnnounceActivity(ctx.config, ctx.clock.now(), note)], recipientsOf(note))
}

/**
 * Federates an edit or poll tally: also to accounts it mentioned before, and a public or unlisted one to accounts
 * that replied to, favourited or reblogged it.
 */
export async function statusUpdated(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.updated'>,
  version: number,
): Promise<OutboundDelivery | null> {
  const { bundle, concerned, mentioned } = await execute(
    ctx.db,
    combineQueries({
      bundle: loadNotes(ctx, viewerById(accountId), federatedStatus(statusId)),
      concerned: affectedRemoteAccounts(ctx, statusId),
      mentioned: mentionedRemoteAccounts(ctx, statusId),
    }),
  )
  const [note] = bundle.notes
  if (note === undefined || note.shared !== null) return null
  const recipients = recipientsOf(note)
  const { visibility } = note.status
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  const people = [...(recipients.people ?? []), ...mentioned, ...(isOpen ? concerned : [])]
  const activity = updateNoteActivity(ctx.config, note, { now: ctx.clock.now(), version })
  return deliveryOf(note, [activity], { ...recipients, people })
}

export async function statusDeleted(
  ctx: Ctx,
  { accountId, statusId, visibility, concernedIds }: EventOf<'status.deleted'>,
): Promise<OutboundDelivery | null> {
  const sender = await senderOf(ctx, accountId)
  if (sender === null) return null
  const activity = deleteStatusActivity(sender, `${sender}/statuses/${statusId}`)
  const people = { people: concernedIds }
  const recipients = visibility === 'direct' ? people : { ...people, followersOf: accountId }
  return {
    senderId: accountId,
    sender,
    activities: [activity],
    recipients,
    forRelays: visibility === 'public',
  }
}

/**
 * Loads the local account that interacted with a status (null for remote ones), the status, and its interactions with
 * it.
 */
async function loadInteraction(ctx: Ctx, accountId: AccountId, statusId: StatusId) {
  const { parties, ...facts } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      status: statusReference(ctx, statusId),
      interactions: interactionsOn(ctx, accountId, statusId),
    }),
  )
  const sender = parties.get(accountId)
  return { ...facts, sender: sender === undefined || sender.domain !== null ? null : sender }
}

/** Federates the Undo of an Announce, unless the same account has reblogged the status again. */
export async function reblogRemoved(
  ctx: Ctx,
  { accountId, statusId, reblogOfId, visibility }: EventOf<'reblog.removed'>,
): Promise<OutboundDelivery | null> {
  const { sender, status: original, interactions } = await loadInteraction(ctx, accountId, reblogOfId)
  if (sender === null || original === null) return null
  if (original.localOnly || interactions.reblogged) return null
  const { followers } = actorAddresses(sender.uri)
  const username = sender.uri.slice(sender.uri.lastIndexOf('/') + 1)
  const announce: OutgoingActivity = {
    id: reblogUri(ctx.config.origin, username, statusId),
    type: 'Announce',
    actor: sender.uri,
    object: original.uri,
    to: [visibility === 'public' || visibility === 'unlisted' ? publicCollection : followers],
  }
  // A reblog that awaited consent is known to the author alone.
  const audience = visibility === 'direct' ? {} : { followersOf: accountId }
  const recipients = { ...audience, people: [original.authorId] }
  return { senderId: accountId, sender: sender.uri, activities: [undoActivity(announce)], recipients }
}

/** Federates a Like or its Undo to the status's author alone. */
export async function favouriteChanged(
  ctx: Ctx,
  { kind, accountId, statusId, favouriteId }: EventOf<'favourite.created' | 'favourite.removed'>,
): Promise<OutboundDelivery | null> {
  const { sender, status, interactions } = await loadInteraction(ctx, accountId, statusId)
  if (sender === null || status === null || status.local) return null
  // Changed again since: a later event covers that.
  if ((kind === 'favourite.created') !== (interactions.favouriteId === favouriteId)) return null
  if (kind === 'favourite.removed' && interactions.favouriteId !== null) return null
  const like = await likeOf(
    ctx,
    { actor: sender.uri, id: favouriteId, object: status.uri },
    { status, interactions },
  )
  const activities = [kind === 'favourite.created' ? like : undoActivity(like)]
  const recipients = { people: [status.authorId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients }
}

interface LikeContext {
  readonly status: StatusReference
  readonly interactions: InteractionsOn
}

/** The Like of a favourite, with the approval of the author where there is one. */
async function likeOf(
  ctx: Ctx,
  like: InteractionFacts,
  { status: { authorId }, interactions: { favouriteApproval: approval } }: LikeContext,
): Promise<OutgoingActivity> {
  const author =
    approval === null ? undefined : (await execute(ctx.db, actorRefsOf(ctx, [authorId]))).get(authorId)
  return author === undefined
    ? likeActivity(like)
    : approvedLikeActivity(like, { author: author.uri, approval })
}

/** Requests consent to a favourite of the status's author. Skipped if answered or withdrawn meanwhile. */
export async function favouriteRequested(
  ctx: Ctx,
  { accountId, statusId, favouriteId: id }: EventOf<'favourite.requested'>,
): Promise<OutboundDelivery | null> {
  const { sender, status, interactions } = await loadInteraction(ctx, accountId, statusId)
  if (sender === null || status === null || interactions.favouriteRequestId !== id) return null
  const author = (await execute(ctx.db, actorRefsOf(ctx, [status.authorId]))).get(status.authorId)
  if (author === undefined) return null
  const [actor, target] = [sender.uri, status.uri]
  const interaction = approvedLikeActivity(
    { actor, id, object: target },
    { author: author.uri, approval: null },
  )
  const request = { type: 'LikeRequest' as const, actor, id, target, targetAuthor: author.uri, interaction }
  const recipients = { people: [author.id], personal: true }
  return { senderId: accountId, sender: actor, activities: [interactionRequestActivity(request)], recipients }
}

/** Federates a status pinned to or removed from the profile. */
export async function pinChanged(
  ctx: Ctx,
  { kind, accountId, statusId }: EventOf<'pin.created' | 'pin.removed'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { sender, status, interactions } = await loadInteraction(ctx, accountId, statusId)
  if (sender === null || status === null || status.localOnly) return null
  if ((kind === 'pin.created') !== interactions.pinned) return null
  const make = kind === 'pin.created' ? addActivity : removeActivity
  const activities = [make(sender.uri, String(eventId), status.uri)]
  return { senderId: accountId, sender: sender.uri, activities, recipients: { followersOf: accountId } }
}

/**
 * Federates a local vote: in a remote poll one note per choice, for its author alone; in a local poll the new tally,
 * at intervals.
 */
export async function voteCast(
  ctx: Ctx,
  event: EventOf<'poll.voted'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { accountId, statusId, pollId, choices } = event
  const { status, poll } = await execute(
    ctx.db,
    combineQueries({ status: statusReference(ctx, statusId), poll: pollById(ctx, pollId) }),
  )
  if (status === null || poll === null) return null
  if (status.local) {
    if (!isWorthPublishing(poll.votesCount)) return null
    return statusUpdated(ctx, { kind: 'status.updated', accountId: poll.accountId, statusId }, eventId)
  }
  const parties = await execute(ctx.db, actorRefsOf(ctx, [accountId, poll.accountId]))
  const [sender, author] = [parties.get(accountId), parties.get(poll.accountId)]
  if (sender === undefined || author === undefined || sender.domain !== null) return null
  const vote = { actor: sender.uri, pollId, question: status.uri, author: author.uri }
  const activities = choices.flatMap((index) => {
    const choice = poll.options[index]
    return choice === undefined ? [] : [voteActivity({ ...vote, index, choice })]
  })
  const recipients = { people: [author.id], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients }
}

async function noteOf(ctx: Ctx, author: AccountId, id: StatusId): Promise<NoteFacts | null> {
  const { notes } = await execute(ctx.db, loadNotes(ctx, viewerById(author), federatedStatus(id)))
  return notes[0] ?? null
}

/**
 * Recipients of a status: followers unless it is direct, mentioned accounts, the reblogged author, and the parent's
 * author if public or unlisted. A private reply is not for a parent's author who is neither mentioned nor a follower.
 */
export function recipientsOf({ status, shared }: NoteFacts): Recipients {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const answered = isOpen && status.inReplyToAccountId !== null ? [status.inReplyToAccountId] : []
  return {
    people: [...status.mentions.filter(({ domain }) => domain !== null).map(({ id }) => id), ...answered],
    ...(shared === null ? {} : { uris: [shared.authorUri] }),
    ...(status.visibility === 'direct' ? {} : { followersOf: status.accountId }),
  }
}

function deliveryOf(
  { status, actor, shared }: NoteFacts,
  activities: readonly OutgoingActivity[],
  recipients: Recipients,
): OutboundDelivery {
  return {
    senderId: status.accountId,
    sender: actor,
    activities,
    recipients,
    followersOnly: status.visibility === 'private',
    forRelays: status.visibility === 'public' && shared === null,
  }
}

async function senderOf(ctx: Ctx, id: AccountId): Promise<string | null> {
  const party = (await execute(ctx.db, actorRefsOf(ctx, [id]))).get(id)
  return party === undefined || party.domain !== null ? null : party.uri
}
