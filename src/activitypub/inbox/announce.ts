import type { Visibility } from '../../db/schema/statuses'
import { ignored, type Outcome } from '../../domain/core/outcome'
import { receiveReblog } from '../../domain/interactions/receive-reblog'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { isAddressed, visibilityOf } from '../vocab/audience'
import { refetchForwarded } from './forwarded'
import { readOwnPost } from './own-post'
import { passedOnActivity, rebloggedUri } from './reblogged-uri'
import { receiveRelayed } from './relays'

/**
 * Remote account reblogs a status. Only the object id counts: an inlined copy proves nothing, unless actors reblog a
 * status of their own. Mastodon sends followers-only ones that way, which cannot be fetched. Relays reblog nothing. Groups
 * pass on what their members write: an Update or a Delete leads to the server of its object.
 */
export async function announce(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  if (signer.relay !== null) return receiveRelayed(ctx, signer.relay, activity)
  const { id: uri, object, published } = activity
  const passedOn = object === null ? null : passedOnActivity(object)
  // A group is no proof of what its members do: their own server is asked.
  if (passedOn?.type === 'Update' || passedOn?.type === 'Delete')
    return refetchForwarded(ctx, passedOn, signer)
  const statusUri = object === null ? null : rebloggedUri(object, passedOn)
  if (uri === null || object === null || statusUri === null) return ignored('reblogs no identifiable status')
  const visibility = visibilityFor(signer, activity)
  if (visibility === 'direct') return ignored('reblogs with direct visibility')
  const now = ctx.clock.now()
  const publishedAt = published === null || published > now ? now : published
  const inlined = readOwnPost(signer, object, now)
  return receiveReblog(ctx, signer, { uri, statusUri, visibility, publishedAt, inlined })
}

/** Visibility of a reblog. Some servers address a reblog to no recipient and mean public. */
function visibilityFor(signer: Signer, activity: Activity): Visibility {
  return isAddressed(activity) ? visibilityOf(activity, signer.followers) : 'public'
}
