import type { Config } from '../../config'
import { activityUri, actorAddresses, deedUri, undoUri } from '../../lib/addresses'
import type { NoteFacts } from '../../view/load/notes'
import { audienceOf } from './audience'
import { instant, publicCollection, type Thing } from './document'
import { serialiseNote } from './note'

/** An activity, without context: `documentOf` makes it one to send. */
export interface Activity extends Thing {
  readonly id: string
  readonly type: string
  readonly actor: string
}

/** What made a status: its Create, or the Announce that a reblog is. */
export function madeBy(config: Config, now: Date, facts: NoteFacts): Activity {
  return facts.shared === null ? createActivity(config, now, facts) : announceActivity(config, facts)
}

export function createActivity(config: Config, now: Date, facts: NoteFacts): Activity {
  const { status, uri, actor } = facts
  return {
    id: activityUri(uri),
    type: 'Create',
    actor,
    published: instant(status.createdAt),
    ...audienceOf(config, facts),
    object: serialiseNote(config, now, facts),
  }
}

/** The Announce of a reblog; throws for what is none. */
export function announceActivity(config: Config, facts: NoteFacts): Activity {
  const { status, uri, actor, shared } = facts
  if (shared === null) throw new Error('Only a reblog is announced')
  return {
    id: activityUri(uri),
    type: 'Announce',
    actor,
    published: instant(status.createdAt),
    ...audienceOf(config, facts),
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
): Activity {
  const { uri, actor } = facts
  return {
    id: `${uri}#updates/${at.version}`,
    type: 'Update',
    actor,
    published: instant(at.now),
    ...audienceOf(config, facts),
    object: serialiseNote(config, at.now, facts),
  }
}

/** `object` is the actor's document as it is now. */
export function updateActorActivity(actor: string, object: Thing, version: number): Activity {
  return {
    ...{ id: deedUri(actor, 'updates', version), type: 'Update', actor },
    ...{ to: [publicCollection], cc: [actorAddresses(actor).followers], object },
  }
}

/** What stands where a status was. */
export function tombstone(id: string, deletedAt?: Date): Thing {
  return { id, type: 'Tombstone', ...(deletedAt === undefined ? {} : { deleted: instant(deletedAt) }) }
}

export function deleteStatusActivity(actor: string, status: string): Activity {
  return {
    ...{ id: `${status}#delete`, type: 'Delete', actor },
    ...{ to: [publicCollection], object: { ...tombstone(status), atomUri: status } },
  }
}

/** The actor deletes itself. */
export function deleteActorActivity(actor: string): Activity {
  return { id: `${actor}#delete`, type: 'Delete', actor, to: [publicCollection], object: actor }
}

/** A deed of one actor towards another's thing, known by the row it left. */
export interface Deed {
  readonly actor: string
  readonly id: number | string
  readonly object: string
}

export function likeActivity({ actor, id, object }: Deed): Activity {
  return { id: deedUri(actor, 'likes', id), type: 'Like', actor, object }
}

/** `emoji` is a character, or `:shortcode:` with its picture as the tag `emojiTag` makes. */
export function emojiReactActivity(
  { actor, id, object }: Deed,
  emoji: { readonly content: string; readonly tag: Thing | null; readonly author: string },
): Activity {
  const { content, tag, author } = emoji
  return {
    ...{ id: deedUri(actor, 'reactions', id), type: 'EmojiReact', actor, object, content },
    ...{ to: [author], tag: tag === null ? [] : [tag] },
  }
}

export function followActivity({ actor, id, object }: Deed): Activity {
  return { id: deedUri(actor, 'follows', id), type: 'Follow', actor, object }
}

export function blockActivity({ actor, id, object }: Deed): Activity {
  return { id: deedUri(actor, 'blocks', id), type: 'Block', actor, object }
}

/** A Follow another server sent: its id where it had one that is still known. */
export interface ReceivedFollow {
  readonly id: number
  readonly uri: string | null
  readonly follower: string
}

/** The answer of the followed. The whole Follow goes with it: not every server finds its own by id. */
export function acceptFollowActivity(actor: string, follow: ReceivedFollow): Activity {
  return answer('Accept', actor, follow)
}

export function rejectFollowActivity(actor: string, follow: ReceivedFollow): Activity {
  return answer('Reject', actor, follow)
}

function answer(type: 'Accept' | 'Reject', actor: string, { id, uri, follower }: ReceivedFollow): Activity {
  const deed = type === 'Accept' ? 'accepts' : 'rejects'
  const follow = {
    id: uri ?? deedUri(follower, 'follows', id),
    type: 'Follow',
    actor: follower,
    object: actor,
  }
  return { id: deedUri(actor, deed, `follows/${id}`), type, actor, to: [follower], object: follow }
}

/** Takes back an activity, which goes with it whole; `to` it went to is where this goes. */
export function undoActivity(activity: Activity): Activity {
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
  report: Omit<Deed, 'object'> & { readonly objects: readonly string[]; readonly content: string },
): Activity {
  const { actor, id, objects, content } = report
  return { id: deedUri(actor, 'reports', id), type: 'Flag', actor, content, object: objects }
}

/** Tells followers that the actor is another one now. */
export function moveActivity({ actor, id, object: target }: Deed): Activity {
  return {
    ...{ id: deedUri(actor, 'moves', id), type: 'Move', actor, object: actor, target },
    to: [actorAddresses(actor).followers],
  }
}

/** A status goes into the actor's featured collection, or a hashtag given as the object. */
export function addActivity(actor: string, id: string, object: string | Thing): Activity {
  return inFeatured('Add', actor, id, object)
}

export function removeActivity(actor: string, id: string, object: string | Thing): Activity {
  return inFeatured('Remove', actor, id, object)
}

function inFeatured(type: 'Add' | 'Remove', actor: string, id: string, object: string | Thing): Activity {
  const { featured, followers } = actorAddresses(actor)
  return {
    ...{ id: deedUri(actor, 'pins', `${id}/${type.toLowerCase()}`), type, actor },
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
}): Activity {
  const { actor, choice, question, author } = vote
  const id = deedUri(actor, 'votes', `${vote.pollId}/${vote.index}`)
  const to = [author]
  const note = { id, type: 'Note', attributedTo: actor, name: choice, inReplyTo: question, to }
  return { id: activityUri(id), type: 'Create', actor, to, object: note }
}
