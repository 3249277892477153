import { ignored, type Outcome } from '../../domain/core/outcome'
import { receiveLike, receiveReaction } from '../../domain/interactions/receive-like'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { type RemoteReaction, readReaction } from '../vocab/reactions'

/** Remote account favourites a status or, in Misskey's form, reacts to it. */
export async function like(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const statusUri = activity.object?.id ?? null
  if (statusUri === null) return ignored('likes no identifiable status')
  const interaction = { uri: activity.id, statusUri }
  const reaction = readReaction(activity)
  // A reaction that cannot be shown still counts as a favourite.
  return reaction === null || isUnwanted(signer, reaction)
    ? receiveLike(ctx, signer, interaction)
    : receiveReaction(ctx, signer, { ...interaction, ...reaction })
}

/** Remote account reacts to a status with an emoji. */
export async function emojiReact(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const statusUri = activity.object?.id ?? null
  const reaction = readReaction(activity)
  if (statusUri === null || reaction === null) return ignored('reacts with no readable emoji')
  if (isUnwanted(signer, reaction))
    return ignored('reacts with a picture of a server whose media are rejected')
  return receiveReaction(ctx, signer, { uri: activity.id, statusUri, ...reaction })
}

function isUnwanted({ limit }: Signer, { emoji }: RemoteReaction): boolean {
  return emoji !== null && limit?.rejectMedia === true
}
