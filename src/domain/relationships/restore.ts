import { sql } from 'drizzle-orm'
import { follows } from '../../db/schema'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { inboxIdOf } from '../policy/follower-parts'
import { findRelationshipPair } from './find'
import { followAccount } from './follow'
import { countFollow, type FollowOptions, neitherBlocks } from './follow-rows'

/** Follow between a local and a remote account that a decision about the server of the latter ended. */
export interface SeveredFollow {
  readonly accountId: AccountId
  readonly otherId: AccountId
  /** The local account followed; false where it was followed. */
  readonly followed: boolean
  /** Moderators limited the local account. */
  readonly silenced: boolean
  readonly options: FollowOptions
}

/**
 * Restores an ended follow. One by the local account is requested again from the other server; one of the local account
 * is stored again, without notification, because its server never received its end. False where the follow or
 * its request exists. Throws what forbids to follow: blocks, suspensions, moves.
 */
export async function restoreFollow(ctx: Ctx, follow: SeveredFollow): Promise<boolean> {
  const { accountId, otherId, followed } = follow
  const [from, to] = followed ? [accountId, otherId] : [otherId, accountId]
  const pair = await findRelationshipPair(ctx, { id: from }, to)
  if (pair.follows || pair.requested) return false
  if (followed) await followAccount(ctx, { id: from, silenced: follow.silenced }, to, follow.options)
  else {
    const isForbidden = pair.blocks || pair.blockedBy || pair.blocksDomain || pair.blockedByDomain
    if (isForbidden || pair.suspended || pair.moved) throw new Forbidden()
    await commit(ctx, storeFollower(ctx, { from, to }, follow.options))
  }
  return true
}

function storeFollower(
  ctx: Ctx,
  pair: { readonly from: AccountId; readonly to: AccountId },
  options: FollowOptions,
): Changes {
  const id = ctx.ids.next()
  const row = {
    ...options,
    id,
    accountId: pair.from,
    targetAccountId: pair.to,
    inboxId: inboxIdOf(pair.from),
    createdAt: ctx.clock.now(),
  }
  return new Changes().require(neitherBlocks(pair), new Forbidden()).add(
    ctx.db
      .insert(follows)
      .values(row)
      .onConflictDoNothing({ target: [follows.accountId, follows.targetAccountId] }),
    ...countFollow(ctx, pair, 1, sql`exists (select 1 from follows where id = ${id})`),
  )
}
