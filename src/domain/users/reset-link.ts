import { execute } from '../../db/query'
import { NotFound } from '../../errors'
import { passwordResetUrl } from '../../lib/addresses'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { requirePermission, requireRankAbove } from '../policy/moderators'
import { findMemberById } from './find'
import { addUserToken } from './user-tokens'

/**
 * Makes a link by which a member chooses a new password, for servers that send no mail; needs `manageUserAccess` and a
 * higher role. Replaces an earlier link. `NotFound` for other accounts.
 */
export async function createResetLink(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<string> {
  requirePermission(moderator, 'manageUserAccess')
  const member = await execute(ctx.db, findMemberById(ctx, accountId))
  if (member === null) throw new NotFound()
  const changes = requireRankAbove(new Changes(), moderator, accountId)
  const token = await addUserToken(ctx, changes, { accountId, purpose: 'reset', email: null })
  const target = { type: 'account' as const, id: accountId, label: member.username }
  await commit(ctx, recordAudit(ctx, changes, moderator, { action: 'reset_password', target }))
  return passwordResetUrl(ctx.config.origin, token)
}
