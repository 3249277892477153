import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { collectionItems } from '../../db/schema'
import type { AccountId, CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { notify } from '../notifications/notify'
import { featurePolicyOf, mayFeature } from '../policy/featuring'
import {
  type ItemWithCollection,
  itemByAuthorization,
  itemWithCollection,
  type RequestFacts,
  requestFacts,
} from './find-federated'

/** A request for consent to be in a collection (FEP-7aa9). */
interface FeatureRequest {
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

/** The answer to a local feature request (FEP-7aa9). */
interface FeatureAnswer {
  readonly itemId: CollectionItemId
  /** URI of the consent; null for a refusal. */
  readonly authorizationUri: string | null
}

/**
 * Handles a remote account's consent to a feature request of a local account, its refusal or its later removal. Emits
 * `collection.joined` or `.left`.
 */
export async function receiveFeatureAnswer(
  ctx: Ctx,
  sender: RemoteSender,
  { itemId, authorizationUri }: FeatureAnswer,
): Promise<Outcome> {
  const found = await execute(ctx.db, itemWithCollection(ctx, itemId))
  if (found === null || found.collectionUri !== null) return ignored('answers an unknown feature request')
  const { item } = found
  if (item.accountId !== sender.id) return rejected('answers for another account')
  if (authorizationUri === null) return endFeaturing(ctx, found)
  if (item.state !== 'pending') return ignored('already answered')
  const { accountId: memberId, collectionId } = item
  await commit(
    ctx,
    new Changes()
      .add(
        ctx.db
          .update(collectionItems)
          .set({ state: 'accepted', authorizationUri })
          .where(eq(collectionItems.id, itemId)),
      )
      .emit({ kind: 'collection.joined', accountId: found.ownerId, collectionId, itemId, memberId }),
  )
  return done
}

/** Handles a remote account's withdrawal of its consent to be featured; null without one of that URI. */
export async function receiveFeatureRevocation(
  ctx: Ctx,
  sender: RemoteSender,
  uri: string,
): Promise<Outcome | null> {
  const found = await execute(ctx.db, itemByAuthorization(ctx, sender.id, uri))
  return found === null || found.collectionUri !== null ? null : endFeaturing(ctx, found)
}

async function endFeaturing(ctx: Ctx, { item, ownerId }: ItemWithCollection): Promise<Outcome> {
  const { id: itemId, state, collectionId, accountId: memberId } = item
  if (state !== 'pending' && state !== 'accepted') return ignored('already refused')
  const ended = state === 'accepted' ? 'revoked' : 'rejected'
  const changes = new Changes().add(
    ctx.db.update(collectionItems).set({ state: ended }).where(eq(collectionItems.id, itemId)),
  )
  if (state === 'accepted')
    changes.emit({ kind: 'collection.left', accountId: ownerId, collectionId, itemId, memberId })
  await commit(ctx, changes)
  return done
}
