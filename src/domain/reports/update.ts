import { eq, sql } from 'drizzle-orm'
import { both, constant, execute, first } from '../../db/query'
import { reports } from '../../db/schema'
import type { ReportCategory } from '../../db/schema/reports'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { AccountId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { type AuditAction, changedValues, recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator, StaffMember } from '../core/viewer'
import { emitToWebhooks } from '../core/webhook-events'
import { accountHasPermission, requirePermission } from '../policy/permissions'
import { knownRules, type ReportRow, reportInHand } from './find'

type Fields = Pick<
  ReportRow,
  'category' | 'ruleIds' | 'assignedAccountId' | 'actionTakenAt' | 'actionTakenByAccountId'
>

interface Step {
  readonly action: AuditAction
  /** The fields to change; null where the report already is as wanted. Throws what its state does not allow. */
  decide(report: ReportRow): Partial<Fields> | null
}

/**
 * Changes category or rules. Rules without a category make it a `violation`, as when reporting; any other category
 * clears them. `Invalid` for unknown rules, and for a violation without a rule.
 */
export function updateReport(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  patch: {
    readonly category?: ReportCategory | undefined
    readonly ruleIds?: readonly number[] | undefined
  },
): Promise<ReportRow> {
  const { category, ruleIds } = patch
  const newRules = ruleIds ?? []
  return change(ctx, moderator, id, {
    action: 'update',
    newRules,
    decide(report) {
      const wanted = category ?? (newRules.length > 0 ? 'violation' : report.category)
      const rules = wanted === 'violation' ? (ruleIds ?? report.ruleIds) : []
      if (wanted === 'violation' && rules.length === 0) throw unknownRules()
      return { category: wanted, ruleIds: rules }
    },
  })
}

function unknownRules() {
  return new Invalid('unknown_rules', { field: 'rule_ids' })
}

/** Assigns the report to the moderator, also from another one. */
export function assignReport(ctx: Ctx, moderator: StaffMember, id: number): Promise<ReportRow> {
  return change(ctx, moderator, id, {
    action: 'assign_to_self',
    decide: ({ assignedAccountId }) =>
      assignedAccountId === moderator.accountId ? null : { assignedAccountId: moderator.accountId },
  })
}

/** Assigns the report to a moderator by name. `Invalid` unless it names a moderator of reports. */
export async function assignReportTo(
  ctx: Ctx,
  moderator: Moderator,
  { id, username }: { readonly id: number; readonly username: string },
): Promise<ReportRow> {
  const named = username.trim().replace(/^@/, '').toLowerCase()
  const found = ctx.db
    .select({ id: sql<AccountId>`a.id`.as('id') })
    .from(sql`accounts a`)
    .where(
      sql`lower(a.username) = ${named} and coalesce(a.domain, '') = ''
        and ${accountHasPermission(sql`a.id`, 'manageReports')}`,
    )
  const assignee = await execute(ctx.db, first(found))
  if (assignee === null) throw new Invalid('may_not_manage_reports', { username })
  return change(ctx, moderator, id, {
    action: 'assign',
    decide: ({ assignedAccountId }) =>
      assignedAccountId === assignee.id ? null : { assignedAccountId: assignee.id },
  })
}

/** Leaves the report to any moderator. */
export function unassignReport(ctx: Ctx, moderator: Moderator, id: number): Promise<ReportRow> {
  return change(ctx, moderator, id, {
    action: 'unassign',
    decide: ({ assignedAccountId }) => (assignedAccountId === null ? null : { assignedAccountId: null }),
  })
}

/** Resolves the report. `Conflict` where another moderator did. */
export function resolveReport(ctx: Ctx, moderator: Moderator, id: number): Promise<ReportRow> {
  return change(ctx, moderator, id, {
    action: 'resolve',
    decide({ actionTakenAt, actionTakenByAccountId }) {
      if (actionTakenAt === null)
        return { actionTakenAt: ctx.clock.now(), actionTakenByAccountId: moderator.accountId }
      if (actionTakenByAccountId === moderator.accountId) return null
      throw new Conflict('report_resolved_by_other')
    },
  })
}

/** Reopens a resolved report. */
export function reopenReport(ctx: Ctx, moderator: Moderator, id: number): Promise<ReportRow> {
  return change(ctx, moderator, id, {
    action: 'reopen',
    decide: ({ actionTakenAt }) =>
      actionTakenAt === null ? null : { actionTakenAt: null, actionTakenByAccountId: null },
  })
}

/**
 * Makes one step: reads, decides, and commits with an audit entry. `Conflict` where another moderator changed the
 * report in between. Emits `report.updated`.
 */
async function change(
  ctx: Ctx,
  moderator: Moderator,
  id: number,
  { action, decide, newRules = [] }: Step & { readonly newRules?: readonly number[] },
): Promise<ReportRow> {
  requirePermission(moderator, 'manageReports')
  const [found, rules] = await execute(
    ctx.db,
    both(reportInHand(ctx, id), newRules.length === 0 ? constant(0) : knownRules(ctx, newRules)),
  )
  if (found === null) throw new NotFound()
  if (rules < newRules.length) throw unknownRules()
  const { report, label } = found
  const wanted = decide(report)
  if (wanted === null) return report
  const { before = {}, after = {} } = changedValues(auditable(report), auditable({ ...report, ...wanted }))
  if (Object.keys(after).length === 0) return report
  const next = { ...report, ...wanted, updatedAt: versionAfter(ctx, report) }
  const changes = reportStep(ctx, { report, next })
  recordAudit(ctx, changes, moderator, {
    action,
    target: { type: 'report', id, label },
    before,
    after,
  })
  await commit(ctx, changes)
  return next
}

/** The time, but later than that of the version before even within one millisecond. */
export function versionAfter(ctx: Ctx, { updatedAt }: Pick<ReportRow, 'updatedAt'>): Date {
  return new Date(Math.max(ctx.clock.now().getTime(), updatedAt.getTime() + 1))
}

/** Writes `next` over `report`; `Conflict` where that is no longer the stored version. Emits `report.updated`. */
export function reportStep(
  ctx: Ctx,
  { report, next }: { readonly report: ReportRow; readonly next: ReportRow },
): Changes {
  const { id: _id, ...values } = next
  const isCurrent = sql`exists (select 1 from reports
    where id = ${report.id} and updated_at = ${report.updatedAt.getTime()})`
  const changes = new Changes()
    .require(isCurrent, new Conflict('report_changed'))
    .add(ctx.db.update(reports).set(values).where(eq(reports.id, report.id)))
  return emitToWebhooks(changes, { kind: 'report.updated', reportId: report.id })
}

/** Fields of a report that the audit log shows. */
function auditable({ category, ruleIds, assignedAccountId, actionTakenAt }: Fields) {
  return {
    category,
    rule_ids: ruleIds.map(String),
    assigned_account_id: assignedAccountId === null ? null : String(assignedAccountId),
    resolved: actionTakenAt !== null,
  }
}
