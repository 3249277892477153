import { and, eq } from 'drizzle-orm'
import { execute, first } from '../../db/query'
import { invites, users } from '../../db/schema'
import { AppError } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { followAccount } from './follow'

/** Makes a new member follow their inviter, where the invitation says so. Idempotent. */
export async function followInviter(ctx: Ctx, member: AccountId): Promise<void> {
  const inviter = await execute(
    ctx.db,
    first(
      ctx.db
        .select({ id: invites.accountId })
        .from(users)
        .innerJoin(invites, eq(invites.id, users.inviteId))
        .where(and(eq(users.accountId, member), eq(invites.autofollow, true))),
    ),
  )
  if (inviter === null) return
  try {
    await followAccount(ctx, { id: member, silenced: false }, inviter.id, {})
  } catch (failure) {
    // The inviter has been suspended, has moved or has blocked the new member since.
    if (!(failure instanceof AppError)) throw failure
  }
}
