import { execute } from '../../db/query'
import { done, ignored, type Outcome } from '../../domain/core/outcome'
import type { RelayAnswer } from '../../domain/instance/relays/receive'
import { statusKnownAt } from '../../domain/statuses/remote/find-forwarded'
import { instanceActorUri } from '../../lib/addresses'
import { hostOf, liesOn, parseWebAddress } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { RelaySigner, Signer } from '../find-signer'
import type { Activity } from '../vocab/activity'
import { rebloggedUri } from './reblogged-uri'

/** Seconds for which an isolate remembers that a status was passed on: several relays pass on the same ones. */
const rememberedSeconds = 300

const gapSeconds = 60

/** A relay names statuses of any server, which must not be hit over and over. */
const mostOfHost = 300

/** Relay passes on a status. Unknown ones are fetched from their own servers by a job; no reblog is stored. */
export async function receiveRelayed(ctx: Ctx, relay: RelaySigner, activity: Activity): Promise<Outcome> {
  if (relay.state !== 'accepted') return ignored('relayed by a relay without a subscription')
  const named = activity.object === null ? null : rebloggedUri(activity.object)
  const uri = named === null ? null : parseWebAddress(named)
  if (uri === null) return ignored('relays no identifiable status')
  if (liesOn(ctx.config.ownDomains, uri)) return ignored('relays a local status')
  if (ctx.memory.get(`relayed ${uri}`) !== null) return ignored('relayed a moment ago')
  if (await execute(ctx.db, statusKnownAt(ctx, uri))) return ignored('relays a known status')
  if (ctx.memory.increment(`relayed of ${hostOf(uri)}`, gapSeconds) > mostOfHost)
    return ignored('relayed, but its server was named too often')
  ctx.memory.set(`relayed ${uri}`, '', rememberedSeconds)
  await ctx.jobs.send({ kind: 'fetch-relayed-status', relayId: relay.id, statusUri: uri })
  return done
}

/**
 * Answer of a relay to the subscription of this server: null unless the object is a Follow by the instance actor. Only
 * the relay itself may answer, by the id of the Follow that was sent to its inbox.
 */
export function relayAnswer(ctx: Ctx, { relay }: Signer, { object }: Activity): RelayAnswer | null {
  const prefix = `${instanceActorUri(ctx.config.origin)}#follows/`
  const id = object?.id ?? ''
  const followId = id.startsWith(prefix) ? Number(id.slice(prefix.length)) : Number.NaN
  return relay === null || !Number.isSafeInteger(followId) ? null : { relayId: relay.id, followId }
}
