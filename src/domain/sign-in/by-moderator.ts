import { eq } from 'drizzle-orm'
import { both, execute, orNotFound } from '../../db/query'
import { users } from '../../db/schema'
import { NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AuditEntry, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission, requireRankAbove } from '../policy/permissions'
import { findMemberById } from '../users/find'
import { addSecurityMail } from '../users/warn'
import { addFactorsRemoval, findFactors, hasSecondFactor } from './factors'

/**
 * Removes all second factors of a member who lost them, and mails the member about it; needs `manageUsers` and a
 * higher role. Does nothing where there are none.
 */
export async function disableTwoFactor(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  requirePermission(moderator, 'manageUsers')
  const [member, factors] = await execute(
    ctx.db,
    both(findMemberById(ctx, accountId), findFactors(ctx, accountId)),
  )
  if (member === null) throw new NotFound()
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  if (!hasSecondFactor(factors)) {
    await commit(ctx, changes)
    return
  }
  const target = { type: 'account' as const, id: accountId, label: member.username }
  addFactorsRemoval(ctx, changes, accountId)
  addSecurityMail(ctx, changes, member, 'two-factor-off')
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'disable_2fa', target }))
}

/**
 * Sets whether a member is spared the code by mail when a sign-in looks new; undefined leaves it. Needs `manageUsers` and
 * a higher role.
 */
export async function setSkipSignInToken(
  ctx: Ctx,
  moderator: Moderator,
  accountId: AccountId,
  skip: boolean | undefined,
): Promise<void> {
  requirePermission(moderator, 'manageUsers')
  const member = await execute(ctx.db, orNotFound(findMemberById(ctx, accountId)))
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  const skipSignInToken = skip ?? member.skipSignInToken
  const entry: AuditEntry = {
    action: 'update',
    target: { type: 'account', id: accountId, label: member.username },
    before: { skip_sign_in_token: member.skipSignInToken },
    after: { skip_sign_in_token: skipSignInToken },
  }
  if (member.skipSignInToken !== skipSignInToken) recordAudit(ctx, changes, moderator, entry)
  changes.add(ctx.db.update(users).set({ skipSignInToken }).where(eq(users.accountId, accountId)))
  await commit(ctx, changes)
}
