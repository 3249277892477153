import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accounts, users } from '../../db/schema'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { type Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { countUser } from '../metrics/counters'
import { leavesAnOwner } from '../policy/owners'
import { addUnsentMail } from '../users/unsent-mails'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  handleOf,
  lastOwnerConflict,
  type ModeratedAccount,
  requireTarget,
} from './find-target'

/**
 * Approves a member pending approval. `Forbidden` for other accounts: of two moderators who decide at once only one
 * succeeds.
 *
 * Enqueues `send-account-email` where mail is sent, and emits `member.joined` once the address is confirmed as well.
 */
export async function approveMember(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  const { changes, target } = await startDecision(ctx, moderator, accountId)
  changes.add(ctx.db.update(users).set({ approved: true }).where(eq(users.accountId, accountId)))
  if (target.suspendedAt === null) changes.add(countUser(ctx, accountId, 1))
  if (target.user?.confirmedAt != null) changes.emit({ kind: 'member.joined', accountId })
  if (ctx.mailer !== null) changes.enqueue({ kind: 'send-account-email', accountId, purpose: 'approved' })
  recordAudit(ctx, changes, moderator, {
    action: 'approve',
    target: auditTarget(target),
    before: { approved: false },
    after: { approved: true },
  })
  await commit(ctx, changes)
}

/**
 * Rejects a member pending approval: the account is deleted and the name free. `Forbidden` for other accounts.
 *
 * The rejection email keeps the address until it is sent: the account is deleted at once.
 */
export async function rejectMember(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  const { changes, target } = await startDecision(ctx, moderator, accountId)
  changes
    .require(leavesAnOwner(accountId), lastOwnerConflict(target))
    .add(ctx.db.delete(accounts).where(eq(accounts.id, accountId)))
    .publish({ kind: 'sessions.ended', accountId, tokenIds: null })
  recordAudit(ctx, changes, moderator, { action: 'reject', target: auditTarget(target) })
  const { username, user } = target
  if (user !== null)
    addUnsentMail(ctx, changes, {
      kind: 'sign-up-rejected',
      accountId: null,
      username,
      email: user.email,
      locale: user.locale,
    })
  await commit(ctx, changes)
}

async function startDecision(ctx: Ctx, moderator: Moderator, accountId: AccountId) {
  const target = await findPendingMember(ctx, moderator, accountId)
  const changes: Changes = changesOn(moderator, target).require(
    sql`exists (select 1 from users where account_id = ${accountId} and approved = 0)`,
    decidedAlready(target),
  )
  return { changes, target }
}

/** A member pending approval whom the moderator may decide about. `NotFound`, `Forbidden`. */
export async function findPendingMember(
  ctx: Ctx,
  moderator: Moderator,
  accountId: AccountId,
): Promise<ModeratedAccount> {
  const target = requireTarget(moderator, await execute(ctx.db, accountToModerate(ctx, accountId)))
  if (target.user?.approved !== false) throw decidedAlready(target)
  return target
}

function decidedAlready(target: ModeratedAccount): Forbidden {
  return new Forbidden('not_pending', { handle: handleOf(target) })
}
