import { eq, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accountDeletions, accounts, users } from '../../db/schema'
import { Forbidden } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { recordAudit } from '../core/audit'
import { commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  handleOf,
  isPublicMember,
  type ModeratedAccount,
  requireTarget,
} from './find-target'
import { countUsers } from './suspend-account'

/** Enables a disabled member again. Nothing happens to one who is not disabled; `Forbidden` for a remote account. */
export async function enableAccount(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<void> {
  const target = await findTarget(ctx, moderator, accountId)
  if (target.user === null) throw new Forbidden(`${handleOf(target)} has no sign-in here`)
  if (target.user.disabledAt === null) return
  const changes = changesOn(moderator, target).add(
    ctx.db.update(users).set({ disabledAt: null }).where(eq(users.accountId, accountId)),
  )
  recordAudit(ctx, changes, moderator, {
    action: 'enable',
    target: auditTarget(target),
    before: { disable: true },
    after: { disable: false },
  })
  await commit(ctx, changes)
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
  const { column, state } = marks[action]
  if (target[column] === null) return
  const changes = changesOn(moderator, target).add(
    ctx.db
      .update(accounts)
      .set({ [column]: null })
      .where(eq(accounts.id, accountId)),
  )
  recordAudit(ctx, changes, moderator, {
    action,
    target: auditTarget(target),
    before: { [state]: true },
    after: { [state]: false },
  })
  await commit(ctx, changes)
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
    throw new Forbidden(`${handleOf(target)} is ${isDeleted ? 'deleted' : 'not suspended'}`)
  if (target.suspendedAtHome) throw new Forbidden(`${handleOf(target)} is suspended by its own server`)
  const changes = changesOn(moderator, target)
    .require(
      sql`exists (select 1 from accounts where id = ${accountId} and suspended_at is not null)`,
      new Forbidden(`${handleOf(target)} is not suspended`),
    )
    .add(
      ctx.db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, accountId)),
      ctx.db.delete(accountDeletions).where(eq(accountDeletions.accountId, accountId)),
    )
  if (target.user !== null)
    changes.add(countUsers(ctx, 1)).enqueue({ kind: 'settle-files', accountId, after: 0 })
  if (isPublicMember(target)) changes.emit({ kind: 'account.updated', accountId })
  if (target.uri !== null) changes.enqueue({ kind: 'refetch-object', uri: target.uri })
  recordAudit(ctx, changes, moderator, {
    action: 'unsuspend',
    target: auditTarget(target),
    before: { suspend: true },
    after: { suspend: false },
  })
  await commit(ctx, changes)
}

async function findTarget(ctx: Ctx, moderator: Moderator, accountId: AccountId): Promise<ModeratedAccount> {
  return requireTarget(moderator, await execute(ctx.db, accountToModerate(ctx, accountId)))
}
