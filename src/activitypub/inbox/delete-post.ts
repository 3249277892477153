import type { Ctx } from '../../context'
import { ignored, type Outcome, rejected } from '../../domain/outcome'
import { receiveDelete } from '../../domain/statuses/receive-delete'
import { sameOrigin } from '../../lib/web-address'
import type { Signer } from '../keys'
import type { Activity } from '../vocab/activity'

/** Somebody elsewhere deleted a post of theirs. Nobody deletes what is on another server. */
export async function deletePost(ctx: Ctx, signer: Signer, { object }: Activity): Promise<Outcome> {
  const uri = object?.id ?? null
  if (uri === null) return ignored('deletes nothing that can be told')
  if (!sameOrigin(uri, signer.uri)) return rejected('deletes what is on another server')
  return receiveDelete(ctx, signer, uri)
}
