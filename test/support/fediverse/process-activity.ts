import { handleActivity } from '../../../src/activitypub/inbox/receive'
import { readActivity } from '../../../src/activitypub/vocab/activity'
import type { Outcome } from '../../../src/domain/core/changes'
import type { Ctx } from '../../../src/ports/ctx'
import type { KnownPeer } from '../given-peer'
import { context } from '../test-app'
import type { Document } from './documents'

/** Hands an activity to its handler as if its signature had held: for tests of what comes of it. */
export async function processActivity(
  peer: KnownPeer,
  activity: Document,
  ctx: Ctx = context(),
): Promise<Outcome> {
  const read = readActivity(activity)
  if (read === null) throw new Error('That is no activity')
  const { id, uri, username, host: domain, followers } = peer
  return handleActivity(
    ctx,
    { id, uri, username, domain, suspended: false, followers, limit: null, relay: null },
    read,
  )
}
