import { receiveFeatureRevocation } from '../../domain/collections/receive-answer'
import { ignored, type Outcome, rejected } from '../../domain/core/outcome'
import { receiveQuoteRevocation } from '../../domain/statuses/quotes/receive-quote-answer'
import { receiveDelete } from '../../domain/statuses/remote/receive-delete'
import { sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { hasType } from '../vocab/json'

/** Remote account deletes its status. Objects on other servers cannot be deleted. */
export async function deletePost(ctx: Ctx, signer: Signer, { object }: Activity): Promise<Outcome> {
  const uri = object?.id ?? null
  if (uri === null) return ignored('deletes no identifiable object')
  if (!sameOrigin(uri, signer.uri)) return rejected('deletes an object of another server')
  // Mastodon names a revoked consent by its id alone, and statuses by a Tombstone.
  const document = object?.document ?? null
  if (document === null || hasType(document, 'QuoteAuthorization')) {
    const revoked = await receiveQuoteRevocation(ctx, signer, uri)
    if (revoked !== null) return revoked
  }
  if (document === null || hasType(document, 'FeatureAuthorization')) {
    const revoked = await receiveFeatureRevocation(ctx, signer, uri)
    if (revoked !== null) return revoked
  }
  return receiveDelete(ctx, signer, uri)
}
