import { and, eq, lt } from 'drizzle-orm'
import { remoteActors } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

const freshMilliseconds = 24 * 60 * 60 * 1000

/** Whether an actor document was read so long ago that profile and pictures may be outdated. */
export function isProfileStale({ clock }: Ctx, readAt: Date): boolean {
  return clock.now().getTime() - readAt.getTime() > freshMilliseconds
}

/**
 * Claims the refetch of a stale account: true for one of all concurrent callers. Successful or not, no other caller
 * gets the claim for a day.
 */
export async function claimRefresh(ctx: Ctx, id: AccountId): Promise<boolean> {
  const now = ctx.clock.now()
  const before = new Date(now.getTime() - freshMilliseconds)
  const claim = ctx.db
    .update(remoteActors)
    .set({ fetchedAt: now })
    .where(and(eq(remoteActors.accountId, id), lt(remoteActors.fetchedAt, before)))
  const [claimed] = await commit(ctx, new Changes().add(claim))
  return claimed === 1
}
