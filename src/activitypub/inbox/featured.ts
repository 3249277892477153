import type { Ctx } from '../../context'
import { receiveCollectionGone, receiveMemberGone } from '../../domain/collections/remote'
import {
  receiveFeaturedTag,
  receiveUnfeaturedTag,
  type TagFeaturing,
} from '../../domain/featured-tags/receive'
import { ignored, type Outcome } from '../../domain/outcome'
import { type Featuring, receivePin, receiveUnpin } from '../../domain/statuses/receive-pin'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'
import { featuredIn } from '../vocab/featured'
import { featuredTagIn } from '../vocab/tags'
import { localTarget } from './handler'

/** Somebody elsewhere pinned a post of theirs, or put a hashtag on their profile. */
export async function add(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const tag = tagIn(activity)
  if (tag !== null) return receiveFeaturedTag(ctx, signer, tag)
  const featuring = featuringIn(activity)
  return featuring === null ? ignored('adds nothing that can be told') : receivePin(ctx, signer, featuring)
}

/** Somebody elsewhere took a pin or a hashtag back. */
export async function remove(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const tag = tagIn(activity)
  if (tag !== null) return receiveUnfeaturedTag(ctx, signer, tag)
  const memberGone = memberTakenOut(ctx, activity)
  if (memberGone !== null) return receiveMemberGone(ctx, signer, memberGone)
  const featuring = featuringIn(activity)
  if (featuring === null) return ignored('removes nothing that can be told')
  const unpinned = await receiveUnpin(ctx, signer, featuring)
  if (unpinned.kind !== 'ignored') return unpinned
  // What is no pin may be a collection of accounts that is no more.
  return (await receiveCollectionGone(ctx, signer, featuring.statusUri)) ?? unpinned
}

/** One of ours whom they took out of a collection of theirs (FEP-7aa9). */
function memberTakenOut(ctx: Ctx, { object, target }: Activity) {
  const username = localTarget(ctx, featuredIn(object?.document ?? null))
  const collectionUri = target?.id ?? null
  return username === null || collectionUri === null ? null : { collectionUri, username }
}

function featuringIn({ object, target }: Activity): Featuring | null {
  const statusUri = object?.id ?? null
  const collection = target?.id ?? null
  return statusUri === null || collection === null ? null : { statusUri, collection }
}

function tagIn({ object, target }: Activity): TagFeaturing | null {
  const name = featuredTagIn(object)
  const collection = target?.id ?? null
  return name === null || collection === null ? null : { name, collection }
}
