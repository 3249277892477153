import { sql } from 'drizzle-orm'
import {
  actorAddresses,
  collectionUri,
  featureAuthorizationUri,
  fragmentActivityUri,
} from '../../contract/addresses'
import { combineQueries, execute } from '../../db/query'
import { type ActorRef, actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { selectCollection } from '../../domain/collections/find'
import { itemWithCollection, memberIdsOf } from '../../domain/collections/find-federated'
import { viewerById } from '../../domain/core/viewer'
import type { AccountId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { type FeaturedCollectionFacts, loadFeatured } from '../../view/load/actors'
import type { OutgoingActivity } from '../serialise/activities'
import { featuredCollection, featuredItem } from '../serialise/collections'
import { type JsonLdObject, publicCollection } from '../serialise/document'
import type { OutboundDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** Federates a new or updated collection: to followers if discoverable, to members always. */
export async function collectionChanged(
  ctx: Ctx,
  { kind, accountId, collectionId }: EventOf<'collection.created' | 'collection.updated'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const loaded = await loadFederatedCollection(ctx, accountId, collectionId)
  if (loaded === null) return null
  const { sender, facts } = loaded
  const object = featuredCollection(ctx.config, facts)
  const { featuredCollections } = actorAddresses(sender.uri)
  const activity =
    kind === 'collection.created'
      ? activityOf('Add', sender, eventId, { object, target: featuredCollections })
      : activityOf('Update', sender, eventId, { object })
  return deliveryOf(loaded, accountId, activity)
}

/** Federates a deletion to every account that may have known the collection. */
export async function collectionDeleted(
  ctx: Ctx,
  { accountId, collectionId, memberIds, discoverable }: EventOf<'collection.deleted'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const sender = (await execute(ctx.db, actorRefsOf(ctx, [accountId]))).get(accountId)
  if (sender === undefined || sender.domain !== null) return null
  const { featuredCollections } = actorAddresses(sender.uri)
  const object = collectionUri(sender.uri, collectionId)
  const activity = activityOf('Remove', sender, eventId, { object, target: featuredCollections })
  return deliveryOf({ sender, members: memberIds, discoverable }, accountId, activity)
}

/** Federates a member added to or removed from a collection. */
export async function memberChanged(
  ctx: Ctx,
  event: EventOf<'collection.joined' | 'collection.left'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { kind, accountId, collectionId, itemId, memberId } = event
  const loaded = await loadFederatedCollection(ctx, accountId, collectionId)
  if (loaded === null) return null
  const { sender, facts, members } = loaded
  const target = collectionUri(sender.uri, collectionId)
  const item = facts.items.find(({ id }) => id === itemId)
  if (kind === 'collection.joined' && item === undefined) return null
  const object =
    item === undefined ? `${target}/items/${itemId}` : featuredItem(ctx.config.origin, target, item)
  const activity = activityOf(kind === 'collection.joined' ? 'Add' : 'Remove', sender, eventId, {
    object,
    target,
  })
  return deliveryOf({ ...loaded, members: [...members, memberId] }, accountId, activity)
}

/** Requests a remote account's consent. Skipped if answered or withdrawn meanwhile. */
export async function featureRequested(
  ctx: Ctx,
  { accountId, targetAccountId, collectionId, itemId }: EventOf<'feature.requested'>,
): Promise<OutboundDelivery | null> {
  const { parties, found } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId, targetAccountId]),
      found: itemWithCollection(ctx, itemId),
    }),
  )
  const [sender, target] = [parties.get(accountId), parties.get(targetAccountId)]
  if (sender === undefined || target === undefined || found?.item.state !== 'pending') return null
  const activity = {
    id: fragmentActivityUri(sender.uri, 'features', itemId),
    type: 'FeatureRequest',
    actor: sender.uri,
    to: [target.uri],
    object: target.uri,
    instrument: collectionUri(sender.uri, collectionId),
  }
  const recipients = { people: [targetAccountId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities: [activity], recipients }
}

/** Federates the answer of a local account to a remote feature request, with its consent if given. */
export async function featureAnswered(
  ctx: Ctx,
  event: EventOf<'feature.answered'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { accountId, requesterId, itemId, requestUri, collectionUri: instrument } = event
  const parties = await execute(ctx.db, actorRefsOf(ctx, [accountId, requesterId]))
  const [sender, requester] = [parties.get(accountId), parties.get(requesterId)]
  if (sender === undefined || sender.domain !== null || requester === undefined) return null
  const actor = sender.uri
  const request = { id: requestUri, type: 'FeatureRequest', actor: requester.uri, object: actor, instrument }
  const path = itemId === null ? 'rejects' : 'accepts'
  const activity = {
    id: fragmentActivityUri(actor, path, `features/${eventId}`),
    type: itemId === null ? 'Reject' : 'Accept',
    actor,
    to: [requester.uri],
    object: request,
    ...(itemId === null ? {} : { result: featureAuthorizationUri(actor, itemId) }),
  }
  const recipients = { people: [requesterId], personal: true }
  return { senderId: accountId, sender: actor, activities: [activity], recipients }
}

/** Federates a revoked consent of a local account to being in a remote collection. */
export async function featureRevoked(
  ctx: Ctx,
  { accountId, ownerId, collectionUri: interactingObject, itemId }: EventOf<'feature.revoked'>,
): Promise<OutboundDelivery | null> {
  const parties = await execute(ctx.db, actorRefsOf(ctx, [accountId, ownerId]))
  const [sender, owner] = [parties.get(accountId), parties.get(ownerId)]
  if (sender === undefined || sender.domain !== null || owner === undefined) return null
  const id = featureAuthorizationUri(sender.uri, itemId)
  const object = { id, type: 'FeatureAuthorization', interactingObject, interactionTarget: sender.uri }
  const activity = { id: `${id}#delete`, type: 'Delete', actor: sender.uri, to: [owner.uri], object }
  const recipients = { people: [ownerId] }
  return { senderId: accountId, sender: sender.uri, activities: [activity], recipients }
}

interface FederatedCollection {
  readonly sender: ActorRef
  readonly members: readonly AccountId[]
  readonly discoverable: boolean
}

/** Loads a collection with its owner and members; null where it may not be federated. */
async function loadFederatedCollection(
  ctx: Ctx,
  accountId: AccountId,
  collectionId: number,
): Promise<(FederatedCollection & { readonly facts: FeaturedCollectionFacts }) | null> {
  const owner = viewerById(accountId)
  const { parties, members, found } = await execute(
    ctx.db,
    combineQueries({
      parties: actorRefsOf(ctx, [accountId]),
      members: memberIdsOf(ctx, collectionId),
      found: loadFeatured(ctx, owner, sql`select id, cursor from (${selectCollection(owner, collectionId)})`),
    }),
  )
  const [sender, facts] = [parties.get(accountId), found[0]]
  if (sender === undefined || sender.domain !== null || facts === undefined) return null
  return { sender, members, facts, discoverable: facts.collection.discoverable }
}

function activityOf(
  type: 'Add' | 'Remove' | 'Update',
  { uri: actor }: ActorRef,
  eventId: number,
  about: { readonly object: JsonLdObject | string; readonly target?: string },
): OutgoingActivity {
  return {
    id: fragmentActivityUri(actor, 'collections', `${eventId}/${type.toLowerCase()}`),
    type,
    actor,
    to: [publicCollection],
    cc: [actorAddresses(actor).followers],
    ...about,
  }
}

function deliveryOf(
  { sender, members, discoverable }: FederatedCollection,
  accountId: AccountId,
  activity: OutgoingActivity,
): OutboundDelivery {
  const recipients = { people: [...new Set(members)], ...(discoverable ? { followersOf: accountId } : {}) }
  return { senderId: accountId, sender: sender.uri, activities: [activity], recipients }
}
