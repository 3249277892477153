import { desc, eq, sql } from 'drizzle-orm'
import { combineQueries, constant, first, inList, type Query, rows } from '../../db/query'
import { reports, warningPresets } from '../../db/schema'
import type { WarningAction } from '../../db/schema/reports'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { AccountId, CollectionId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import type { CollectionRow } from '../collections/find'
import { keepCollectionEvidence } from '../collections/keep-evidence'
import { recordAudits } from '../core/audit'
import type { Changes } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { emitToWebhooks } from '../core/webhook-events'
import { keepEvidence } from '../statuses/keep-evidence'
import { addWarning } from '../users/warn'
import { collectionsAmong } from './act-on-collections'
import { accountToModerate, auditTarget, type ModeratedAccount, statusesAmong } from './find-target'

/** Grounds of an action against an account, and the words about it. */
export interface StrikeOrder {
  readonly accountId: AccountId
  /** For the owner of the account, after the text of the preset. */
  readonly text: string
  /** Report that led to it, which is resolved. */
  readonly reportId: number | null
  readonly warningPresetId: number | null
  /** Notifies the owner of a local account, by mail as well. */
  readonly sendEmail: boolean
  /** Statuses that led to it, and collections: null for those of the report, unless the others are named. */
  readonly statusIds: readonly StatusId[] | null
  readonly collectionIds: readonly CollectionId[] | null
}

interface ConcernedReport {
  readonly id: number
  readonly targetAccountId: AccountId
  readonly actionTakenAt: Date | null
  readonly statusIds: readonly StatusId[]
  readonly collectionIds: readonly CollectionId[]
}

/** Lookups for a strike. */
export interface StrikeFacts {
  readonly target: ModeratedAccount | null
  /** The report named. */
  readonly report: ConcernedReport | null
  /** Open reports about the account. */
  readonly reports: readonly ConcernedReport[]
  readonly preset: { readonly text: string } | null
  /** Statuses named, as far as they are of the account and the moderator may name them. */
  readonly statuses: readonly { readonly id: StatusId }[]
  /** Collections named, as far as they are of the account. */
  readonly collections: readonly CollectionRow[]
}

const maxText = 10_000
/** Of statuses, and of collections. */
const maxNamed = 100
/** Open reports about one account that one act resolves. */
const maxReports = 100

export function findStrikeFacts(ctx: Ctx, moderator: Moderator, order: StrikeOrder): Query<StrikeFacts> {
  const { accountId, reportId, warningPresetId, statusIds, collectionIds } = order
  const { id, targetAccountId, actionTakenAt } = reports
  const isConcerned = sql`${actionTakenAt} is null and ${targetAccountId} = ${accountId}`
  const columns = {
    id,
    targetAccountId,
    actionTakenAt,
    statusIds: reports.statusIds,
    collectionIds: reports.collectionIds,
  }
  const named = (statusIds ?? []).slice(0, maxNamed)
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
    statuses:
      named.length === 0 ? constant([]) : statusesAmong(ctx, moderator, { by: accountId, ids: named }),
    collections:
      collectionIds === null
        ? constant([])
        : collectionsAmong(ctx, { by: accountId, ids: collectionIds.slice(0, maxNamed) }),
  })
}

/**
 * Refuses a strike that does not fit: `NotFound` for an unknown report or preset, `Invalid` for a report about another
 * account, statuses and collections of others and a long text, `Conflict` for a resolved report. Returns the text of the
 * strike.
 */
export function checkStrike(
  order: StrikeOrder,
  { report, statuses, collections, preset }: StrikeFacts,
): string {
  const { accountId, reportId, statusIds, collectionIds } = order
  if (reportId !== null && report === null) throw new NotFound()
  if (report !== null && report.targetAccountId !== accountId)
    throw new Invalid('of_other_account', { field: 'report' })
  if (report !== null && report.actionTakenAt !== null) throw alreadyResolved()
  if (statusIds !== null && statusIds.length > maxNamed)
    throw new Invalid('too_many', { field: 'status_ids', max: maxNamed })
  if (statusIds !== null && statuses.length < new Set(statusIds).size)
    throw new Invalid('of_other_accounts', { field: 'status_ids' })
  if (collectionIds !== null && collectionIds.length > maxNamed)
    throw new Invalid('too_many', { field: 'collection_ids', max: maxNamed })
  if (collectionIds !== null && collections.length < new Set(collectionIds).size)
    throw new Invalid('of_other_accounts', { field: 'collection_ids' })
  return textOf(order, preset)
}

function textOf({ text, warningPresetId }: StrikeOrder, preset: StrikeFacts['preset']): string {
  if (warningPresetId !== null && preset === null) throw new NotFound()
  const whole = [preset?.text ?? '', text.trim()].filter((part) => part !== '').join('\n\n')
  if ([...whole].length > maxText) throw new Invalid('too_long', { field: 'text', max: maxText })
  return whole
}

function alreadyResolved(): Conflict {
  return new Conflict('report_resolved')
}

/** Statuses that a strike is about. */
export function statusesConcerned(
  { statusIds, collectionIds }: StrikeOrder,
  { report }: StrikeFacts,
): readonly StatusId[] {
  return [...new Set(statusIds ?? (collectionIds === null ? report?.statusIds : null) ?? [])]
}

/** Collections that a strike is about. */
export function collectionsConcerned(
  { statusIds, collectionIds }: StrikeOrder,
  { report }: StrikeFacts,
): readonly CollectionId[] {
  return [...new Set(collectionIds ?? (statusIds === null ? report?.collectionIds : null) ?? [])]
}

/** A strike as decided. */
export interface Decision {
  readonly order: StrikeOrder
  readonly action: WarningAction
  readonly text: string
  readonly statusIds: readonly StatusId[]
  readonly collectionIds: readonly CollectionId[]
  readonly target: ModeratedAccount
}

/** Adds a strike with its evidence and, if wanted, the notification of the owner. Returns its id. */
export function addStrike(ctx: Ctx, changes: Changes, moderator: Moderator, decision: Decision): number {
  const { order, action, text, statusIds, collectionIds, target } = decision
  const strikeId = addWarning(ctx, changes, {
    targetId: target.id,
    action,
    text,
    by: moderator.accountId,
    statusIds: statusIds.length === 0 ? null : statusIds,
    isAnnounced: order.sendEmail && target.user !== null,
    ...(order.reportId === null ? {} : { reportId: order.reportId }),
  })
  keepEvidence(
    ctx,
    changes,
    { strikeId, reportId: order.reportId, isRemote: target.domain !== null },
    statusIds,
  )
  keepCollectionEvidence(ctx, changes, { strikeId, reportId: order.reportId }, collectionIds)
  return strikeId
}

interface Resolution {
  readonly target: ModeratedAccount
  readonly reports: readonly { readonly id: number }[]
  /** The report that the moderator named: it must still be open. */
  readonly named: number | null
}

/** Adds that reports are resolved, each with its audit entry. */
export function resolveReports(
  ctx: Ctx,
  changes: Changes,
  moderator: Moderator,
  { target, reports: open, named }: Resolution,
): void {
  if (named !== null)
    changes.require(
      sql`exists (select 1 from reports where id = ${named} and action_taken_at is null)`,
      alreadyResolved(),
    )
  if (open.length === 0) return
  const ids = open.map(({ id }) => id)
  const { label } = auditTarget(target)
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
  for (const id of ids) emitToWebhooks(changes, { kind: 'report.updated', reportId: id })
  recordAudits(
    ctx,
    changes,
    moderator,
    ids.map((id) => ({
      action: 'resolve',
      target: { type: 'report', id, label },
      before: { resolved: false },
      after: { resolved: true },
    })),
  )
}
