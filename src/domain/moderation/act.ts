import { eq, type SQL, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accountDeletions, accounts, sessions, users } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import { Conflict, Forbidden, Invalid } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { type Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { countUser } from '../metrics/counters'
import { leavesAnOwner } from '../policy/owners'
import { unblockAddressOf } from '../sign-up-blocks/canonical-email-blocks'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  handleOf,
  isPublicMember,
  lastOwnerConflict,
  type ModeratedAccount,
  requireTarget,
} from './find-target'
import {
  addStrike,
  checkStrike,
  collectionsConcerned,
  findStrikeFacts,
  resolveReports,
  type StrikeOrder,
  statusesConcerned,
} from './strike'
import { addSuspension } from './suspend-account'

export const actionTypes = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
type ActionType = (typeof actionTypes)[number]

/** Decision of a moderator about an account. */
export interface AccountAction extends StrikeOrder {
  /** State the account is put into; `none` for a mere warning. */
  readonly type: ActionType
  /** Whether a suspension keeps the e-mail address from signing up again; true by default, as in Mastodon. */
  readonly blocksAddress?: boolean
}

/**
 * Puts an account into a state, or warns its owner: leaves a strike, resolves the report, and with every type but
 * `none` all open reports about the account, notifies the owner, and records an audit entry. One round trip to read,
 * one to commit; returns the id of the strike.
 *
 * `NotFound` for an unknown account, report or preset; `Forbidden` for an account of an equal or higher role; `Invalid`
 * for a type that a remote account cannot have, a report about another account and statuses of others; `Conflict` where
 * the account is in that state, the report is resolved, or the last owner would be locked out.
 */
export async function actOnAccount(ctx: Ctx, moderator: Moderator, action: AccountAction): Promise<number> {
  const { type, reportId } = action
  const found = await execute(ctx.db, findStrikeFacts(ctx, moderator, action))
  const target = requireTarget(moderator, found.target)
  if (type === 'disable' && target.user === null) throw new Invalid('without_sign_in', { field: 'type' })
  const text = checkStrike(action, found)
  const statusIds = statusesConcerned(action, found)
  const changes = changesOn(moderator, target)
  await applyState(ctx, changes, action, target)
  const strikeId = addStrike(ctx, changes, moderator, {
    order: action,
    action: type,
    text,
    statusIds,
    collectionIds: collectionsConcerned(action, found),
    target,
  })
  const resolved = type === 'none' ? found.reports.filter(({ id }) => id === reportId) : found.reports
  resolveReports(ctx, changes, moderator, { target, reports: resolved, named: reportId })
  recordAudit(ctx, changes, moderator, {
    action: type === 'none' ? 'warn' : type,
    target: auditTarget(target),
    ...(type === 'none' ? {} : { before: { [type]: false } }),
    after: {
      ...(type === 'none' ? {} : { [type]: true }),
      ...(type === 'suspend' && target.user !== null ? { block_email: action.blocksAddress !== false } : {}),
      strike_id: String(strikeId),
      ...(reportId === null ? {} : { report_id: String(reportId) }),
    },
  })
  await commit(ctx, changes)
  return strikeId
}

/** Adds the state to `changes`, with a guard: of two moderators who act at once only one succeeds. */
async function applyState(
  ctx: Ctx,
  changes: Changes,
  { type, blocksAddress = true }: Pick<AccountAction, 'type' | 'blocksAddress'>,
  target: ModeratedAccount,
): Promise<void> {
  const { id } = target
  const now = ctx.clock.now()
  const ofAccount = eq(accounts.id, id)
  const requireUnset = (table: 'accounts' | 'users', key: SQL, column: SQL, state: string) =>
    changes.require(
      sql`exists (select 1 from ${sql.raw(table)} where ${key} = ${id} and ${column} is null)`,
      new Conflict('account_in_state', { handle: handleOf(target), state }),
    )
  switch (type) {
    case 'none':
      return
    case 'disable':
      requireUnset('users', sql`account_id`, sql`disabled_at`, 'disabled')
        .require(leavesAnOwner(id), lastOwnerConflict(target))
        .add(
          ctx.db.update(users).set({ disabledAt: now }).where(eq(users.accountId, id)),
          // Ended for good: enabling the account does not restore sessions of an intruder. The rows stay
          // until they are pruned, for the addresses in them.
          ctx.db.update(sessions).set({ expiresAt: now }).where(eq(sessions.accountId, id)),
        )
        .publish({ kind: 'sessions.ended', accountId: id, tokenIds: null })
      return
    case 'sensitive':
      requireUnset('accounts', sql`id`, sql`sensitized_at`, 'sensitized').add(
        ctx.db.update(accounts).set({ sensitizedAt: now }).where(ofAccount),
      )
      return
    case 'silence':
      requireUnset('accounts', sql`id`, sql`silenced_at`, 'silenced').add(
        ctx.db.update(accounts).set({ silencedAt: now }).where(ofAccount),
      )
      return
    case 'suspend':
      changes.require(leavesAnOwner(id), lastOwnerConflict(target))
      await addSuspension(ctx, changes, target, { blocksAddress })
  }
}

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
