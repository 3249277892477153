import { instanceActorUri } from '../../contract/addresses'
import { instanceActorId } from '../../contract/ids'
import { execute } from '../../db/query'
import { deleteRemoteAccount } from '../../domain/accounts/delete-remote'
import { localAccountId } from '../../domain/accounts/find'
import { importAccount } from '../../domain/accounts/import'
import { receiveCollectionDelete, receiveMemberRemoval } from '../../domain/collections/remote'
import { done, ignored, type Outcome, rejected, retry } from '../../domain/core/changes'
import {
  type RemoteFeaturedTag,
  receiveFeaturedTag,
  receiveUnfeaturedTag,
} from '../../domain/featured-tags/feature'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/keys'
import { type ReceivedPin, receivePin, receiveUnpin } from '../../domain/interactions/pin'
import { receiveBlock } from '../../domain/relationships/block'
import { findMoveFacts, receiveMove } from '../../domain/relationships/move-followers'
import { receiveFollow, refuseFollow } from '../../domain/relationships/receive-follow'
import { receiveReport } from '../../domain/reports/receive'
import { isFollowedHere } from '../../domain/statuses/remote/find-remote'
import { importStatus } from '../../domain/statuses/remote/import'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { fetchActor, importActor, storeActor } from '../actors'
import type { Signer } from '../verify-request'
import { type Activity, isPublic, readFlag } from '../vocab/activity'
import { readActor } from '../vocab/actor'
import { featuredIn } from '../vocab/collections'
import { firstOf, isUnreadable } from '../vocab/json'
import { featuredTagIn } from '../vocab/tags'
import { type InboxHandler, localUsernameOf, outcomeOf, readOwnPost } from './handler'

/**
 * Remote actor follows a local account. Relays and gateways follow the public collection or the server itself: the
 * instance actor rejects these, so that the request does not stay open for ever.
 */
export const follow: InboxHandler = async (ctx, signer, activity) => {
  const { id: uri, object, raw } = activity
  const toAll = isPublic(firstOf(raw['object']))
  if (toAll || object?.id === instanceActorUri(ctx.config.origin)) {
    await ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
    return refuseFollow(ctx, signer, { target: instanceActorId, uri })
  }
  const username = localUsernameOf(ctx, object?.id ?? null)
  if (username === null) return ignored('follows no local account')
  return receiveFollow(ctx, signer, { username, uri, fromLimited: signer.limit?.severity === 'silence' })
}

/** Remote account blocks a local one, which is not notified and no longer sees it. */
export const block: InboxHandler = async (ctx, signer, { id: uri, object }) => {
  const username = localUsernameOf(ctx, object?.id ?? null)
  return username === null ? ignored('blocks no local account') : receiveBlock(ctx, signer, { username, uri })
}

const retryAfterSeconds = 600

/** Targets fetched for one actor in an hour: the actor chooses their hosts. Retries after a failure count as well. */
const maxMoves = 6
const movesSeconds = 3_600

/**
 * Remote account with local followers moves. The target is refetched, for it has to name the old account in
 * `alsoKnownAs`. Moves without local followers are ignored.
 */
export const move: InboxHandler = async (ctx, signer, { id: uri, object, target }) => {
  const to = target?.id ?? null
  if (object?.id !== signer.uri || to === null) return rejected('moves another actor, or has no target')
  const { followed, resting } = await findMoveFacts(ctx, signer.id)
  if (!followed) return ignored('moves without local followers')
  if (resting) return rejected('moved a short while ago')
  const username = localUsernameOf(ctx, to)
  if (username !== null) {
    const id = await execute(ctx.db, localAccountId(ctx, username))
    return id === null
      ? rejected('moves to no existing account')
      : receiveMove(ctx, signer, { target: id, uri })
  }
  if (ctx.memory.increment(`moves of ${signer.id}`, movesSeconds) > maxMoves)
    return rejected('moves too often')
  const fetched = await fetchActor(ctx, to)
  // Checked before storing: an account named against its will need not be stored.
  if (fetched.kind === 'found' && !fetched.actor.alsoKnownAs.includes(signer.uri))
    return rejected('the target of the move does not list the account as an alias')
  const stored = fetched.kind === 'found' ? await storeActor(ctx, fetched.actor) : fetched
  switch (stored.kind) {
    case 'stored':
      return receiveMove(ctx, signer, { target: stored.id, uri })
    case 'unreachable':
      return retry(retryAfterSeconds)
    default:
      return rejected('moves to an actor that cannot be fetched')
  }
}

/**
 * Remote account updates its profile. A copy signed by the described actor itself is as good as the document at its
 * address; without a copy the address is fetched.
 */
export const updateActor: InboxHandler = async (ctx, signer, { object }) => {
  const copy = object?.document ?? null
  if (copy === null)
    return (await importActor(ctx, signer.uri)) === null ? ignored('its actor cannot be fetched') : done
  const actor = readActor(copy, ctx.clock.now())
  if (isUnreadable(actor)) return rejected(actor.unreadable)
  const stored = await importAccount(ctx, { ...actor, domain: signer.domain })
  return stored.kind === 'stored' ? done : rejected('reason' in stored ? stored.reason : stored.kind)
}

/** Remote account deletes itself. Its signature is proof enough, even where its address still answers. */
export const deleteActor: InboxHandler = async (ctx, signer) => {
  await deleteRemoteAccount(ctx, signer.id)
  return done
}

/** Remote server reports local accounts to the moderators, unless its reports are rejected. */
export const flag: InboxHandler = async (ctx, signer, activity) => {
  if (signer.limit?.rejectReports === true) return ignored('reports of its server are rejected')
  const read = readFlag(activity)
  return read === null
    ? ignored('reports nothing')
    : receiveReport(ctx, signer, { ...read, uri: activity.id })
}

/** Remote account pins a status or features a hashtag. */
export async function add(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const tag = tagIn(activity)
  if (tag !== null) return receiveFeaturedTag(ctx, signer, tag)
  const featuring = featuringIn(activity)
  if (featuring === null) return ignored('adds no identifiable object')
  return (await receivePin(ctx, signer, featuring)) ?? pinUnknown(ctx, signer, { activity, featuring })
}

interface UnknownPin {
  readonly activity: Activity
  readonly featuring: ReceivedPin
}

/** Imports an unknown pinned status: from the inlined copy, else by a job if the author has local followers. */
async function pinUnknown(ctx: Ctx, signer: Signer, { activity, featuring }: UnknownPin): Promise<Outcome> {
  if (!sameOrigin(featuring.statusUri, signer.uri)) return rejected('pins an object of another server')
  if (!(await execute(ctx.db, isFollowedHere(ctx, signer.id)))) return ignored('nobody concerned')
  const post = activity.object === null ? null : readOwnPost(signer, activity.object, ctx.clock.now())
  if (post === null) {
    await ctx.jobs.send({ kind: 'fetch-pinned-status', accountId: signer.id, ...featuring })
    return done
  }
  const imported = await importStatus(ctx, signer.id, { status: post, occasion: 'fetched' })
  if (imported.kind !== 'stored' && imported.kind !== 'duplicate') return outcomeOf(imported)
  return (await receivePin(ctx, signer, featuring)) ?? ignored('pins a deleted status')
}

/** Remote account removes a pin or featured hashtag. */
export async function remove(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const tag = tagIn(activity)
  if (tag !== null) return receiveUnfeaturedTag(ctx, signer, tag)
  const memberGone = memberTakenOut(ctx, activity)
  if (memberGone !== null) return receiveMemberRemoval(ctx, signer, memberGone)
  const featuring = featuringIn(activity)
  if (featuring === null) return ignored('removes no identifiable object')
  const unpinned = await receiveUnpin(ctx, signer, featuring)
  if (unpinned.kind !== 'ignored') return unpinned
  // Object may be a deleted collection of accounts instead of a pin.
  return (await receiveCollectionDelete(ctx, signer, featuring.statusUri)) ?? unpinned
}

/** Local account removed from a remote collection (FEP-7aa9). */
function memberTakenOut(ctx: Ctx, { object, target }: Activity) {
  const username = localUsernameOf(ctx, featuredIn(object?.document ?? null))
  const collectionUri = target?.id ?? null
  return username === null || collectionUri === null ? null : { collectionUri, username }
}

function featuringIn({ object, target }: Activity): ReceivedPin | null {
  const statusUri = object?.id ?? null
  const collection = target?.id ?? null
  return statusUri === null || collection === null ? null : { statusUri, collection }
}

function tagIn({ object, target }: Activity): RemoteFeaturedTag | null {
  const name = featuredTagIn(object)
  const collection = target?.id ?? null
  return name === null || collection === null ? null : { name, collection }
}
