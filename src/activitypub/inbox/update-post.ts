import { receiveCollection } from '../../domain/collections/remote'
import { done, ignored, type Outcome, rejected } from '../../domain/core/outcome'
import { receiveEdit } from '../../domain/statuses/remote/receive-edit'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { readFeaturedCollection } from '../vocab/featured-collections'
import { isStatusDocument, readStatus } from '../vocab/status'
import { isUnreadable } from '../vocab/unreadable'

/** Remote account edits its status, or its poll has new counts. Statuses of other authors cannot be edited. */
export async function updatePost(ctx: Ctx, signer: Signer, activity: Activity): Promise<Outcome> {
  const { object } = activity
  if (object === null) return ignored('updates no identifiable object')
  if (object.id === null || !sameOrigin(object.id, signer.uri))
    return rejected('updates an object of another server')
  if (object.document === null) {
    await ctx.jobs.send({ kind: 'refetch-object', uri: object.id })
    return done
  }
  const collection = readFeaturedCollection(object.document, ctx.clock.now())
  if (collection !== null)
    return collection.author === signer.uri
      ? receiveCollection(ctx, signer, collection)
      : rejected('updates a collection of another actor')
  if (!isStatusDocument(object.document)) return ignored('updates an unsupported object')
  const status = readStatus(object.document, {
    authorFollowers: signer.followers,
    audience: activity,
    actor: signer.uri,
    now: ctx.clock.now(),
  })
  if (isUnreadable(status)) return rejected(status.unreadable)
  if (status.author !== signer.uri) return rejected('changes what somebody else wrote')
  return receiveEdit(ctx, signer, status)
}
