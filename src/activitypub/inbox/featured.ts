import type { Ctx } from '../../context'
import { ignored, type Outcome } from '../../domain/outcome'
import { type Featuring, receivePin, receiveUnpin } from '../../domain/statuses/receive-pin'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'

/** Somebody elsewhere pinned a post of theirs. */
export async function add(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const featuring = featuringIn(activity)
  return featuring === null ? ignored('adds nothing that can be told') : receivePin(ctx, signer, featuring)
}

/** Somebody elsewhere took a pin back. */
export async function remove(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
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
