import { accounts, actorKeys, instances, remoteActors } from '../../src/db/schema'
import { type ActorOptions, fediverse } from './fediverse'
import type { Peer } from './fediverse/peer'
import { clock, context } from './test-app'

/** A remote actor that is already stored: no fetch is needed to verify its signatures. */
export interface KnownPeer extends Peer {
  readonly id: number
}

/** A peer with account, addresses and key stored as if they had been fetched just now. */
export async function knownPeer(options: ActorOptions = {}): Promise<KnownPeer> {
  const peer = await fediverse.actor(options)
  const ctx = context()
  const id = ctx.ids.next()
  const now = clock.now()
  const { uri, url, inbox, sharedInbox, outbox, followers, following, featured } = peer.at
  const locked = options.locked ?? false
  const { username, host: domain, keyId } = peer
  const publicKey = peer.key.multibase ?? peer.key.publicPem
  await ctx.db.batch([
    ctx.db.insert(accounts).values({
      id,
      username,
      domain,
      uri,
      url,
      locked,
      displayName: username,
      actorType: options.type ?? 'Person',
      createdAt: now,
      updatedAt: now,
    }),
    ctx.db.insert(remoteActors).values({
      accountId: id,
      inbox,
      sharedInbox,
      outbox,
      followers,
      following,
      featured,
      fetchedAt: now,
    }),
    ctx.db.insert(actorKeys).values({ keyId, accountId: id, publicKey, createdAt: now }),
    ctx.db.insert(instances).values({ domain, createdAt: now }).onConflictDoNothing(),
  ])
  return Object.assign(peer, { id })
}
