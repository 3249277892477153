import { execute } from '../../db/query'
import { collectionItems } from '../../db/schema'
import type { AccountId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { notify } from '../notifications/notify'
import { featurePolicyOf, mayFeature } from '../policy/featuring'
import { type RequestFacts, requestFacts } from './find-federated'

/** A request for consent to be in a collection (FEP-7aa9). */
export interface FeatureRequest {
  readonly uri: string
  /** A local account. */
  readonly username: string
  /** On the requester's server. */
  readonly collectionUri: string
}

/**
 * Handles a remote account's request to feature a local one. Answered at once, by whether the local account is
 * discoverable, and the local account is notified. Null when the collection is not stored yet; consent is stored with
 * it.
 *
 * A repeated request gets the same answer; an account that revoked its consent is not asked again. Emits
 * `feature.answered`.
 */
export async function receiveFeatureRequest(
  ctx: Ctx,
  sender: RemoteSender,
  request: FeatureRequest,
): Promise<Outcome | null> {
  const facts = await execute(ctx.db, requestFacts(ctx, sender.id, request))
  const { candidate, collection, item } = facts
  if (candidate === null) return ignored('requests to feature an unknown account')
  if (!acceptsFeaturing(facts, candidate)) return answer(ctx, sender, { request, candidate, itemId: null })
  if (collection === null) return null
  if (collection.accountId !== sender.id) return rejected('requests for a collection of another account')
  if (item !== null) return answer(ctx, sender, { request, candidate, itemId: item.id })
  const itemId = ctx.ids.next()
  const changes = new Changes().add(
    ctx.db
      .insert(collectionItems)
      .values({
        id: itemId,
        collectionId: collection.id,
        accountId: candidate.id,
        state: 'accepted',
        createdAt: ctx.clock.now(),
      })
      .onConflictDoNothing({ target: [collectionItems.collectionId, collectionItems.accountId] }),
  )
  const about = { type: 'added_to_collection', statusId: null, subjectId: itemId } as const
  notify(ctx, changes, [{ ...about, to: candidate.id, from: sender.id }])
  return answer(ctx, sender, { request, candidate, itemId, changes })
}

function acceptsFeaturing(
  { item }: RequestFacts,
  candidate: NonNullable<RequestFacts['candidate']>,
): boolean {
  const verdict = mayFeature(featurePolicyOf(candidate), { ...candidate, isSelf: false })
  return verdict === 'automatic' && !candidate.isBlocked && item?.state !== 'revoked'
}

interface Answer {
  readonly request: FeatureRequest
  readonly candidate: { readonly id: AccountId }
  /** Null: refused. */
  readonly itemId: CollectionItemId | null
  readonly changes?: Changes
}

async function answer(
  ctx: Ctx,
  sender: RemoteSender,
  { request, candidate, itemId, changes = new Changes() }: Answer,
): Promise<Outcome> {
  const { uri: requestUri, collectionUri } = request
  changes.emit({
    kind: 'feature.answered',
    accountId: candidate.id,
    requesterId: sender.id,
    requestUri,
    collectionUri,
    itemId,
  })
  await commit(ctx, changes)
  return done
}
