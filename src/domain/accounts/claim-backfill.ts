import { eq, sql } from 'drizzle-orm'
import { accounts, remoteActors } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { waitingOf } from '../instance/find-uncounted'
import { backfillDueCondition } from './find-backfill'

/** Claims the backfill of an account's statuses; false when another claim was made within a day. */
export async function claimBackfill(ctx: Ctx, id: AccountId): Promise<boolean> {
  const claim = ctx.db
    .update(remoteActors)
    .set({ backfilledAt: ctx.clock.now() })
    .where(sql`${eq(remoteActors.accountId, id)} and ${backfillDueCondition(ctx)}`)
  const [claimed] = await commit(ctx, new Changes().add(claim))
  return claimed === 1
}

/**
 * Raises the stored status count to the total that the account's server reports, where that is higher. Those that are
 * counted later are among the total already.
 */
export async function raiseStatusesCount(ctx: Ctx, id: AccountId, total: number): Promise<void> {
  await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(accounts)
        .set({ statusesCount: sql`max(statuses_count, ${total} - ${waitingOf(id)})` })
        .where(eq(accounts.id, id)),
    ),
  )
}
