import { eq, sql } from 'drizzle-orm'
import { both, execute, rows } from '../../db/query'
import { accountDeletions, accounts, users } from '../../db/schema'
import { Conflict, Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { addLocalDeletion, type DeletableAccount, findDeletableAccount } from '../accounts/delete-own'
import { addRemoteDeletion } from '../accounts/delete-remote'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
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
 * Removes the data of a suspended account now, before the 30 days are over. Cannot be undone.
 *
 * An empty row stays, suspended for good: the name of a local account is never assigned again, and a remote account
 * cannot come back by being fetched. Statuses and interactions go by `account.left`, in batches. `Forbidden` for an
 * account that is not suspended, or is deleted.
 */
export async function deleteSuspendedAccount(
  ctx: Ctx,
  moderator: Moderator,
  accountId: AccountId,
): Promise<void> {
  const [found, own] = await execute(
    ctx.db,
    both(accountToModerate(ctx, accountId), findDeletableAccount(ctx, accountId)),
  )
  const target = requireDeletable(moderator, found, own)
  const changes = changesOn(moderator, target)
    .require(isSuspended(accountId), new Forbidden('not_suspended', { handle: handleOf(target) }))
    .require(leavesAnOwner(accountId), lastOwnerConflict(target))
  addDeletion(ctx, changes, { id: accountId, own })
  recordAudit(ctx, changes, moderator, { action: 'delete', target: auditTarget(target) })
  await commit(ctx, changes)
}

/** The account, once it is known to be suspended and not deleted. `NotFound`, `Forbidden`. */
export function requireDeletable(
  moderator: Moderator,
  found: ModeratedAccount | null,
  own: DeletableAccount | null,
): ModeratedAccount {
  const target = requireTarget(moderator, found)
  if (target.suspendedAt === null) throw new Forbidden('not_suspended', { handle: handleOf(target) })
  if (target.domain === null && own === null) throw new Forbidden('deleted', { handle: handleOf(target) })
  return target
}

/** Each account takes some dozen statements. */
const accountsPerRun = 1
/** Time after which the removal of an account that failed is tried again. */
const retryMilliseconds = 3_600_000

/** Condition: the suspension of an account can no longer be lifted. */
export const hasDueRemovals = ({ clock }: Ctx) =>
  sql`exists (select 1 from account_deletions where due_at <= ${clock.now().getTime()})`

/**
 * Cron: removes the data of accounts whose suspension can no longer be lifted, those longest due first. What one account
 * fails by does not keep the others.
 */
export async function removeDueAccounts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const due = await execute(
    ctx.db,
    rows(
      ctx.db
        .select({ id: accountDeletions.accountId })
        .from(accountDeletions)
        .where(sql`${accountDeletions.dueAt} <= ${now.getTime()}`)
        .orderBy(accountDeletions.dueAt)
        .limit(accountsPerRun),
    ),
  )
  for (const { id } of due)
    try {
      await removeDueAccount(ctx, id, now)
    } catch (cause) {
      ctx.log.error('The data of a suspended account were not removed', { id, cause })
      const dueAt = new Date(now.getTime() + retryMilliseconds)
      await commit(
        ctx,
        new Changes().add(
          ctx.db.update(accountDeletions).set({ dueAt }).where(eq(accountDeletions.accountId, id)),
        ),
      )
    }
}

async function removeDueAccount(ctx: Ctx, id: AccountId, now: Date): Promise<void> {
  const [target, own] = await execute(ctx.db, both(accountToModerate(ctx, id), findDeletableAccount(ctx, id)))
  const lifted = new Conflict('suspension_lifted')
  const changes = new Changes()
    .require(isSuspended(id), lifted)
    .require(
      sql`exists (select 1 from account_deletions where account_id = ${id} and due_at <= ${now.getTime()})`,
      lifted,
    )
  // Deleted otherwise since, by its own server or by its owner: nothing is left to remove.
  if (target?.domain === null && own === null) changes.add(callOff(ctx, id))
  else addDeletion(ctx, changes, { id, own })
  await commit(ctx, changes)
}

/** Adds the deletion; `own` is null for a remote account. */
function addDeletion(
  ctx: Ctx,
  changes: Changes,
  { id, own }: { readonly id: AccountId; readonly own: DeletableAccount | null },
): void {
  if (own === null) addRemoteDeletion(ctx, changes, { id, keepsAddress: true })
  else addLocalDeletion(ctx, changes, own)
  changes.add(callOff(ctx, id))
}

function callOff(ctx: Ctx, id: AccountId) {
  return ctx.db.delete(accountDeletions).where(eq(accountDeletions.accountId, id))
}

function isSuspended(id: AccountId) {
  return sql`exists (select 1 from accounts where id = ${id} and suspended_at is not null)`
}

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

/** A member pending approval that the moderator may decide about. `NotFound`, `Forbidden`. */
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
