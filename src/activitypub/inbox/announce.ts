import type { Visibility } from '../../db/schema/statuses'
import { ignored, type Outcome } from '../../domain/core/outcome'
import { receiveReblog } from '../../domain/interactions/receive-reblog'
import type { Ctx } from '../../platform/ports'
import type { Signer } from '../find-signer'
import { type Activity, readActivity } from '../vocab/activity'
import { isAddressed, visibilityOf } from '../vocab/audience'
import type { Reference } from '../vocab/json'
import { readOwnPost } from './own-post'

/**
 * Remote account reblogs a status. Only the object id counts: an inlined copy proves nothing, unless actors reblog a
 * status of their own. Mastodon sends followers-only ones that way, which cannot be fetched.
 */
export async function announce(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const { id: uri, object, published } = activity
  const statusUri = object === null ? null : sharedBy(object)
  if (uri === null || object === null || statusUri === null) return ignored('reblogs no identifiable status')
  const visibility = visibilityFor(signer, activity)
  if (visibility === 'direct') return ignored('reblogs with direct visibility')
  const now = ctx.clock.now()
  const publishedAt = published === null || published > now ? now : published
  const inlined = readOwnPost(signer, object, now)
  return receiveReblog(ctx, signer, { uri, statusUri, visibility, publishedAt, inlined })
}

/**
 * Id of the reblogged status. Lemmy groups announce the activities of their members: only a Create counts as a
 * reblog, and votes by the thousand must not be fetched.
 */
function sharedBy({ id, document }: Reference): string | null {
  const inner = document === null ? null : readActivity(document)
  if (inner === null || inner.type === 'Unknown') return id
  return inner.type === 'Create' ? (inner.object?.id ?? null) : null
}

/** Visibility of a reblog. Some servers address a reblog to no recipient and mean public. */
function visibilityFor(signer: Signer, activity: Activity): Visibility {
  return isAddressed(activity) ? visibilityOf(activity, signer.followers) : 'public'
}
