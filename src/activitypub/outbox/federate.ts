import { combineQueries, constant, execute } from '../../db/query'
import { inboxesOf, remoteFollowersOf } from '../../domain/relationships/find-inboxes'
import { acceptedRelayInboxes } from '../../domain/relays/change'
import { hostOf } from '../../lib/web-address'
import type { FederatedEvent } from '../../messages/events'
import type { Job } from '../../messages/jobs'
import type { Ctx } from '../../ports/ctx'
import type { AudiencePart } from '../../ports/federation'
import { digestOfIds } from '../followers-sync'
import { accountDeleted, accountMoved, profileChanged, reportForwarded, tagChanged } from './accounts'
import {
  collectionChanged,
  collectionDeleted,
  featureAnswered,
  featureRequested,
  featureRevoked,
  memberChanged,
} from './collections'
import {
  byHost,
  type CourierAccess,
  courierAccess,
  enqueueDeliveries,
  enqueueForInboxes,
  type OutboundDelivery,
  type SingleDelivery,
} from './delivery'
import {
  blockChanged,
  domainBlocked,
  followAccepted,
  followEnded,
  followRequested,
  relayLeft,
  relayRequested,
} from './follows'
import {
  approvalAnswered,
  approvalRequested,
  quoteAnswered,
  quoteRequested,
  quoteRevoked,
  reactionChanged,
} from './interactions'
import {
  favouriteChanged,
  favouriteRequested,
  pinChanged,
  reblogRemoved,
  statusCreated,
  statusDeleted,
  statusUpdated,
  voteCast,
} from './statuses'

/** Inboxes enqueued by the invocation that finds them; larger audiences become jobs. */
const inboxesAtOnce = 100
/** Inboxes of one such job: a consumer takes up to twenty, and may make a thousand calls. */
const inboxesPerJob = 40
/** Inboxes found by one statement; a further job continues behind them. */
const inboxesPerSelection = 10_000

/**
 * Enqueues the deliveries of `event` at the couriers: one call per host. Idempotent, because its deliveries keep the
 * same ids.
 *
 * The inboxes are selected once. Beyond a hundred they are split into jobs (`deliver-part`) that run at the same
 * time. Couriers send the requests: none is sent here.
 */
export async function federate(
  ctx: Ctx,
  event: FederatedEvent,
  { eventId, after = null }: { readonly eventId: number; readonly after?: string | null },
): Promise<void> {
  if (isSingle(event)) return enqueueDeliveries(ctx, await singleDeliveriesOf(ctx, event), eventId)
  const delivery = await deliveryOf(ctx, event, eventId)
  if (delivery === null) return
  const { found, followers, relays, access } = await findAudience(ctx, delivery, after)
  const { hasMore } = found
  // Couriers send an activity to an inbox once, also where a later part names it again.
  const inboxes = [...new Set([...relays, ...found.inboxes])]
  const digests = followers === null ? null : await digestsByHost([...byHost(inboxes).keys()], followers)
  if (inboxes.length <= inboxesAtOnce && !hasMore)
    return enqueueForInboxes(ctx, delivery, { inboxes, digests, eventId, access })
  await sendParts(ctx, { event, eventId }, { inboxes, digests })
  const last = hasMore ? found.inboxes.at(-1) : undefined
  if (last !== undefined) await ctx.jobs.send({ kind: 'continue-delivery', eventId, event, after: last })
}

/** Selects all inboxes at once. Of more than that the first are read again, in an order that a job can continue with. */
async function findAudience(
  ctx: Ctx,
  { senderId, recipients, followersOnly = false, forRelays = false }: OutboundDelivery,
  after: string | null,
) {
  const audience = await execute(
    ctx.db,
    combineQueries({
      found: inboxesOf(ctx, recipients, { after, length: inboxesPerSelection }),
      relays: forRelays && after === null ? acceptedRelayInboxes(ctx) : constant([]),
      followers: followersOnly ? remoteFollowersOf(ctx, senderId) : constant(null),
      access: courierAccess(ctx, senderId),
    }),
  )
  if (after !== null || !audience.found.hasMore) return audience
  const first = inboxesOf(ctx, recipients, { after: '', length: inboxesPerSelection })
  return { ...audience, found: await execute(ctx.db, first) }
}

/** Enqueues the deliveries of `event` for one part of a large audience. */
export async function federateTo(
  ctx: Ctx,
  event: FederatedEvent,
  { eventId, ...part }: AudiencePart & { readonly eventId: number },
): Promise<void> {
  if (isSingle(event)) return
  const loaded = loadedDeliveries.get(ctx) ?? new Map<number, Promise<LoadedDelivery | null>>()
  loadedDeliveries.set(ctx, loaded)
  const loading = loaded.get(eventId) ?? loadDelivery(ctx, event, eventId)
  loaded.set(eventId, loading)
  const found = await loading
  if (found !== null) await enqueueForInboxes(ctx, found.delivery, { ...part, eventId, access: found.access })
}

interface LoadedDelivery {
  readonly delivery: OutboundDelivery
  readonly access: CourierAccess
}

/** Deliveries of one invocation: a consumer runs many parts of an event one after the other. */
const loadedDeliveries = new WeakMap<Ctx, Map<number, Promise<LoadedDelivery | null>>>()

async function loadDelivery(
  ctx: Ctx,
  event: Exclude<FederatedEvent, SingleEvent>,
  eventId: number,
): Promise<LoadedDelivery | null> {
  const delivery = await deliveryOf(ctx, event, eventId)
  if (delivery === null) return null
  return { delivery, access: await execute(ctx.db, courierAccess(ctx, delivery.senderId)) }
}

/** Sends the jobs of an audience all at once. Inboxes of one host are next to each other, so few are in two jobs. */
async function sendParts(
  ctx: Ctx,
  { event, eventId }: { readonly event: FederatedEvent; readonly eventId: number },
  { inboxes, digests }: AudiencePart,
): Promise<void> {
  const jobs: Job[] = []
  for (let start = 0; start < inboxes.length; start += inboxesPerJob) {
    const part = inboxes.slice(start, start + inboxesPerJob)
    const ofPart = digests === null ? null : pick(digests, [...byHost(part).keys()])
    jobs.push({
      kind: 'deliver-part',
      eventId,
      event: withoutRecipients(event),
      inboxes: part,
      digests: ofPart,
    })
  }
  await Promise.all(jobs.map((job) => ctx.jobs.send(job)))
}

/** Recipients that an event lists are among the inboxes already. */
function withoutRecipients(event: FederatedEvent): FederatedEvent {
  if (event.kind === 'status.deleted') return { ...event, concernedIds: [] }
  if (event.kind === 'collection.deleted') return { ...event, memberIds: [] }
  return event
}

/** Digests of the followers at each host. Followers are grouped once: there may be very many. */
async function digestsByHost(
  hosts: readonly string[],
  followers: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const followersAt = Map.groupBy(followers, hostOf)
  const digested = hosts.map(async (host) => [host, await digestOfIds(followersAt.get(host) ?? [])] as const)
  return Object.fromEntries(await Promise.all(digested))
}

function pick(digests: Readonly<Record<string, string>>, hosts: readonly string[]): Record<string, string> {
  return Object.fromEntries(hosts.map((host) => [host, digests[host] ?? '']))
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
    case 'favourite.requested':
      return favouriteRequested(ctx, event)
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
