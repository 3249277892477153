import { ask, together } from '../../db/query'
import { partiesOf } from '../../domain/accounts/find-parties'
import { refById } from '../../domain/core/viewer'
import { pollById } from '../../domain/polls/find'
import { isNews } from '../../domain/polls/receive-vote'
import type { Reach } from '../../domain/relationships/find-inboxes'
import { peersConcernedBy, peersNamedIn } from '../../domain/statuses/find-concerned'
import { marksOn, statusReference, tellableStatus } from '../../domain/statuses/find-reference'
import { actorAddresses, reblogUri } from '../../lib/addresses'
import type { AccountId, StatusId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import {
  type Activity,
  addActivity,
  deleteStatusActivity,
  likeActivity,
  madeBy,
  removeActivity,
  undoActivity,
  updateNoteActivity,
  voteActivity,
} from '../serialise/activities'
import { publicCollection } from '../serialise/document'
import type { Mission } from './mission'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** A new status, or a reblog. Null when it is gone again or never leaves this server. */
export async function statusMade(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.created' | 'reblog.created'>,
): Promise<Mission | null> {
  const note = await noteOf(ctx, accountId, statusId)
  if (note === null) return null
  return missionOf(note, [madeBy(ctx.config, ctx.clock.now(), note)], reachOf(note))
}

/**
 * An edit, or the tally of a poll: also for those it named before, and of an open one for those who answered,
 * favourited or reblogged it.
 */
export async function statusChanged(
  ctx: Ctx,
  { accountId, statusId }: EventOf<'status.updated'>,
  version: number,
): Promise<Mission | null> {
  const { bundle, concerned, named } = await ask(
    ctx.db,
    together({
      bundle: loadNotes(ctx, refById(accountId), tellableStatus(statusId)),
      concerned: peersConcernedBy(ctx, statusId),
      named: peersNamedIn(ctx, statusId),
    }),
  )
  const [note] = bundle.notes
  if (note === undefined || note.shared !== null) return null
  const reach = reachOf(note)
  const { visibility } = note.status
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  const people = [...(reach.people ?? []), ...named, ...(isOpen ? concerned : [])]
  const activity = updateNoteActivity(ctx.config, note, { now: ctx.clock.now(), version })
  return missionOf(note, [activity], { ...reach, people })
}

export async function statusGone(
  ctx: Ctx,
  { accountId, statusId, visibility, concernedIds }: EventOf<'status.deleted'>,
): Promise<Mission | null> {
  const sender = await senderOf(ctx, accountId)
  if (sender === null) return null
  const activity = deleteStatusActivity(sender, `${sender}/statuses/${statusId}`)
  const people = { people: concernedIds }
  const reach = visibility === 'direct' ? people : { ...people, followersOf: accountId }
  return { senderId: accountId, sender, activities: [activity], reach }
}

/** The person of ours who did something to a status, null for others; the status; and what they have marked on it. */
async function deedFacts(ctx: Ctx, accountId: AccountId, statusId: StatusId) {
  const { parties, ...facts } = await ask(
    ctx.db,
    together({
      parties: partiesOf(ctx, [accountId]),
      status: statusReference(ctx, statusId),
      marks: marksOn(ctx, accountId, statusId),
    }),
  )
  const sender = parties.get(accountId)
  return { ...facts, sender: sender === undefined || sender.domain !== null ? null : sender }
}

/** Takes back an Announce; not where the same person has reblogged the status again. */
export async function reblogGone(
  ctx: Ctx,
  { accountId, statusId, reblogOfId, visibility }: EventOf<'reblog.removed'>,
): Promise<Mission | null> {
  const { sender, status: original, marks } = await deedFacts(ctx, accountId, reblogOfId)
  if (sender === null || original === null) return null
  if (original.localOnly || marks.reblogged) return null
  const { followers } = actorAddresses(sender.uri)
  const username = sender.uri.slice(sender.uri.lastIndexOf('/') + 1)
  const announce: Activity = {
    id: reblogUri(ctx.config.origin, username, statusId),
    ...{ type: 'Announce', actor: sender.uri, object: original.uri },
    to: [visibility === 'public' || visibility === 'unlisted' ? publicCollection : followers],
  }
  // One that waited for the consent of its author is known to them alone.
  const known = visibility === 'direct' ? {} : { followersOf: accountId }
  const reach = { ...known, people: [original.authorId] }
  return { senderId: accountId, sender: sender.uri, activities: [undoActivity(announce)], reach }
}

/** A Like or its end, for the author of the status alone. */
export async function favouriteChanged(
  ctx: Ctx,
  { kind, accountId, statusId, favouriteId }: EventOf<'favourite.created' | 'favourite.removed'>,
): Promise<Mission | null> {
  const { sender, status, marks } = await deedFacts(ctx, accountId, statusId)
  if (sender === null || status === null || status.local) return null
  // What has been undone or done again since is told by the event of that.
  if ((kind === 'favourite.created') !== (marks.favouriteId === favouriteId)) return null
  if (kind === 'favourite.removed' && marks.favouriteId !== null) return null
  const like = likeActivity({ actor: sender.uri, id: favouriteId, object: status.uri })
  const activities = [kind === 'favourite.created' ? like : undoActivity(like)]
  const reach = { people: [status.authorId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, reach }
}

/** A status enters or leaves the collection of those shown on the profile. */
export async function pinChanged(
  ctx: Ctx,
  { kind, accountId, statusId }: EventOf<'pin.created' | 'pin.removed'>,
  eventId: number,
): Promise<Mission | null> {
  const { sender, status, marks } = await deedFacts(ctx, accountId, statusId)
  if (sender === null || status === null || status.localOnly) return null
  if ((kind === 'pin.created') !== marks.pinned) return null
  const make = kind === 'pin.created' ? addActivity : removeActivity
  const activities = [make(sender.uri, String(eventId), status.uri)]
  return { senderId: accountId, sender: sender.uri, activities, reach: { followersOf: accountId } }
}

/**
 * A vote of ours: in a poll of another server a note for each choice, for its author alone; in one of our own the
 * new tally, now and then.
 */
export async function voteCast(
  ctx: Ctx,
  event: EventOf<'poll.voted'>,
  eventId: number,
): Promise<Mission | null> {
  const { accountId, statusId, pollId, choices } = event
  const { status, poll } = await ask(
    ctx.db,
    together({ status: statusReference(ctx, statusId), poll: pollById(ctx, pollId) }),
  )
  if (status === null || poll === null) return null
  if (status.local) {
    if (!isNews(poll.votesCount)) return null
    return statusChanged(ctx, { kind: 'status.updated', accountId: poll.accountId, statusId }, eventId)
  }
  const parties = await ask(ctx.db, partiesOf(ctx, [accountId, poll.accountId]))
  const [sender, author] = [parties.get(accountId), parties.get(poll.accountId)]
  if (sender === undefined || author === undefined || sender.domain !== null) return null
  const vote = { actor: sender.uri, pollId, question: status.uri, author: author.uri }
  const activities = choices.flatMap((index) => {
    const choice = poll.options[index]
    return choice === undefined ? [] : [voteActivity({ ...vote, index, choice })]
  })
  const reach = { people: [author.id], personal: true }
  return { senderId: accountId, sender: sender.uri, activities, reach }
}

async function noteOf(ctx: Ctx, author: AccountId, id: StatusId): Promise<NoteFacts | null> {
  const { notes } = await ask(ctx.db, loadNotes(ctx, refById(author), tellableStatus(id)))
  return notes[0] ?? null
}

/**
 * Whom a status goes to: followers unless it is direct, whoever it names, whose status it shares, and whom an open
 * one answers. A private answer to somebody who is neither named nor a follower is not theirs to see.
 */
export function reachOf({ status, shared }: NoteFacts): Reach {
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const answered = isOpen && status.inReplyToAccountId !== null ? [status.inReplyToAccountId] : []
  return {
    people: [...status.mentions.filter(({ domain }) => domain !== null).map(({ id }) => id), ...answered],
    ...(shared === null ? {} : { uris: [shared.authorUri] }),
    ...(status.visibility === 'direct' ? {} : { followersOf: status.accountId }),
  }
}

function missionOf({ status, actor }: NoteFacts, activities: readonly Activity[], reach: Reach): Mission {
  return {
    ...{ senderId: status.accountId, sender: actor, activities, reach },
    followersOnly: status.visibility === 'private',
  }
}

async function senderOf(ctx: Ctx, id: AccountId): Promise<string | null> {
  const party = (await ask(ctx.db, partiesOf(ctx, [id]))).get(id)
  return party === undefined || party.domain !== null ? null : party.uri
}
