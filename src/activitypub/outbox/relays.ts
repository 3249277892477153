import { combineQueries, execute } from '../../db/query'
import { ensureInstanceActor, findInstanceActor } from '../../domain/instance/actor'
import { findRelay } from '../../domain/instance/relays/find'
import { instanceActorUri } from '../../lib/addresses'
import { instanceActorId } from '../../lib/ids'
import type { FederatedEvent } from '../../messages/events'
import type { Ctx } from '../../ports/ctx'
import { followActivity, type OutgoingActivity, undoActivity } from '../serialise/activities'
import { publicCollection } from '../serialise/document'
import type { SingleDelivery } from './delivery'

type EventOf<K extends FederatedEvent['kind']> = Extract<FederatedEvent, { kind: K }>

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
