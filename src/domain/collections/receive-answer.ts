import { eq } from 'drizzle-orm'
import { execute } from '../../db/query'
import { collectionItems } from '../../db/schema'
import type { CollectionItemId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, rejected } from '../core/changes'
import type { RemoteSender } from '../core/viewer'
import { type ItemWithCollection, itemByAuthorization, itemWithCollection } from './find-federated'

/** The answer to a local feature request (FEP-7aa9). */
export interface FeatureAnswer {
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
