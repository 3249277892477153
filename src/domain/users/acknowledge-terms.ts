import { eq } from 'drizzle-orm'
import { users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Records that a member has seen the page about new terms: it is not shown again until other terms are announced. */
export async function acknowledgeTerms(ctx: Ctx, accountId: AccountId): Promise<void> {
  const stamp = ctx.db
    .update(users)
    .set({ termsSeenAt: ctx.clock.now() })
    .where(eq(users.accountId, accountId))
  await commit(ctx, new Changes().add(stamp))
}
