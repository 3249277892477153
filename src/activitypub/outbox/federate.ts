import { combineQueries, constant, execute } from '../../db/query'
import { acceptedRelayInboxes } from '../../domain/instance/relays/find'
import { inboxesOf, remoteFollowersOf } from '../../domain/relationships/find-inboxes'
import { keyIdOf } from '../../lib/addresses'
import { hostOf } from '../../lib/web-address'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx, QueuedDelivery } from '../../platform/ports'
import { synchronizationHeader } from '../followers-sync'
import { withContext } from '../serialise/document'
import { accountDeleted, accountMoved, profileChanged } from './accounts'
import { approvalAnswered, approvalRequested } from './approvals'
import {
  collectionChanged,
  collectionDeleted,
  featureAnswered,
  featureRequested,
  featureRevoked,
  memberChanged,
} from './collections'
import type { OutboundDelivery, SingleDelivery } from './delivery'
import { tagChanged } from './featured-tags'
import { blockChanged, domainBlocked, followAccepted, followEnded, followRequested } from './follows'
import { quoteAnswered, quoteRequested, quoteRevoked } from './quotes'
import { reactionChanged } from './reactions'
import { relayLeft, relayRequested } from './relays'
import { reportForwarded } from './reports'
import {
  favouriteChanged,
  pinChanged,
  reblogRemoved,
  statusCreated,
  statusDeleted,
  statusUpdated,
  voteCast,
} from './statuses'

/** Inboxes enqueued by one invocation; a job continues with the rest. */
const inboxesAtOnce = 100

/**
 * Enqueues the deliveries of `event` at the couriers: one call per host. Idempotent, because its deliveries keep the
 * same ids.
 *
 * Beyond the first hundred inboxes a job continues (`continue-delivery`). Couriers send the requests: none is sent
 * here.
 */
export async function federate(
  ctx: Ctx,
  event: FederatedEvent,
  { eventId, after = '' }: { readonly eventId: number; readonly after?: string | undefined },
): Promise<void> {
  if (isSingle(event)) return enqueueDeliveries(ctx, await singleDeliveriesOf(ctx, event), eventId)
  const delivery = await deliveryOf(ctx, event, eventId)
  if (delivery === null) return
  const last = await enqueuePage(ctx, delivery, { eventId, after })
  if (last !== null) await ctx.jobs.send({ kind: 'continue-delivery', eventId, event, after: last })
}

/** Event whose deliveries each have an inbox of their own. */
type SingleEvent = Extract<FederatedEvent, { kind: 'domain.blocked' | 'relay.requested' | 'relay.left' }>

function isSingle(event: FederatedEvent): event is SingleEvent {
  return ['domain.blocked', 'relay.requested', 'relay.left'].includes(event.kind)
}

async function singleDeliveriesOf(ctx: Ctx, event: SingleEvent): Promise<readonly SingleDelivery[]> {
  switch (event.kind) {
    case 'domain.blocked':
      return domainBlocked(ctx, event)
    case 'relay.requested':
      return relayRequested(ctx, event)
    case 'relay.left':
      return relayLeft(ctx, event)
  }
}

/** Maps each event to its activities and recipients. */
function deliveryOf(
  ctx: Ctx,
  event: Exclude<FederatedEvent, SingleEvent>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  switch (event.kind) {
    case 'account.deleted':
      return accountDeleted(ctx, event)
    case 'account.moved':
      return accountMoved(ctx, event, eventId)
    case 'account.updated':
      return profileChanged(ctx, event, eventId)
    case 'block.created':
    case 'block.removed':
      return blockChanged(ctx, event)
    case 'collection.created':
    case 'collection.updated':
      return collectionChanged(ctx, event, eventId)
    case 'collection.deleted':
      return collectionDeleted(ctx, event, eventId)
    case 'collection.joined':
    case 'collection.left':
      return memberChanged(ctx, event, eventId)
    case 'feature.requested':
      return featureRequested(ctx, event)
    case 'feature.answered':
      return featureAnswered(ctx, event, eventId)
    case 'feature.revoked':
      return featureRevoked(ctx, event)
    case 'favourite.created':
    case 'favourite.removed':
      return favouriteChanged(ctx, event)
    case 'follow.requested':
      return followRequested(ctx, event)
    case 'follow.created':
      return followAccepted(ctx, event)
    case 'follow.removed':
    case 'follow.withdrawn':
    case 'follow.rejected':
      return followEnded(ctx, event, eventId)
    case 'pin.created':
    case 'pin.removed':
      return pinChanged(ctx, event, eventId)
    case 'poll.voted':
      return voteCast(ctx, event, eventId)
    case 'approval.requested':
      return approvalRequested(ctx, event)
    case 'approval.answered':
      return approvalAnswered(ctx, event, eventId)
    case 'quote.requested':
      return quoteRequested(ctx, event)
    case 'quote.answered':
      return quoteAnswered(ctx, event, eventId)
    case 'quote.revoked':
      return quoteRevoked(ctx, event)
    case 'reaction.created':
    case 'reaction.removed':
      return reactionChanged(ctx, event)
    case 'reblog.created':
    case 'status.created':
      return statusCreated(ctx, event)
    case 'reblog.removed':
      return reblogRemoved(ctx, event)
    case 'report.forwarded':
      return reportForwarded(ctx, event)
    case 'status.deleted':
      return statusDeleted(ctx, event)
    case 'status.updated':
      return statusUpdated(ctx, event, eventId)
    case 'tag.featured':
    case 'tag.unfeatured':
      return tagChanged(ctx, event, eventId)
  }
}

interface DeliveryPage {
  readonly eventId: number
  /** Last inbox of the previous page. */
  readonly after: string
}

/** Returns the last inbox enqueued when there may be more. */
async function enqueuePage(
  ctx: Ctx,
  delivery: OutboundDelivery,
  { eventId, after }: DeliveryPage,
): Promise<string | null> {
  const { senderId, sender, activities, recipients, followersOnly = false, forRelays = false } = delivery
  const page = { after, length: inboxesAtOnce }
  const { inboxes, followers, relays } = await execute(
    ctx.db,
    combineQueries({
      inboxes: inboxesOf(ctx, recipients, page),
      followers: followersOnly ? remoteFollowersOf(ctx, senderId) : constant([]),
      relays: forRelays && after === '' ? acceptedRelayInboxes(ctx) : constant([]),
    }),
  )
  const texts = activities.map((activity) => JSON.stringify(withContext(activity)))
  const keyId = keyIdOf(sender)
  // Grouped once for all hosts: accounts with many followers have them on many hosts.
  const followersAt = Map.groupBy(followers, hostOf)
  const enqueueForHost = async ([host, hostInboxes]: readonly [string, readonly string[]]) => {
    const hostFollowers = followersAt.get(host) ?? []
    const synchronization = followersOnly ? await synchronizationHeader(sender, hostFollowers) : null
    const queued = texts.map(
      (body, n): QueuedDelivery => ({
        id: `${eventId}/${n}`,
        order: eventId,
        inboxes: hostInboxes,
        senderId,
        keyId,
        body,
        synchronization,
      }),
    )
    await ctx.couriers.enqueue(host, queued)
  }
  // Couriers send an activity to an inbox once, also where a later page names it again.
  await Promise.all([...byHost(new Set([...inboxes, ...relays]))].map(enqueueForHost))
  return inboxes.length === inboxesAtOnce ? (inboxes.at(-1) ?? null) : null
}

/** Deliveries per call: some 300 bytes each. */
const deliveriesAtOnce = 500

async function enqueueDeliveries(
  ctx: Ctx,
  deliveries: readonly SingleDelivery[],
  eventId: number,
): Promise<void> {
  const queued = deliveries.map(
    ({ senderId, sender, activity, inbox }, n): QueuedDelivery => ({
      id: `${eventId}/${n}`,
      order: eventId,
      inboxes: [inbox],
      senderId,
      keyId: keyIdOf(sender),
      body: JSON.stringify(withContext(activity)),
    }),
  )
  const hosts = Map.groupBy(queued, ({ inboxes: [inbox = ''] }) => hostOf(inbox) ?? '')
  for (const [host, hostDeliveries] of hosts)
    for (let start = 0; start < hostDeliveries.length; start += deliveriesAtOnce)
      await ctx.couriers.enqueue(host, hostDeliveries.slice(start, start + deliveriesAtOnce))
}

function byHost(inboxes: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const inbox of inboxes) {
    const host = hostOf(inbox)
    if (host === null) continue
    found.set(host, [...(found.get(host) ?? []), inbox])
  }
  return found
}
