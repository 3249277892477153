import { desc, eq, type SQL, sql } from 'drizzle-orm'
import { combineQueries, constant, execute, first, rows } from '../../db/query'
import { accounts, reports, sessions, users, warningPresets } from '../../db/schema'
import { inList } from '../../db/sql'
import { Conflict, NotFound, validationFailed } from '../../errors'
import type { AccountId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../platform/ports'
import { recordAudit } from '../core/audit'
import { type Changes, commit } from '../core/changes'
import type { Moderator } from '../core/moderator'
import { emitToWebhooks } from '../core/webhook-events'
import { leavesAnOwner } from '../policy/owners'
import { keepEvidence } from '../statuses/keep-evidence'
import { addWarning } from '../users/warn'
import {
  accountToModerate,
  auditTarget,
  changesOn,
  handleOf,
  lastOwnerConflict,
  type ModeratedAccount,
  requireTarget,
  statusesAmong,
} from './find-target'
import { addSuspension } from './suspend-account'

export const actionTypes = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
export type ActionType = (typeof actionTypes)[number]

/** Decision of a moderator about an account. */
export interface AccountAction {
  readonly accountId: AccountId
  /** State the account is put into; `none` for a mere warning. */
  readonly type: ActionType
  /** For the owner of the account, after the text of the preset. */
  readonly text: string
  /** Report that led to it, which is resolved. */
  readonly reportId: number | null
  readonly warningPresetId: number | null
  /** Notifies the owner of a local account, by mail as well. */
  readonly sendEmail: boolean
  /** Statuses that led to it; null for those of the report. */
  readonly statusIds: readonly StatusId[] | null
}

const maxText = 10_000
const maxStatuses = 100
/** Open reports about one account that one act resolves. */
const maxReports = 100

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
  const { accountId, type, reportId } = action
  const found = await execute(ctx.db, findFacts(ctx, action))
  const target = requireTarget(moderator, found.target)
  const text = textOf(action, found.preset)
  refuseUnsuitable(action, found, target)
  const report = found.reports.find(({ id }) => id === reportId)
  const statusIds = action.statusIds ?? report?.statusIds ?? null
  const changes = changesOn(moderator, target)
  await applyState(ctx, changes, type, target)
  const strikeId = addWarning(ctx, changes, {
    targetId: accountId,
    action: type,
    text,
    by: moderator.accountId,
    statusIds: statusIds?.length === 0 ? null : statusIds,
    isAnnounced: action.sendEmail && target.user !== null,
    ...(reportId === null ? {} : { reportId }),
  })
  keepEvidence(ctx, changes, { strikeId, reportId }, statusIds ?? [])
  const resolved = type === 'none' ? found.reports.filter(({ id }) => id === reportId) : found.reports
  resolveReports(ctx, changes, { moderator, reports: resolved, named: reportId })
  recordAudit(ctx, changes, moderator, {
    action: type === 'none' ? 'warn' : type,
    target: auditTarget(target),
    ...(type === 'none' ? {} : { before: { [type]: false } }),
    after: {
      ...(type === 'none' ? {} : { [type]: true }),
      strike_id: String(strikeId),
      ...(reportId === null ? {} : { report_id: String(reportId) }),
    },
  })
  await commit(ctx, changes)
  return strikeId
}

function findFacts(ctx: Ctx, { accountId, reportId, warningPresetId, statusIds }: AccountAction) {
  const { id, targetAccountId, actionTakenAt } = reports
  const isConcerned = sql`${actionTakenAt} is null and ${targetAccountId} = ${accountId}`
  const columns = { id, targetAccountId, actionTakenAt, statusIds: reports.statusIds }
  const asked = statusIds ?? []
  return combineQueries({
    target: accountToModerate(ctx, accountId),
    report:
      reportId === null
        ? constant(null)
        : first(ctx.db.select(columns).from(reports).where(eq(id, reportId))),
    reports: rows(
      ctx.db.select(columns).from(reports).where(isConcerned).orderBy(desc(id)).limit(maxReports),
    ),
    preset:
      warningPresetId === null
        ? constant(null)
        : first(
            ctx.db
              .select({ text: warningPresets.text })
              .from(warningPresets)
              .where(eq(warningPresets.id, warningPresetId)),
          ),
    statuses: asked.length === 0 ? constant([]) : statusesAmong(ctx, accountId, asked.slice(0, maxStatuses)),
  })
}

type Facts = ReturnType<ReturnType<typeof findFacts>['decode']>

function textOf({ text, warningPresetId }: AccountAction, preset: Facts['preset']): string {
  if (warningPresetId !== null && preset === null) throw new NotFound()
  const whole = [preset?.text ?? '', text.trim()].filter((part) => part !== '').join('\n\n')
  if ([...whole].length > maxText)
    throw validationFailed(`Text is too long (maximum is ${maxText} characters)`)
  return whole
}

function refuseUnsuitable(action: AccountAction, found: Facts, target: ModeratedAccount): void {
  const { accountId, type, reportId, statusIds } = action
  if (type === 'disable' && target.user === null)
    throw validationFailed('Type is not possible for an account without a sign-in here')
  if (reportId !== null && found.report === null) throw new NotFound()
  if (found.report !== null && found.report.targetAccountId !== accountId)
    throw validationFailed('Report is about another account')
  if (found.report !== null && found.report.actionTakenAt !== null) throw alreadyResolved()
  if (statusIds !== null && statusIds.length > maxStatuses)
    throw validationFailed(`Status ids are too many (maximum is ${maxStatuses})`)
  if (statusIds !== null && found.statuses.length < new Set(statusIds).size)
    throw validationFailed('Status ids are not all of the account')
}

function alreadyResolved(): Conflict {
  return new Conflict('The report has been resolved already')
}

/** Adds the state to `changes`, with a guard: of two moderators who act at once only one succeeds. */
async function applyState(
  ctx: Ctx,
  changes: Changes,
  type: ActionType,
  target: ModeratedAccount,
): Promise<void> {
  const { id } = target
  const now = ctx.clock.now()
  const ofAccount = eq(accounts.id, id)
  const requireUnset = (table: 'accounts' | 'users', key: SQL, column: SQL, state: string) =>
    changes.require(
      sql`exists (select 1 from ${sql.raw(table)} where ${key} = ${id} and ${column} is null)`,
      new Conflict(`${handleOf(target)} is ${state} already`),
    )
  switch (type) {
    case 'none':
      return
    case 'disable':
      requireUnset('users', sql`account_id`, sql`disabled_at`, 'disabled')
        .require(leavesAnOwner(id), lastOwnerConflict(target))
        .add(
          ctx.db.update(users).set({ disabledAt: now }).where(eq(users.accountId, id)),
          // Ended for good: enabling the account does not bring back the browsers of whoever had got in. The rows stay
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
      await addSuspension(ctx, changes, target)
  }
}

interface Resolution {
  readonly moderator: Moderator
  readonly reports: Facts['reports']
  /** The report that the moderator named: it must still be open. */
  readonly named: number | null
}

function resolveReports(ctx: Ctx, changes: Changes, { moderator, reports: open, named }: Resolution): void {
  if (named !== null)
    changes.require(
      sql`exists (select 1 from reports where id = ${named} and action_taken_at is null)`,
      alreadyResolved(),
    )
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  const now = ctx.clock.now()
  changes.add(
    ctx.db
      .update(reports)
      .set({
        actionTakenAt: now,
        actionTakenByAccountId: moderator.accountId,
        // The version of a report grows with every change, even within one millisecond.
        updatedAt: sql`max(updated_at + 1, ${now.getTime()})`,
      })
      .where(sql`${inList(reports.id, ids)} and ${reports.actionTakenAt} is null`),
  )
  for (const id of ids) {
    emitToWebhooks(changes, { kind: 'report.updated', reportId: id })
    recordAudit(ctx, changes, moderator, {
      action: 'resolve',
      target: { type: 'report', id, label: `#${id}` },
      before: { resolved: false },
      after: { resolved: true },
    })
  }
}
