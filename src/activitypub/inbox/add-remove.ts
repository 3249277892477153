import { execute } from '../../db/query'
import { receiveCollectionDelete, receiveMemberRemoval } from '../../domain/collections/remote'
import { done, ignored, type Outcome, rejected } from '../../domain/core/outcome'
import {
  type RemoteFeaturedTag,
  receiveFeaturedTag,
  receiveUnfeaturedTag,
} from '../../domain/featured-tags/receive'
import { type ReceivedPin, receivePin, receiveUnpin } from '../../domain/interactions/receive-pin'
import { isFollowedHere } from '../../domain/statuses/remote/find-remote'
import { importStatus } from '../../domain/statuses/remote/import'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import { outcomeOf } from '../outcome-of'
import type { Activity } from '../vocab/activity'
import { featuredIn } from '../vocab/featured-collections'
import { featuredTagIn } from '../vocab/tags'
import { localUsernameOf } from './handler'
import { readOwnPost } from './own-post'

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
