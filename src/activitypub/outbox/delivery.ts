import { keyIdOf } from '../../contract/addresses'
import { both, constant, execute, map, type Query } from '../../db/query'
import { sealedKeysOf } from '../../domain/accounts/find-actor-refs'
import type { Recipients } from '../../domain/relationships/find-inboxes'
import { isAmong, suspendedDomains } from '../../domain/servers/limits'
import type { AccountId } from '../../lib/ids'
import { cleanJson } from '../../lib/json'
import { longestMessage, splitWithin } from '../../lib/split'
import { hostOf } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import type { AudiencePart, QueuedDelivery, SigningFacts, SigningKeys } from '../../ports/federation'
import { headerOfDigest } from '../followers-sync'
import type { OutgoingActivity } from '../serialise/activities'
import { withContext } from '../serialise/document'

/** Activities that one event federates, by one local sender to these recipients. */
export interface OutboundDelivery {
  readonly senderId: AccountId
  /** Actor id of the sender. */
  readonly sender: string
  readonly activities: readonly OutgoingActivity[]
  readonly recipients: Recipients
  /** Followers-only: the Collection-Synchronization header goes along (FEP-8fcf). */
  readonly followersOnly?: boolean
  /** For accepted relays as well. */
  readonly forRelays?: boolean
}

/** An activity for one inbox. A domain block produces many, often to the same server. */
export interface SingleDelivery {
  readonly senderId: AccountId
  readonly sender: string
  readonly activity: OutgoingActivity
  readonly inbox: string
}

/** Enqueues the activities at the couriers: one call for each host. Repeating it is harmless. */
export async function enqueueForInboxes(
  ctx: Ctx,
  { senderId, sender, activities }: OutboundDelivery,
  {
    inboxes,
    digests,
    eventId,
    access,
  }: AudiencePart & { readonly eventId: number; readonly access: CourierAccess },
): Promise<void> {
  const texts = activities.map((activity) => cleanJson(withContext(activity)))
  const keyId = keyIdOf(sender)
  const enqueueForHost = async ([host, hostInboxes]: readonly [string, readonly string[]]) => {
    const digest = digests?.[host]
    const queued = texts.map(
      (body, n): QueuedDelivery => ({
        id: `${eventId}/${n}`,
        order: eventId,
        inboxes: hostInboxes,
        senderId,
        keyId,
        body,
        synchronization: digest === undefined ? null : headerOfDigest(sender, digest),
      }),
    )
    await enqueue(ctx, access, { host, deliveries: queued })
  }
  await Promise.all([...byHost(inboxes)].map(enqueueForHost))
}

/** Deliveries per call, of some 300 bytes each. */
const deliveriesAtOnce = 500
/** Characters of a delivery beside its activity: ids and addresses. */
const frameLength = 200

/** Enqueues activities of one sender that each are for one inbox. */
export async function enqueueDeliveries(
  ctx: Ctx,
  deliveries: readonly SingleDelivery[],
  eventId: number,
): Promise<void> {
  const [head] = deliveries
  if (head === undefined) return
  const access = await execute(ctx.db, courierAccess(ctx, head.senderId))
  const queued = deliveries.map(
    ({ senderId, sender, activity, inbox }, n): QueuedDelivery => ({
      id: `${eventId}/${n}`,
      order: eventId,
      inboxes: [inbox],
      senderId,
      keyId: keyIdOf(sender),
      body: cleanJson(withContext(activity)),
    }),
  )
  const hosts = Map.groupBy(queued, ({ inboxes: [inbox = ''] }) => hostOf(inbox) ?? '')
  for (const [host, hostDeliveries] of hosts)
    for (const deliveries of splitWithin(hostDeliveries, {
      most: deliveriesAtOnce,
      longest: longestMessage,
      lengthOf: ({ body, keyId, inboxes: [inbox = ''] }) =>
        body.length + keyId.length + inbox.length + frameLength,
    }))
      await enqueue(ctx, access, { host, deliveries })
}

/** Facts that couriers of one sender need, besides its deliveries. */
export interface CourierAccess {
  /** Null in limited federation mode, where each courier asks whether its host is on the allow-list. */
  readonly signing: SigningFacts | null
  readonly suspended: ReadonlySet<string>
}

/** The sealed keys of `senderId`, so that no courier has to read the database before it sends, and hosts to leave out. */
export function courierAccess(ctx: Ctx, senderId: AccountId): Query<CourierAccess> {
  const readAt = ctx.clock.now().getTime()
  const keys = ctx.config.federation.limited ? constant(null) : sealedKeysOf(ctx, [senderId])
  return map(
    both<readonly SigningKeys[] | null, ReadonlySet<string>>(keys, suspendedDomains(ctx)),
    ([found, suspended]) => ({
      signing: found === null ? null : { keys: found, readAt },
      suspended,
    }),
  )
}

async function enqueue(
  ctx: Ctx,
  { signing, suspended }: CourierAccess,
  { host, deliveries }: { readonly host: string; readonly deliveries: readonly QueuedDelivery[] },
): Promise<void> {
  if (!isAmong(suspended, host)) await ctx.couriers.enqueue(host, deliveries, signing)
}

/** Inboxes by their hosts. */
export function byHost(inboxes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const inbox of inboxes) {
    const host = hostOf(inbox)
    if (host === null) continue
    const known = found.get(host)
    if (known === undefined) found.set(host, [inbox])
    else known.push(inbox)
  }
  return found
}
