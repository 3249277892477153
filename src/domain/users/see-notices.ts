import { eq, sql } from 'drizzle-orm'
import { users } from '../../db/schema'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Statement: the owner has read a strike, and those before it. A later one stays to be read. */
export function strikeSeen(ctx: Ctx, accountId: AccountId, strikeId: number) {
  return ctx.db
    .update(users)
    .set({ strikeToSee: null })
    .where(sql`${users.accountId} = ${accountId} and ${users.strikeToSee} <= ${strikeId}`)
}

/** Records that the owner has read a strike against the account. May run twice. */
export async function acknowledgeStrike(ctx: Ctx, accountId: AccountId, strikeId: number): Promise<void> {
  await commit(ctx, new Changes().add(strikeSeen(ctx, accountId, strikeId)))
}

/** Records that the first steps were shown. May run twice. */
export async function markFirstStepsShown(ctx: Ctx, accountId: AccountId): Promise<void> {
  const shown = ctx.db.update(users).set({ firstStepsDue: false }).where(eq(users.accountId, accountId))
  await commit(ctx, new Changes().add(shown))
}
