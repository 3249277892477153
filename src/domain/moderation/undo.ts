import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accountDeletions, accounts, users } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { type Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { countUser } from '../metrics/counters'
import { unblockAddressOf } from '../sign-up-blocks/canonical-email-blocks'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  handleOf,
  isPublicMember,
  type ModeratedAccount,
  requireTarget,
} from './find-target'

/** Enables a disabled member again. Nothing happens to one who is not disabled; `Forbidden` for a remote account. */
export async function enableAccount(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  const target = await findTarget(ctx, moderator, accountId)
  if (target.user === null) throw new Forbidden('no_local_sign_in', { handle: handleOf(target) })
  if (target.user.disabledAt === null) return
  const changes = changesOn(moderator, target)
  addEnabling(ctx, changes, moderator, target)
  await commit(ctx, changes)
}

/** Adds that a disabled member is enabled, with its audit entry. */
function addEnabling(ctx: Ctx, changes: Changes, moderator: Moderator, target: ModeratedAccount): void {
  changes.add(ctx.db.update(users).set({ disabledAt: null }).where(eq(users.accountId, target.id)))
  recordAudit(ctx, changes, moderator, {
    action: 'enable',
    target: auditTarget(target),
    before: { disable: true },
    after: { disable: false },
  })
}

const marks = {
  unsensitive: { column: 'sensitizedAt', state: 'sensitive' },
  unsilence: { column: 'silencedAt', state: 'silence' },
} as const

/** Lifts the mark that all media are sensitive, or the limit. Nothing happens to an account without it. */
export async function removeMark(
  ctx: Ctx,
  moderator: Moderator,
  { accountId, action }: { readonly accountId: AccountId; readonly action: keyof typeof marks },
): Promise<void> {
  const target = await findTarget(ctx, moderator, accountId)
  if (target[marks[action].column] === null) return
  const changes = changesOn(moderator, target)
  addMarkRemoval(ctx, changes, moderator, { target, action })
  await commit(ctx, changes)
}

/** Adds that a mark is lifted, with its audit entry. */
function addMarkRemoval(
  ctx: Ctx,
  changes: Changes,
  moderator: Moderator,
  { target, action }: { readonly target: ModeratedAccount; readonly action: keyof typeof marks },
): void {
  const { column, state } = marks[action]
  changes.add(
    ctx.db
      .update(accounts)
      .set({ [column]: null })
      .where(eq(accounts.id, target.id)),
  )
  if (action === 'unsilence') changes.publish({ kind: 'standing.changed', accountId: target.id })
  recordAudit(ctx, changes, moderator, {
    action,
    target: auditTarget(target),
    before: { [state]: true },
    after: { [state]: false },
  })
}

/**
 * Lifts a suspension: everything the account had is shown again, and the removal of its data is called off.
 *
 * A local account is published again as it is; a remote one is fetched again, because its own server may have suspended
 * or changed it meanwhile. Its ended follows of local accounts do not return. `Forbidden` for an account that is not
 * suspended, was suspended by its own server, or is deleted.
 */
export async function unsuspendAccount(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  const target = await findTarget(ctx, moderator, accountId)
  const isDeleted = target.domain === null && target.user === null
  if (target.suspendedAt === null || isDeleted)
    throw new Forbidden(isDeleted ? 'deleted' : 'not_suspended', { handle: handleOf(target) })
  if (target.suspendedAtHome) throw new Forbidden('suspended_remotely', { handle: handleOf(target) })
  const changes = changesOn(moderator, target)
  addUnsuspension(ctx, changes, moderator, target)
  await commit(ctx, changes)
}

/** Adds that a suspension by this server's moderators is lifted, with its audit entry. */
function addUnsuspension(ctx: Ctx, changes: Changes, moderator: Moderator, target: ModeratedAccount): void {
  const { id: accountId } = target
  changes
    .require(
      sql`exists (select 1 from accounts where id = ${accountId} and suspended_at is not null)`,
      new Forbidden('not_suspended', { handle: handleOf(target) }),
    )
    .add(
      ctx.db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, accountId)),
      ctx.db.delete(accountDeletions).where(eq(accountDeletions.accountId, accountId)),
    )
  unblockAddressOf(ctx, changes, accountId)
  if (target.user !== null)
    changes.add(countUser(ctx, accountId, 1)).enqueue({ kind: 'settle-files', accountId, after: 0 })
  if (isPublicMember(target)) changes.emit({ kind: 'account.updated', accountId })
  if (target.uri !== null) changes.enqueue({ kind: 'refetch-object', uri: target.uri })
  recordAudit(ctx, changes, moderator, {
    action: 'unsuspend',
    target: auditTarget(target),
    before: { suspend: true },
    after: { suspend: false },
  })
}

/**
 * Adds what undoes the action of a strike, with its audit entry. A state that ended meanwhile stays ended, and deleted
 * statuses do not return.
 */
export function undoStrike(
  ctx: Ctx,
  changes: Changes,
  moderator: Moderator,
  { target, action }: { readonly target: ModeratedAccount; readonly action: WarningAction },
): void {
  const { user, silencedAt, sensitizedAt, suspendedAt, suspendedAtHome } = target
  if (action === 'disable' && user !== null && user.disabledAt !== null)
    addEnabling(ctx, changes, moderator, target)
  if (action === 'silence' && silencedAt !== null)
    addMarkRemoval(ctx, changes, moderator, { target, action: 'unsilence' })
  if (action === 'sensitive' && sensitizedAt !== null)
    addMarkRemoval(ctx, changes, moderator, { target, action: 'unsensitive' })
  if (action === 'suspend' && suspendedAt !== null && !suspendedAtHome)
    addUnsuspension(ctx, changes, moderator, target)
}

async function findTarget(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<ModeratedAccount> {
  return requireTarget(moderator, await execute(ctx.db, accountToModerate(ctx, accountId)))
}
