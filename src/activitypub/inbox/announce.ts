import type { Ctx } from '../../context'
import type { Visibility } from '../../db/schema/statuses'
import { ignored, type Outcome } from '../../domain/outcome'
import { receiveReblog } from '../../domain/statuses/receive-reblog'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'
import { isAddressed, visibilityOf } from '../vocab/audience'

/** Somebody elsewhere shares a status. Only what it names counts: a copy that comes along proves nothing. */
export async function announce(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const { id: uri, object, published } = activity
  const statusUri = object?.id ?? null
  if (uri === null || statusUri === null) return ignored('shares nothing that can be told')
  const visibility = visibilityFor(signer, activity)
  if (visibility === 'direct') return ignored('shares for nobody to see')
  const now = ctx.clock.now()
  const publishedAt = published === null || published > now ? now : published
  return receiveReblog(ctx, signer, { uri, statusUri, visibility, publishedAt })
}

/** Some address a share to nobody and mean everybody. */
function visibilityFor(signer: Signer, activity: Activity): Visibility {
  return isAddressed(activity) ? visibilityOf(activity, signer.followers) : 'public'
}
