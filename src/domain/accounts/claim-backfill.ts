import { eq, sql } from 'drizzle-orm'
import { accounts, remoteActors } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { Changes, commit } from '../core/changes'
import { backfillDueCondition } from './find-backfill'

/** Claims the fetching of somebody's posts; false when that was done within a day, or is being done. */
export async function claimBackfill(ctx: Ctx, id: AccountId): Promise<boolean> {
  const claim = ctx.db
    .update(remoteActors)
    .set({ backfilledAt: ctx.clock.now() })
    .where(sql`${eq(remoteActors.accountId, id)} and ${backfillDueCondition(ctx)}`)
  const [claimed] = await commit(ctx, new Changes().add(claim))
  return claimed === 1
}

/** Believes a server about how many posts its people wrote, where that is more than are known here. */
export async function raiseStatusesCount(ctx: Ctx, id: AccountId, total: number): Promise<void> {
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(accounts)
        .set({ statusesCount: sql`max(statuses_count, ${total})` })
        .where(eq(accounts.id, id)),
    ),
  )
}
