import { combineQueries, execute } from '../../db/query'
import { actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { viewerById } from '../../domain/core/viewer'
import { pollById } from '../../domain/polls/find'
import { isWorthPublishing } from '../../domain/polls/receive-vote'
import type { Recipients } from '../../domain/relationships/find-inboxes'
import { affectedRemoteAccounts, mentionedRemoteAccounts } from '../../domain/statuses/find-affected-servers'
import { federatedStatus, interactionsOn, statusReference } from '../../domain/statuses/find-reference'
import { actorAddresses, reblogUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import {
  addActivity,
  createOrAnnounceActivity,
  deleteStatusActivity,
  likeActivity,
  type OutgoingActivity,
  removeActivity,
  undoActivity,
  updateNoteActivity,
  voteActivity,
} from '../serialise/activities'
import { publicCollection } from '../serialise/document'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** A new status, or a reblog. Null when it is gone again or never leaves this server. */
export async function statusCreated(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.created' | 'reblog.created'>,
): Promise<OutboundDelivery | null> {
  const note = await noteOf(ctx, accountId, statusId)
  if (note === null) return null
  return deliveryOf(note, [createOrAnnounceActivity(ctx.config, ctx.clock.now(), note)], recipientsOf(note))
}

/**
 * An edit, or the tally of a poll: also for those it named before, and of an open one for those who answered,
 * favourited or reblogged it.
 */
export async function statusUpdated(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.updated'>,
  version: number,
): Promise<OutboundDelivery | null> {
  const { bundle, concerned, named } = await execute(
    ctx.db,
    combineQueries({
      bundle: loadNotes(ctx, viewerById(accountId), federatedStatus(statusId)),
      concerned: affectedRemoteAccounts(ctx, statusId),
      named: mentionedRemoteAccounts(ctx, statusId),
    }),
  )
  const [note] = bundle.notes
  if (note === undefined || note.shared !== null) return null
  const reach = recipientsOf(note)
  const { visibility } = note.status
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  const people = [...(reach.people ?? []), ...named, ...(isOpen ? concerned : [])]
  const activity = updateNoteActivity(ctx.config, note, { now: ctx.clock.now(), version })
  return deliveryOf(note, [activity], { ...reach, people })
}

export async function statusDeleted(
  ctx: Ctx,
  { accountId, statusId, visibility, concernedIds }: EventOf<'status.deleted'>,
): Promise<OutboundDelivery | null> {
  const sender = await senderOf(ctx, accountId)
  if (sender === null) return null
  const activity = deleteStatusActivity(sender, `${sender}/statuses/${statusId}`)
  const people = { people: concernedIds }
  const reach = visibility === 'direct' ? people : { ...people, followersOf: accountId }
  return { senderId: accountId, sender, activities: [activity], recipients: reach }
}

/** The person of ours who did something to a status, null for others; the status; and what they have marked on it. */
async function loadInteraction(ctx: Ctx, accountId: AccountId, statusId: StatusId) {
  const { parties, ...facts } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      status: statusReference(ctx, statusId),
      marks: interactionsOn(ctx, accountId, statusId),
    }),
  )
  const sender = parties.get(accountId)
  return { ...facts, sender: sender === undefined || sender.domain !== null ? null : sender }
}

/** Takes back an Announce; not where the same person has reblogged the status again. */
export async function reblogRemoved(
  ctx: Ctx,
  { accountId, statusId, reblogOfId, visibility }: EventOf<'reblog.removed'>,
): Promise<OutboundDelivery | null> {
  const { sender, status: original, marks } = await loadInteraction(ctx, accountId, reblogOfId)
  if (sender === null || original === null) return null
  if (original.localOnly || marks.reblogged) return null
  const { followers } = actorAddresses(sender.uri)
  const username = sender.uri.slice(sender.uri.lastIndexOf('/') + 1)
  const announce: OutgoingActivity = {
    id: reblogUri(ctx.config.origin, username, statusId),
    ...{ type: 'Announce', actor: sender.uri, object: original.uri },
    to: [visibility === 'public' || visibility === 'unlisted' ? publicCollection : followers],
  }
  // One that waited for the consent of its author is known to them alone.
  const known = visibility === 'direct' ? {} : { followersOf: accountId }
  const reach = { ...known, people: [original.authorId] }
  return { senderId: accountId, sender: sender.uri, activities: [undoActivity(announce)], recipients: reach }
}

/** A Like or its end, for the author of the status alone. */
export async function favouriteChanged(
  ctx: Ctx,
  { kind, accountId, statusId, favouriteId }: EventOf<'favourite.created' | 'favourite.removed'>,
): Promise<OutboundDelivery | null> {
  const { sender, status, marks } = await loadInteraction(ctx, accountId, statusId)
  if (sender === null || status === null || status.local) return null
  // What has been undone or done again since is told by the event of that.
  if ((kind === 'favourite.created') !== (marks.favouriteId === favouriteId)) return null
  if (kind === 'favourite.removed' && marks.favouriteId !== null) return null
  const like = likeActivity({ actor: sender.uri, id: favouriteId, object: status.uri })
  const activities = [kind === 'favourite.created' ? like : undoActivity(like)]
  const reach = { people: [status.authorId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients: reach }
}

/** A status enters or leaves the collection of those shown on the profile. */
export async function pinChanged(
  ctx: Ctx,
  { kind, accountId, statusId }: EventOf<'pin.created' | 'pin.removed'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { sender, status, marks } = await loadInteraction(ctx, accountId, statusId)
  if (sender === null || status === null || status.localOnly) return null
  if ((kind === 'pin.created') !== marks.pinned) return null
  const make = kind === 'pin.created' ? addActivity : removeActivity
  const activities = [make(sender.uri, String(eventId), status.uri)]
  return { senderId: accountId, sender: sender.uri, activities, recipients: { followersOf: accountId } }
}

/**
 * A vote of ours: in a poll of another server a note for each choice, for its author alone; in one of our own the
 * new tally, now and then.
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
  const reach = { people: [author.id], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, recipients: reach }
}

async function noteOf(ctx: Ctx, author: AccountId, id: StatusId): Promise<NoteFacts | null> {
  const { notes } = await execute(ctx.db, loadNotes(ctx, viewerById(author), federatedStatus(id)))
  return notes[0] ?? null
}

/**
 * Whom a status goes to: followers unless it is direct, whoever it names, whose status it shares, and whom an open
 * one answers. A private answer to somebody who is neither named nor a follower is not theirs to see.
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
  { status, actor }: NoteFacts,
  activities: readonly OutgoingActivity[],
  reach: Recipients,
): OutboundDelivery {
  return {
    ...{ senderId: status.accountId, sender: actor, activities, recipients: reach },
    followersOnly: status.visibility === 'private',
  }
}

async function senderOf(ctx: Ctx, id: AccountId): Promise<string | null> {
  const party = (await execute(ctx.db, actorRefsOf(ctx, [id]))).get(id)
  return party === undefined || party.domain !== null ? null : party.uri
}
