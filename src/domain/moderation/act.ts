import { eq, type SQL, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { accounts, sessions, users } from '../../db/schema'
import { Conflict, Invalid } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { type Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { leavesAnOwner } from '../policy/owners'
import {
  auditTarget,
  changesOn,
  handleOf,
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
export type ActionType = (typeof actionTypes)[number]

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
