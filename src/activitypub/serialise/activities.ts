import type { Config } from '../../config'
import { activityUri, actorAddresses, fragmentActivityUri, undoUri } from '../../lib/addresses'
import type { NoteFacts } from '../../view/load/notes'
import { addressingOf } from './audience'
import { instant, type JsonLdObject, publicCollection } from './document'
import { serialiseNote } from './note'

/** An activity, without context: `withContext` makes it one to send. */
export interface OutgoingActivity extends JsonLdObject {
  readonly id: string
  readonly type: string
  readonly actor: string
}

/** What made a status: its Create, or the Announce that a reblog is. */
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

/** The Announce of a reblog; throws for what is none. */
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
    ...(status.approval?.state === 'accepted' && status.approval.uri !== null
      ? { announceAuthorization: status.approval.uri }
      : {}),
  }
}

/** `version` tells edits apart: milliseconds, or the number of the poll's votes. */
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

/** `object` is the actor's document as it is now. */
export function updateActorActivity(actor: string, object: JsonLdObject, version: number): OutgoingActivity {
  return {
    ...{ id: fragmentActivityUri(actor, 'updates', version), type: 'Update', actor },
    ...{ to: [publicCollection], cc: [actorAddresses(actor).followers], object },
  }
}

/** What stands where a status was. */
export function tombstone(id: string, deletedAt?: Date): JsonLdObject {
  return { id, type: 'Tombstone', ...(deletedAt === undefined ? {} : { deleted: instant(deletedAt) }) }
}

export function deleteStatusActivity(actor: string, status: string): OutgoingActivity {
  return {
    ...{ id: `${status}#delete`, type: 'Delete', actor },
    ...{ to: [publicCollection], object: { ...tombstone(status), atomUri: status } },
  }
}

/** The actor deletes itself. */
export function deleteActorActivity(actor: string): OutgoingActivity {
  return { id: `${actor}#delete`, type: 'Delete', actor, to: [publicCollection], object: actor }
}

/** A deed of one actor towards another's thing, known by the row it left. */
export interface InteractionFacts {
  readonly actor: string
  readonly id: number | string
  readonly object: string
}

export function likeActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'likes', id), type: 'Like', actor, object }
}

/** `emoji` is a character, or `:shortcode:` with its picture as the tag `emojiTag` makes. */
export function emojiReactActivity(
  { actor, id, object }: InteractionFacts,
  emoji: { readonly content: string; readonly tag: JsonLdObject | null; readonly author: string },
): OutgoingActivity {
  const { content, tag, author } = emoji
  return {
    ...{ id: fragmentActivityUri(actor, 'reactions', id), type: 'EmojiReact', actor, object, content },
    ...{ to: [author], tag: tag === null ? [] : [tag] },
  }
}

export function followActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'follows', id), type: 'Follow', actor, object }
}

export function blockActivity({ actor, id, object }: InteractionFacts): OutgoingActivity {
  return { id: fragmentActivityUri(actor, 'blocks', id), type: 'Block', actor, object }
}

/** A Follow another server sent: its id where it had one that is still known. */
export interface ReceivedFollow {
  readonly id: number
  readonly uri: string | null
  readonly follower: string
}

/** The answer of the followed. The whole Follow goes with it: not every server finds its own by id. */
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
  const deed = type === 'Accept' ? 'accepts' : 'rejects'
  const follow = {
    id: uri ?? fragmentActivityUri(follower, 'follows', id),
    type: 'Follow',
    actor: follower,
    object: actor,
  }
  return {
    id: fragmentActivityUri(actor, deed, `follows/${id}`),
    type,
    actor,
    to: [follower],
    object: follow,
  }
}

/** Takes back an activity, which goes with it whole; `to` it went to is where this goes. */
export function undoActivity(activity: OutgoingActivity): OutgoingActivity {
  const { id, actor, to, cc } = activity
  return {
    ...{ id: undoUri(id), type: 'Undo', actor },
    ...(to === undefined ? {} : { to }),
    ...(cc === undefined ? {} : { cc }),
    object: activity,
  }
}

/** A report about an account and some of its statuses. It names no reporter: the instance actor sends it. */
export function flagActivity(
  report: Omit<InteractionFacts, 'object'> & {
    readonly objects: readonly string[]
    readonly content: string
  },
): OutgoingActivity {
  const { actor, id, objects, content } = report
  return { id: fragmentActivityUri(actor, 'reports', id), type: 'Flag', actor, content, object: objects }
}

/** Tells followers that the actor is another one now. */
export function moveActivity({ actor, id, object: target }: InteractionFacts): OutgoingActivity {
  return {
    ...{ id: fragmentActivityUri(actor, 'moves', id), type: 'Move', actor, object: actor, target },
    to: [actorAddresses(actor).followers],
  }
}

/** A status goes into the actor's featured collection, or a hashtag given as the object. */
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
    ...{ id: fragmentActivityUri(actor, 'pins', `${id}/${type.toLowerCase()}`), type, actor },
    ...{ to: [publicCollection], cc: [followers], object, target: featured },
  }
}

/**
 * One choice in another server's poll: a note of the choice's name, for the author of the poll alone. Several
 * choices are several of these.
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
