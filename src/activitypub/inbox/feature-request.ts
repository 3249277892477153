import { receiveFeatureRequest } from '../../domain/collections/receive-request'
import { done, ignored, rejected } from '../../domain/core/outcome'
import { sameOrigin } from '../../lib/web-address'
import { type InboxHandler, localUsernameOf } from './handler'

/** Remote account asks to add a local one to a collection. An unknown collection is fetched by a job. */
export const featureRequest: InboxHandler = async (ctx, signer, { id: uri, object, instrument }) => {
  const username = localUsernameOf(ctx, object?.id ?? null)
  const collectionUri = instrument?.id ?? null
  if (uri === null || username === null || collectionUri === null)
    return ignored('requests to feature no local account')
  if (!sameOrigin(collectionUri, signer.uri)) return rejected('requests an object of another server')
  const request = { uri, username, collectionUri }
  const answered = await receiveFeatureRequest(ctx, signer, request)
  if (answered !== null) return answered
  await ctx.jobs.send({ kind: 'answer-feature-request', accountId: signer.id, ...request })
  return done
}
