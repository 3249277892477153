import type { Config } from '../../config'
import { activityUri, actorAddresses, fragmentActivityUri, undoUri } from '../../contract/addresses'
import type { Approval } from '../../db/values'
import type { NoteFacts } from '../../view/load/notes'
import { instant, type JsonLdObject, publicCollection } from './document'
import { addressingOf, approvalProperties, serialiseNote } from './note'

/** An activity without context, which `withContext` adds for sending. */
export interface OutgoingActivity extends JsonLdObject {
  readonly id: string
  readonly type: string
  readonly actor: string
}

/** Builds the Create of a status or the Announce of a reblog. */
export function createOrAnnounceActivity(config: Config, now: Date, facts: NoteFacts): OutgoingActivity {
  return facts.shared === null ? createActivity(config, now, facts) : announceActivity(config, facts)
}

export function createActivity(config: Config, now: Date, facts: NoteFacts): OutgoingActivity {
  const { status, uri, actor } = facts
  return {
    id: activityUri(uri),
    type: 'Create',
    actor,
    published: instant(status.createdAt),
    ...addressingOf(config, facts),
    object: serialiseNote(config, now, facts),
  }
}

/** Builds the Announce of a reblog; throws for any other status. */
export function announceActivity(config: Config, facts: NoteFacts): OutgoingActivity {
  const { status, uri, actor, shared } = facts
  if (shared === null) throw new Error('Only a reblog is announced')
  return {
    id: activityUri(uri),
    type: 'Announce',
    actor,
    published: instant(status.createdAt),
    ...addressingOf(config, facts),
    object: shared.uri,
    ...approvalProperties(status.approval, 'announceAuthorization'),
  }
}

/** Builds an Update. `version` makes edits distinct: milliseconds, or the poll's number of votes. */
export function updateNoteActivity(
  config: Config,
  facts: NoteFacts,
  at: { readonly now: Date; readonly version: string | number },
): OutgoingActivity {
  const { uri, actor } = facts
  return {
    id: `${uri}#updates/${at.version}`,
    type: 'Update',
    actor,
    published: instant(at.now),
    ...addressingOf(config, facts),
    object: serialiseNote(config, at.now, facts),
  }
}

/** Builds an Update of an actor; `object` is its current document. */
export function updateActorActivity(actor: string, object: JsonLdObject, version: number): OutgoingActivity {
  return {
    id: fragmentActivityUri(actor, 'updates', version),
    type: 'Update',
    actor,
    to: [publicCollection],
    cc: [actorAddresses(actor).followers],
    object,
  }
}

/** Builds the Tombstone of a deleted object. */
export function tombstone(id: string, deletedAt?: Date): JsonLdObject {
  return { id, type: 'Tombstone', ...(deletedAt === undefined ? {} : { deleted: instant(deletedAt) }) }
}

export function deleteStatusActivity(actor: string, status: string): OutgoingActivity {
  return {
    id: `${status}#delete`,
    type: 'Delete',
    actor,
    to: [publicCollection],
    object: { ...tombstone(status), atomUri: status },
  }
}

/** Builds the Delete of an actor by itself. */
export function deleteActorActivity(actor: string): OutgoingActivity {
  return { id: `${actor}#delete`, type: 'Delete', actor, to: [publicCollection], object: actor }
}

/** An actor's interaction with an object, identified by its row. */
export interface InteractionFacts {
  readonly actor: string
  readonly id: number | string
  readonly object: string
}

export function likeActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'likes', id), type: 'Like', actor, object }
}

/** Builds a Like that its author approves, or is asked to, in the form of GoToSocial: addressed to them. */
export function approvedLikeActivity(
  like: InteractionFacts,
  { author, approval }: { readonly author: string; readonly approval: Approval | null },
): OutgoingActivity {
  return { ...likeActivity(like), to: [author], ...approvalProperties(approval, 'likeAuthorization') }
}

/** Builds an EmojiReact. `emoji` is a character, or `:shortcode:` with its picture as a tag from `emojiTag`. */
export function emojiReactActivity(
  { actor, id, object }: InteractionFacts,
  emoji: { readonly content: string; readonly tag: JsonLdObject | null; readonly author: string },
): OutgoingActivity {
  const { content, tag, author } = emoji
  return {
    id: fragmentActivityUri(actor, 'reactions', id),
    type: 'EmojiReact',
    actor,
    object,
    content,
    to: [author],
    tag: tag === null ? [] : [tag],
  }
}

export function followActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'follows', id), type: 'Follow', actor, object }
}

export function blockActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'blocks', id), type: 'Block', actor, object }
}

/** A Follow from a remote server, with its id if it had one that is still stored. */
export interface ReceivedFollow {
  readonly id: number
  readonly uri: string | null
  readonly follower: string
}

/** Builds an Accept by the followed. The whole Follow is inlined: not every server finds its own by id. */
export function acceptFollowActivity(actor: string, follow: ReceivedFollow): OutgoingActivity {
  return answer('Accept', actor, follow)
}

export function rejectFollowActivity(actor: string, follow: ReceivedFollow): OutgoingActivity {
  return answer('Reject', actor, follow)
}

function answer(
  type: 'Accept' | 'Reject',
  actor: string,
  { id, uri, follower }: ReceivedFollow,
): OutgoingActivity {
  const path = type === 'Accept' ? 'accepts' : 'rejects'
  const follow = {
    id: uri ?? fragmentActivityUri(follower, 'follows', id),
    type: 'Follow',
    actor: follower,
    object: actor,
  }
  return {
    id: fragmentActivityUri(actor, path, `follows/${id}`),
    type,
    actor,
    to: [follower],
    object: follow,
  }
}

/** Builds an Undo with the whole activity inlined, for the same addressees. */
export function undoActivity(activity: OutgoingActivity): OutgoingActivity {
  const { id, actor, to, cc } = activity
  return {
    id: undoUri(id),
    type: 'Undo',
    actor,
    ...(to === undefined ? {} : { to }),
    ...(cc === undefined ? {} : { cc }),
    object: activity,
  }
}

/** Builds a report about an account and some of its statuses. Names no reporter: the instance actor sends it. */
export function flagActivity(
  report: Omit<InteractionFacts, 'object'> & {
    readonly objects: readonly string[]
    readonly content: string
  },
): OutgoingActivity {
  const { actor, id, objects, content } = report
  return { id: fragmentActivityUri(actor, 'reports', id), type: 'Flag', actor, content, object: objects }
}

/** Builds the Move of an actor, addressed to its followers. */
export function moveActivity({ actor, id, object: target }: InteractionFacts): OutgoingActivity {
  return {
    id: fragmentActivityUri(actor, 'moves', id),
    type: 'Move',
    actor,
    object: actor,
    target,
    to: [actorAddresses(actor).followers],
  }
}

/** Builds an Add of a status or a hashtag object to the actor's featured collection. */
export function addActivity(actor: string, id: string, object: string | JsonLdObject): OutgoingActivity {
  return inFeatured('Add', actor, id, object)
}

export function removeActivity(actor: string, id: string, object: string | JsonLdObject): OutgoingActivity {
  return inFeatured('Remove', actor, id, object)
}

function inFeatured(
  type: 'Add' | 'Remove',
  actor: string,
  id: string,
  object: string | JsonLdObject,
): OutgoingActivity {
  const { featured, followers } = actorAddresses(actor)
  return {
    id: fragmentActivityUri(actor, 'pins', `${id}/${type.toLowerCase()}`),
    type,
    actor,
    to: [publicCollection],
    cc: [followers],
    object,
    target: featured,
  }
}

/**
 * Builds a vote for one choice in a remote poll: a note of the choice's name, for the poll's author alone. Several
 * choices need several votes.
 */
export function voteActivity(vote: {
  readonly actor: string
  readonly pollId: number
  readonly index: number
  readonly choice: string
  readonly question: string
  readonly author: string
}): OutgoingActivity {
  const { actor, choice, question, author } = vote
  const id = fragmentActivityUri(actor, 'votes', `${vote.pollId}/${vote.index}`)
  const to = [author]
  const note = { id, type: 'Note', attributedTo: actor, name: choice, inReplyTo: question, to }
  return { id: activityUri(id), type: 'Create', actor, to, object: note }
}
