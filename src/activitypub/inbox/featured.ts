import type { Ctx } from '../../context'
import {
  receiveFeaturedTag,
  receiveUnfeaturedTag,
  type TagFeaturing,
} from '../../domain/featured-tags/receive'
import { ignored, type Outcome } from '../../domain/outcome'
import { type Featuring, receivePin, receiveUnpin } from '../../domain/statuses/receive-pin'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'
import { featuredTagIn } from '../vocab/tags'

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
  const featuring = featuringIn(activity)
  return featuring === null
    ? ignored('removes nothing that can be told')
    : receiveUnpin(ctx, signer, featuring)
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
