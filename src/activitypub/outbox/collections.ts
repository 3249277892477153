import { sql } from 'drizzle-orm'
import { ask, together } from '../../db/query'
import { type Party, partiesOf } from '../../domain/accounts/find-parties'
import { selectCollection } from '../../domain/collections/find'
import { featuringWithId, membersIn } from '../../domain/collections/find-federated'
import { refById } from '../../domain/core/viewer'
import { actorAddresses, collectionUri, deedUri, featureAuthorizationUri } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../platform/ports'
import { type FeaturedCollectionFacts, loadFeatured } from '../../view/load/featured'
import type { Activity } from '../serialise/activities'
import { publicCollection, type Thing } from '../serialise/document'
import { featuredCollection, featuredItem } from '../serialise/featured'
import type { Mission } from './mission'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

/** A collection was made, or says something else: followers hear of those that may be discovered, members of all. */
export async function collectionChanged(
  ctx: Ctx,
  { kind, accountId, collectionId }: EventOf<'collection.created' | 'collection.updated'>,
  eventId: number,
): Promise<Mission | null> {
  const told = await tellable(ctx, accountId, collectionId)
  if (told === null) return null
  const { sender, facts } = told
  const object = featuredCollection(ctx.config, facts)
  const { featuredCollections } = actorAddresses(sender.uri)
  const activity =
    kind === 'collection.created'
      ? activityOf('Add', sender, eventId, { object, target: featuredCollections })
      : activityOf('Update', sender, eventId, { object })
  return missionOf(told, accountId, activity)
}

/** It is no more: for whoever may have known of it. */
export async function collectionGone(
  ctx: Ctx,
  { accountId, collectionId, memberIds, discoverable }: EventOf<'collection.deleted'>,
  eventId: number,
): Promise<Mission | null> {
  const sender = (await ask(ctx.db, partiesOf(ctx, [accountId]))).get(accountId)
  if (sender === undefined || sender.domain !== null) return null
  const { featuredCollections } = actorAddresses(sender.uri)
  const object = collectionUri(sender.uri, collectionId)
  const activity = activityOf('Remove', sender, eventId, { object, target: featuredCollections })
  return missionOf({ sender, members: memberIds, discoverable }, accountId, activity)
}

/** Somebody is in a collection now, or no more. */
export async function memberChanged(
  ctx: Ctx,
  event: EventOf<'collection.joined' | 'collection.left'>,
  eventId: number,
): Promise<Mission | null> {
  const { kind, accountId, collectionId, itemId, memberId } = event
  const told = await tellable(ctx, accountId, collectionId)
  if (told === null) return null
  const { sender, facts, members } = told
  const target = collectionUri(sender.uri, collectionId)
  const item = facts.items.find(({ id }) => id === itemId)
  if (kind === 'collection.joined' && item === undefined) return null
  const object =
    item === undefined ? `${target}/items/${itemId}` : featuredItem(ctx.config.origin, target, item)
  const activity = activityOf(kind === 'collection.joined' ? 'Add' : 'Remove', sender, eventId, {
    ...{ object, target },
  })
  return missionOf({ ...told, members: [...members, memberId] }, accountId, activity)
}

/** Asks somebody elsewhere for their consent. What was answered or taken back meanwhile is not asked for. */
export async function featureAsked(
  ctx: Ctx,
  { accountId, targetAccountId, collectionId, itemId }: EventOf<'feature.requested'>,
): Promise<Mission | null> {
  const { parties, found } = await ask(
    ctx.db,
    together({
      parties: partiesOf(ctx, [accountId, targetAccountId]),
      found: featuringWithId(ctx, itemId),
    }),
  )
  const [sender, target] = [parties.get(accountId), parties.get(targetAccountId)]
  if (sender === undefined || target === undefined || found?.item.state !== 'pending') return null
  const activity = {
    ...{ id: deedUri(sender.uri, 'features', itemId), type: 'FeatureRequest', actor: sender.uri },
    ...{ to: [target.uri], object: target.uri, instrument: collectionUri(sender.uri, collectionId) },
  }
  const reach = { people: [targetAccountId], personal: true }
  return { senderId: accountId, sender: sender.uri, activities: [activity], reach }
}

/** What one of ours answers to a request from elsewhere, with their consent where they agree. */
export async function featureAnswered(
  ctx: Ctx,
  event: EventOf<'feature.answered'>,
  eventId: number,
): Promise<Mission | null> {
  const { accountId, requesterId, itemId, requestUri, collectionUri: instrument } = event
  const parties = await ask(ctx.db, partiesOf(ctx, [accountId, requesterId]))
  const [sender, requester] = [parties.get(accountId), parties.get(requesterId)]
  if (sender === undefined || sender.domain !== null || requester === undefined) return null
  const actor = sender.uri
  const request = { id: requestUri, type: 'FeatureRequest', actor: requester.uri, object: actor, instrument }
  const deed = itemId === null ? 'rejects' : 'accepts'
  const activity = {
    ...{ id: deedUri(actor, deed, `features/${eventId}`), type: itemId === null ? 'Reject' : 'Accept' },
    ...{ actor, to: [requester.uri], object: request },
    ...(itemId === null ? {} : { result: featureAuthorizationUri(actor, itemId) }),
  }
  const reach = { people: [requesterId], personal: true }
  return { senderId: accountId, sender: actor, activities: [activity], reach }
}

/** One of ours takes back their consent to being in a collection elsewhere. */
export async function featureRevoked(
  ctx: Ctx,
  { accountId, ownerId, collectionUri: interactingObject, itemId }: EventOf<'feature.revoked'>,
): Promise<Mission | null> {
  const parties = await ask(ctx.db, partiesOf(ctx, [accountId, ownerId]))
  const [sender, owner] = [parties.get(accountId), parties.get(ownerId)]
  if (sender === undefined || sender.domain !== null || owner === undefined) return null
  const id = featureAuthorizationUri(sender.uri, itemId)
  const object = { id, type: 'FeatureAuthorization', interactingObject, interactionTarget: sender.uri }
  const activity = { id: `${id}#delete`, type: 'Delete', actor: sender.uri, to: [owner.uri], object }
  const reach = { people: [ownerId] }
  return { senderId: accountId, sender: sender.uri, activities: [activity], reach }
}

interface Told {
  readonly sender: Party
  readonly members: readonly AccountId[]
  readonly discoverable: boolean
}

/** A collection as it is now, whose it is, and who is in it; null where nobody may see it. */
async function tellable(
  ctx: Ctx,
  accountId: AccountId,
  collectionId: number,
): Promise<(Told & { readonly facts: FeaturedCollectionFacts }) | null> {
  const owner = refById(accountId)
  const { parties, members, found } = await ask(
    ctx.db,
    together({
      parties: partiesOf(ctx, [accountId]),
      members: membersIn(ctx, collectionId),
      found: loadFeatured(ctx, owner, sql`select id, cursor from (${selectCollection(owner, collectionId)})`),
    }),
  )
  const [sender, facts] = [parties.get(accountId), found[0]]
  if (sender === undefined || sender.domain !== null || facts === undefined) return null
  return { sender, members, facts, discoverable: facts.collection.discoverable }
}

function activityOf(
  type: 'Add' | 'Remove' | 'Update',
  { uri: actor }: Party,
  eventId: number,
  about: { readonly object: Thing | string; readonly target?: string },
): Activity {
  return {
    ...{ id: deedUri(actor, 'collections', `${eventId}/${type.toLowerCase()}`), type, actor },
    ...{ to: [publicCollection], cc: [actorAddresses(actor).followers], ...about },
  }
}

function missionOf(
  { sender, members, discoverable }: Told,
  accountId: AccountId,
  activity: Activity,
): Mission {
  const reach = { people: [...new Set(members)], ...(discoverable ? { followersOf: accountId } : {}) }
  return { senderId: accountId, sender: sender.uri, activities: [activity], reach }
}
