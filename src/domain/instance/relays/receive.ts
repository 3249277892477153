import { sql } from 'drizzle-orm'
import { relays } from '../../../db/schema'
import { Conflict } from '../../../errors'
import type { RelayId } from '../../../lib/ids'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { done, ignored, type Outcome } from '../../core/outcome'

/** Answer of a relay to the Follow with this number. */
export interface RelayAnswer {
  readonly relayId: RelayId
  readonly followId: number
}

/** Relay accepts the current Follow. An answer to an earlier one is ignored. */
export function receiveRelayAccept(ctx: Ctx, answer: RelayAnswer): Promise<Outcome> {
  return answered(ctx, answer, 'accepted')
}

/** Relay rejects the current Follow, also one that it had accepted. */
export function receiveRelayReject(ctx: Ctx, answer: RelayAnswer): Promise<Outcome> {
  return answered(ctx, answer, 'rejected')
}

async function answered(
  ctx: Ctx,
  { relayId, followId }: RelayAnswer,
  state: 'accepted' | 'rejected',
): Promise<Outcome> {
  const current = sql`id = ${relayId} and follow_id = ${followId} and state in ('pending', 'accepted')`
  const stale = new Conflict('no_relay_subscription')
  const changes = new Changes()
    .require(sql`exists (select 1 from ${relays} where ${current} and state <> ${state})`, stale)
    .add(ctx.db.update(relays).set({ state, updatedAt: ctx.clock.now() }).where(current))
  try {
    await commit(ctx, changes)
    return done
  } catch (failure) {
    if (failure === stale) return ignored(stale.message)
    throw failure
  }
}
