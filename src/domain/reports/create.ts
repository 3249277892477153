import { combineQueries, constant, execute } from '../../db/query'
import { reports } from '../../db/schema'
import type { ReportCategory } from '../../db/schema/reports'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { AccountId, CollectionId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { keepCollectionEvidence } from '../collections/keep-evidence'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { emitToWebhooks } from '../core/webhook-events'
import { type ReportedStatus, statusesToReport } from '../statuses/find-author'
import { keepEvidence } from '../statuses/keep-evidence'
import { collectionsToReport, knownRules, type ReportRow, reportTarget, unresolvedReport } from './find'
import { findReportRecipients, notifyStaffOfReports } from './notify-staff'
import { reportStep, versionAfter } from './update'

export interface ReportDraft {
  readonly targetId: AccountId
  readonly statusIds: readonly StatusId[]
  readonly collectionIds: readonly CollectionId[]
  readonly comment: string
  /** Becomes `violation` if rules are given, whatever is sent. */
  readonly category: ReportCategory
  readonly ruleIds: readonly number[]
  /** Whether to forward the report to remote servers. */
  readonly forward: boolean
  /** Domains to forward to; absent: that of the target. */
  readonly domains?: readonly string[] | undefined
}

const maxComment = 1_000
/** Of statuses, and of collections. */
const maxNamed = 100

/**
 * Reports an account, with statuses and collections of it, to the local moderators: one round trip to read, one to
 * commit.
 *
 * `NotFound` for an account that is unknown or suspended, and for statuses and collections that are not its own or
 * hidden from the reporter. `Invalid` for unknown rules, and for too many items or characters. Emits
 * `report.forwarded` for each remote server to forward to: that of the target, and those of the authors its statuses
 * reply to. Moderators are notified.
 *
 * While a report of the same reporter about the same account is unresolved, further reports are merged into it
 * (`joinReports`), unless it is to be forwarded: other servers know a report by its id, and would ignore the rest.
 */
export async function createReport(ctx: Ctx, reporter: Viewer, draft: ReportDraft): Promise<ReportRow> {
  const { targetId, statusIds, collectionIds, ruleIds } = draft
  const from = { reporter: reporter.id, author: targetId }
  refuseTooMuch(draft)
  const { domain, statuses, collections, rules, staff, earlier } = await execute(
    ctx.db,
    combineQueries({
      domain: reportTarget(ctx, targetId),
      statuses: statusIds.length === 0 ? constant([]) : statusesToReport(ctx, { ...from, named: statusIds }),
      collections:
        collectionIds.length === 0
          ? constant(0)
          : collectionsToReport(ctx, { ...from, named: collectionIds }),
      rules: ruleIds.length === 0 ? constant(0) : knownRules(ctx, ruleIds),
      staff: findReportRecipients(ctx, [targetId]),
      earlier: unresolvedReport(ctx, from),
    }),
  )
  const isAllThere = statuses.length >= statusIds.length && collections >= collectionIds.length
  if (domain === undefined || !isAllThere) throw new NotFound()
  const category = ruleIds.length > 0 ? 'violation' : draft.category
  if (category === 'violation' && (rules === 0 || rules < ruleIds.length))
    throw new Invalid('unknown_rules', { field: 'rule_ids' })
  const domains = draft.forward ? domainsToForwardTo(domain, statuses, draft.domains) : []
  const now = ctx.clock.now()
  const row: ReportRow = {
    id: ctx.ids.next(),
    accountId: reporter.id,
    targetAccountId: targetId,
    statusIds,
    ruleIds,
    category,
    collectionIds,
    comment: draft.comment,
    forwarded: domain !== null && domains.includes(domain),
    uri: null,
    applicationId: reporter.applicationId,
    createdAt: now,
    actionTakenAt: null,
    assignedAccountId: null,
    actionTakenByAccountId: null,
    updatedAt: now,
  }
  const joined = domains.length === 0 && earlier !== null ? joinReports(earlier, row) : null
  if (joined !== null && earlier !== null) {
    const next = { ...joined, updatedAt: versionAfter(ctx, earlier) }
    if (await storeJoined(ctx, { earlier, next, draft, isRemote: domain !== null })) return next
  }
  const changes = new Changes().add(ctx.db.insert(reports).values(row))
  emitToWebhooks(changes, { kind: 'report.created', reportId: row.id })
  keepEvidence(ctx, changes, { reportId: row.id, isRemote: domain !== null }, statusIds)
  keepCollectionEvidence(ctx, changes, { reportId: row.id }, collectionIds)
  notifyStaffOfReports(ctx, changes, { reports: [row], staff })
  for (const forwardDomain of domains)
    changes.emit({ kind: 'report.forwarded', reportId: row.id, domain: forwardDomain })
  await commit(ctx, changes)
  return row
}

function refuseTooMuch({ comment, statusIds, collectionIds }: ReportDraft): void {
  if ([...comment].length > maxComment) throw new Invalid('too_long', { field: 'comment', max: maxComment })
  if (statusIds.length > maxNamed) throw new Invalid('too_many', { field: 'status_ids', max: maxNamed })
  if (collectionIds.length > maxNamed)
    throw new Invalid('too_many', { field: 'collection_ids', max: maxNamed })
}

/**
 * The domains to forward to, among those asked for. Pure.
 *
 * Reports about local accounts are not forwarded, as in Mastodon.
 */
function domainsToForwardTo(
  domain: string | null,
  statuses: readonly ReportedStatus[],
  requested?: readonly string[],
): readonly string[] {
  if (domain === null) return []
  const concerned = new Set([domain, ...statuses.flatMap(({ answers }) => answers ?? [])])
  return [...new Set(requested ?? [domain])].filter((one) => concerned.has(one))
}

/** Characters of a joined comment. */
const maxJoinedComment = 10_000

/**
 * Joins a repeated report to an earlier one: comments one after the other, statuses, collections and rules together,
 * the later category unless one of the two is a violation. Null where that would be too much for one report. Pure.
 */
function joinReports(earlier: ReportRow, later: ReportRow): ReportRow | null {
  const isKnown = later.comment === '' || earlier.comment.includes(later.comment)
  const comment = isKnown ? earlier.comment : [earlier.comment, later.comment].filter(Boolean).join('\n\n')
  const statusIds = union(earlier.statusIds, later.statusIds)
  const collectionIds = union(earlier.collectionIds, later.collectionIds)
  if ([...comment].length > maxJoinedComment || Math.max(statusIds.length, collectionIds.length) > maxNamed)
    return null
  const ruleIds = union(earlier.ruleIds, later.ruleIds)
  const category = ruleIds.length > 0 ? 'violation' : later.category
  return { ...earlier, comment, statusIds, collectionIds, ruleIds, category }
}

function union<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  return [...new Set([...some, ...others])]
}

/** Stores a joined report; false where a moderator changed or resolved the earlier one at the same time. */
async function storeJoined(
  ctx: Ctx,
  {
    earlier,
    next,
    draft,
    isRemote,
  }: {
    readonly earlier: ReportRow
    readonly next: ReportRow
    readonly draft: Pick<ReportDraft, 'statusIds' | 'collectionIds'>
    readonly isRemote: boolean
  },
): Promise<boolean> {
  const changes = reportStep(ctx, { report: earlier, next })
  keepEvidence(ctx, changes, { reportId: earlier.id, isRemote }, draft.statusIds)
  keepCollectionEvidence(ctx, changes, { reportId: earlier.id }, draft.collectionIds)
  try {
    await commit(ctx, changes)
    return true
  } catch (failure) {
    if (failure instanceof Conflict) return false
    throw failure
  }
}
