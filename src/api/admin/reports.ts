import * as z from 'zod'
import { CollectionEvidence, Evidence } from '../../contract/entities/admin/evidence'
import { AdminReport } from '../../contract/entities/admin/report'
import { ReportCategory } from '../../contract/entities/report'
import { parseDomain } from '../../contract/handle'
import { Flag, Id, OptionalId, OptionalIdList, OptionalText } from '../../contract/scalars'
import { both, execute } from '../../db/query'
import { type Moderator, viewerOfModerator } from '../../domain/core/viewer'
import { findEvidenceFile, openEvidenceFile } from '../../domain/reports/evidence-files'
import {
  findCollectionEvidence,
  findEvidence,
  findReports,
  type ReportRow,
  reportById,
} from '../../domain/reports/find'
import {
  assignReport,
  assignReportTo,
  reopenReport,
  resolveReport,
  unassignReport,
  updateReport,
} from '../../domain/reports/update'
import { NotFound } from '../../errors'
import { moderatedFileHeaders } from '../../lib/media/mime'
import type { Ctx } from '../../ports/ctx'
import { affordableReports, loadAdminReports } from '../../view/load/admin-reports'
import { presentAdminReports, presentOnlyAdminReport } from '../../view/present/admin-report'
import { presentCollectionEvidence, presentEvidence } from '../../view/present/report'
import { ApiResponse } from '../api-response'
import { endpoint, readEndpoint, staff, staffMember, updateEndpoints } from '../endpoint'
import { page, pageOf, paging } from '../paginate'

const reading = staff('admin:read:reports', 'manageReports')
const writing = staff('admin:write:reports', 'manageReports')
const OneReport = z.object({ id: Id })

const updates = updateEndpoints({
  path: '/api/v1/admin/reports/:id',
  summary: 'Changes the category or the rules of a report',
  auth: staff('admin:write:reports', 'manageReports'),
  input: OneReport.extend({ category: Category(), rule_ids: OptionalIdList }),
  output: AdminReport,
  run: async (ctx, { viewer, input: { id, category, rule_ids: ruleIds } }) =>
    presented(ctx, viewer, await updateReport(ctx, viewer, id, { category, ruleIds })),
})

export const adminReports = [
  readEndpoint({
    path: '/api/v1/admin/reports',
    summary: 'Unresolved reports, or with `resolved` resolved ones, newest first',
    auth: staff('admin:read:reports', 'manageReports'),
    input: z.object({
      resolved: Flag.default(false),
      account_id: OptionalId,
      target_account_id: OptionalId,
      // As on Mastodon's pages.
      by_target_domain: OptionalText,
      ...paging(100, 200),
    }),
    output: z.array(AdminReport),
    read: (ctx, { input }) => {
      const { resolved, account_id: accountId, target_account_id: targetAccountId } = input
      const targetDomain = domainIn(input.by_target_domain)
      return findReports(ctx, { resolved, accountId, targetAccountId, targetDomain }, pageOf(input))
    },
    show: async (ctx, { input, viewer, request, found: { reports, endsAt } }) => {
      const isUpwards = input.min_id !== undefined
      const shown = isUpwards
        ? affordableReports(reports.toReversed()).toReversed()
        : affordableReports(reports)
      const isCut = shown.length < reports.length
      const bundle = await execute(ctx.db, loadAdminReports(ctx, viewerOfModerator(viewer), shown))
      const cursors = shown.map(({ id }) => id)
      return page(presentAdminReports({ config: ctx.config, now: ctx.clock.now() }, bundle), request, {
        cursors: isCut || endsAt === null ? cursors : isUpwards ? [endsAt, ...cursors] : [...cursors, endsAt],
        limit: input.limit,
        endsEarly: isCut || endsAt !== null,
      })
    },
  }),
  readEndpoint({
    path: '/api/v1/admin/reports/:id',
    summary: 'One report',
    auth: reading,
    input: OneReport,
    output: AdminReport,
    read: (ctx, { input }) => reportById(ctx, input.id),
    show: (ctx, { viewer, found }) => {
      if (found === null) throw new NotFound()
      return presented(ctx, viewer, found)
    },
  }),
  ...updates,
  endpoint({
    path: '/api/v1/admin/reports/:id/assign_to_self',
    summary: 'Assigns a report to the caller',
    auth: staffMember('admin:write:reports', 'manageReports'),
    input: OneReport,
    output: AdminReport,
    run: async (ctx, { viewer, input }) => presented(ctx, viewer, await assignReport(ctx, viewer, input.id)),
  }),
  endpoint({
    path: '/api/fieldfare/v1/admin/reports/:id/assign',
    summary: 'Assigns a report to the moderator with this username',
    auth: writing,
    input: OneReport.extend({ username: OptionalText }),
    output: AdminReport,
    run: async (ctx, { viewer, input: { id, username = '' } }) => {
      if ((await execute(ctx.db, reportById(ctx, id))) === null) throw new NotFound()
      return presented(ctx, viewer, await assignReportTo(ctx, viewer, { id, username }))
    },
  }),
  step('unassign', 'Leaves a report to any moderator', unassignReport),
  step('resolve', 'Resolves a report', resolveReport),
  step('reopen', 'Reopens a resolved report', reopenReport),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/reports/:id/evidence',
    summary: 'The reported statuses as they were when they were reported, deleted ones too',
    auth: reading,
    input: OneReport,
    output: z.array(Evidence),
    read: (ctx, { input }) => both(reportById(ctx, input.id), findEvidence(ctx, { reportId: input.id })),
    show: ({ config }, { found: [report, evidence] }) => {
      if (report === null) throw new NotFound()
      return evidence.map((one) => presentEvidence(config, one))
    },
  }),
  readEndpoint({
    path: '/api/fieldfare/v1/admin/reports/:id/collections',
    summary: 'The reported collections as they were when they were reported, deleted ones too',
    auth: reading,
    input: OneReport,
    output: z.array(CollectionEvidence),
    read: (ctx, { input }) =>
      both(reportById(ctx, input.id), findCollectionEvidence(ctx, { reportId: input.id })),
    show: ({ config }, { found: [report, evidence] }) => {
      if (report === null) throw new NotFound()
      return evidence.map((one) => presentCollectionEvidence(config, one))
    },
  }),
]

/** A step that a moderator takes on a report, without parameters. */
function step(
  name: string,
  summary: string,
  command: (ctx: Ctx, moderator: Moderator, id: number) => Promise<ReportRow>,
) {
  return endpoint({
    path: `/api/v1/admin/reports/:id/${name}`,
    summary,
    auth: writing,
    input: OneReport,
    output: AdminReport,
    run: async (ctx, { viewer, input }) => presented(ctx, viewer, await command(ctx, viewer, input.id)),
  })
}

async function presented(ctx: Ctx, moderator: Moderator, report: ReportRow): Promise<AdminReport> {
  const bundle = await execute(ctx.db, loadAdminReports(ctx, viewerOfModerator(moderator), [report]))
  return presentOnlyAdminReport({ config: ctx.config, now: ctx.clock.now() }, bundle)
}

/** A domain as stored, where one was sent. */
function domainIn(text: string | null | undefined): string | undefined {
  const domain = (text ?? '').trim()
  return domain === '' ? undefined : (parseDomain(domain) ?? domain)
}

/** A category as sent; blank counts as absent. */
function Category() {
  return z.preprocess((sent) => (sent === null || sent === '' ? undefined : sent), ReportCategory.optional())
}

/** Bytes of a file; a client has them as text or as they are. */
const FileBytes = z.custom<ReadableStream>(
  (body) => body instanceof ReadableStream || typeof body === 'string',
)

export const adminEvidence = [
  readEndpoint({
    path: '/api/fieldfare/v1/admin/evidence/:id/media/:media_id',
    summary:
      'A file of evidence, or with `small` its preview, also once the status was deleted; answers the bytes',
    auth: staff('admin:read:reports', 'manageReports'),
    input: z.object({ id: Id, media_id: Id, small: Flag.default(false) }),
    output: FileBytes,
    answersFile: true,
    read: (ctx, { input: { id, media_id: mediaId, small } }) =>
      findEvidenceFile(ctx, { evidenceId: id, mediaId, small: small === true }),
    show: async (ctx, { found: key }) => {
      const file = key === null ? null : await openEvidenceFile(ctx, key)
      if (file === null) throw new NotFound()
      return new ApiResponse(file.body, { headers: moderatedFileHeaders(file) })
    },
  }),
]
