import { instanceActorUri } from '../../contract/addresses'
import { instanceActorId } from '../../contract/ids'
import { both, combineQueries, execute } from '../../db/query'
import { type ActorRef, actorRefsOf } from '../../domain/accounts/find-actor-refs'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/keys'
import { relationshipPair } from '../../domain/relationships/find'
import { findRelay } from '../../domain/relays/change'
import type { AccountId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import {
  acceptFollowActivity,
  blockActivity,
  followActivity,
  type OutgoingActivity,
  rejectFollowActivity,
  undoActivity,
} from '../serialise/activities'
import { publicCollection } from '../serialise/document'
import type { OutboundDelivery, SingleDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

interface RelationshipPair {
  readonly accountId: AccountId
  readonly targetAccountId: AccountId
}

/** Federates a follow request, unless it was answered or withdrawn meanwhile. */
export async function followRequested(
  ctx: Ctx,
  event: EventOf<'follow.requested'>,
): Promise<OutboundDelivery | null> {
  const { from, to, pair } = await loadPair(ctx, event)
  const request = pair?.ties.requested ?? null
  if (request === null || !isLocal(from) || !isRemote(to)) return null
  return directDelivery(from, to, followActivity({ actor: from.uri, id: request.id, object: to.uri }))
}

/** Federates an Accept to a new remote follower, signed by the followed account, which alone may accept. */
export async function followAccepted(
  ctx: Ctx,
  event: EventOf<'follow.created'>,
): Promise<OutboundDelivery | null> {
  const { from, to, pair } = await loadPair(ctx, event)
  const follow = pair?.ties.follows ?? null
  if (follow === null || !isRemote(from) || !isLocal(to)) return null
  return directDelivery(to, from, acceptFollowActivity(to.uri, { ...follow, follower: from.uri }))
}

/**
 * Federates the end of a follow or request: Undo by a local follower, Reject by a local followed account. Skipped
 * where it exists again.
 */
export async function followEnded(
  ctx: Ctx,
  event: EventOf<'follow.removed' | 'follow.withdrawn' | 'follow.rejected'>,
  eventId: number,
): Promise<OutboundDelivery | null> {
  const { from, to, pair } = await loadPair(ctx, event)
  if (from === undefined || to === undefined) return null
  if (pair !== null && (pair.follows || pair.requested)) return null
  const row = { id: event.followId ?? eventId, uri: event.uri }
  if (event.by === from.id && isLocal(from) && isRemote(to))
    return directDelivery(from, to, undoFollow(from, to, row.id))
  if (event.by === to.id && isRemote(from) && isLocal(to))
    return toEvenSuspended(
      directDelivery(to, from, rejectFollowActivity(to.uri, { ...row, follower: from.uri })),
    )
  return null
}

export async function blockChanged(
  ctx: Ctx,
  event: EventOf<'block.created' | 'block.removed'>,
): Promise<OutboundDelivery | null> {
  const { from, to, pair } = await loadPair(ctx, event)
  if (!isLocal(from) || !isRemote(to) || pair === null) return null
  if ((event.kind === 'block.created') !== pair.blocks) return null
  const block = blockActivity({ actor: from.uri, id: event.blockId, object: to.uri })
  return directDelivery(from, to, event.kind === 'block.created' ? block : undoActivity(block))
}

/** Federates a domain block of a user: one activity for each follow that ended. */
export async function domainBlocked(
  ctx: Ctx,
  event: EventOf<'domain.blocked'>,
): Promise<readonly SingleDelivery[]> {
  const { accountId, followed, followers } = event
  const ids = [accountId, ...[...followed, ...followers].map((ended) => ended.accountId)]
  const parties = await execute(ctx.db, actorRefsOf(ctx, ids))
  const sender = parties.get(accountId)
  if (!isLocal(sender)) return []
  const deliveryTo = (
    other: ActorRef | undefined,
    write: (other: ActorRef) => OutgoingActivity,
  ): readonly SingleDelivery[] => {
    if (!isRemote(other) || other.suspended || other.inbox === null) return []
    return [{ senderId: sender.id, sender: sender.uri, activity: write(other), inbox: other.inbox }]
  }
  return [
    ...followed.flatMap((ended) =>
      deliveryTo(parties.get(ended.accountId), (other) => undoFollow(sender, other, ended.followId)),
    ),
    ...followers.flatMap((ended) =>
      deliveryTo(parties.get(ended.accountId), (other) =>
        rejectFollowActivity(sender.uri, { id: ended.followId, uri: ended.uri, follower: other.uri }),
      ),
    ),
  ]
}

async function loadPair(ctx: Ctx, { accountId, targetAccountId }: RelationshipPair) {
  const [parties, pair] = await execute(
    ctx.db,
    both(actorRefsOf(ctx, [accountId, targetAccountId]), relationshipPair(ctx, accountId, targetAccountId)),
  )
  return { from: parties.get(accountId), to: parties.get(targetAccountId), pair }
}

function isLocal(party: ActorRef | undefined): party is ActorRef {
  return party !== undefined && party.domain === null
}

function isRemote(party: ActorRef | undefined): party is ActorRef {
  return party !== undefined && party.domain !== null
}

function undoFollow(from: ActorRef, to: ActorRef, id: number): OutgoingActivity {
  return undoActivity(followActivity({ actor: from.uri, id, object: to.uri }))
}

/** Delivery of one activity to the receiver's personal inbox. */
function directDelivery(sender: ActorRef, receiver: ActorRef, activity: OutgoingActivity): OutboundDelivery {
  return {
    senderId: sender.id,
    sender: sender.uri,
    activities: [activity],
    recipients: { people: [receiver.id], personal: true },
  }
}

/** The server of a suspended account must receive the end of the follow, or it shows further posts. */
function toEvenSuspended(delivery: OutboundDelivery): OutboundDelivery {
  return { ...delivery, recipients: { ...delivery.recipients, evenSuspended: true } }
}

/** Federates the subscription to a relay, unless it was answered or withdrawn meanwhile. */
export async function relayRequested(
  ctx: Ctx,
  { relayId, followId }: EventOf<'relay.requested'>,
): Promise<readonly SingleDelivery[]> {
  const { relay, instanceActor } = await execute(
    ctx.db,
    combineQueries({ relay: findRelay(ctx, relayId), instanceActor: findInstanceActor(ctx) }),
  )
  if (relay === null || relay.followId !== followId || relay.state !== 'pending') return []
  await ensureInstanceActor(ctx, instanceActor)
  return [toRelay(ctx, relay.inboxUrl, followOfPublic(ctx, followId))]
}

export function relayLeft(
  ctx: Ctx,
  { inboxUrl, followId }: EventOf<'relay.left'>,
): readonly SingleDelivery[] {
  return [toRelay(ctx, inboxUrl, undoActivity(followOfPublic(ctx, followId)))]
}

/** Builds the Follow that relays understand: of every public status, instead of an actor. Source: Mastodon. */
function followOfPublic({ config }: Ctx, id: number): OutgoingActivity {
  return followActivity({ actor: instanceActorUri(config.origin), id, object: publicCollection })
}

function toRelay({ config }: Ctx, inbox: string, activity: OutgoingActivity): SingleDelivery {
  return { senderId: instanceActorId, sender: instanceActorUri(config.origin), activity, inbox }
}
