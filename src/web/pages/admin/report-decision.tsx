import * as z from 'zod'
import { combineQueries, execute } from '../../../db/query'
import { listPresets } from '../../../domain/moderation/warning-presets'
import { hasPermission, requirePermission } from '../../../domain/policy/permissions'
import { reportById, selectReported } from '../../../domain/reports/find'
import { NotFound } from '../../../errors'
import type { Ctx } from '../../../ports/ctx'
import { loadAdminAccounts } from '../../../view/load/admin-accounts'
import { presentOnlyAdminAccount } from '../../../view/present/admin-account'
import { type Choice, DecisionPage, type FoundDecision } from '../../components/admin/decision-form'
import type { PageQuery, SubmissionCall } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf, previewerOf } from '../../moderator'
import { moderatedReportPath, paths } from '../../paths'
import { askDecision, askedIn, decide, decisionFields } from './decide'

const title = 'admin.decide'

const form = z.object(decisionFields)
type Call = SubmissionCall<z.output<typeof form>>

/** Page of one decision about a report: what happens, and the words to the person. */
export const reportDecisionPage = memberPage({
  kind: 'admin',
  path: `${paths.moderatedReports}/:id/decision/:type`,
  title,
  access: 'manageReports',
  menu: null,
  form,
  submissions: [
    {
      access: 'manageUsers',
      ask: async (call) => askDecision(call, await subjectOf(call)),
      run: async (call) => {
        const subject = await subjectOf(call)
        await decide(call, subject)
        return { redirectTo: `${moderatedReportPath(String(subject.reportId))}?done=decided` }
      },
    },
  ],
  notices: {},
  load: loadDecision,
  view: ({ typed, found }) => <DecisionPage current={paths.moderatedReports} typed={typed} found={found} />,
})

async function subjectOf({ c, ctx, session }: Call) {
  requirePermission(moderatorOf(c, session), 'manageReports')
  const reportId = requireIdInPath(c)
  const report = await execute(ctx.db, reportById(ctx, reportId))
  if (report === null) throw new NotFound()
  return { accountId: report.targetAccountId, reportId }
}

interface Reported {
  /** Domain of the reported account; null for members. */
  readonly domain: string | null
  readonly isResolved: boolean
  readonly hasPosts: boolean
  /** The moderator decides about accounts as well. */
  readonly mayAct: boolean
}

/** Choices of a moderator about a report. */
export function choicesFor({ domain, isResolved, hasPosts, mayAct }: Reported): readonly Choice[] {
  if (isResolved) return []
  if (!mayAct) return ['resolve']
  return [
    'resolve',
    ...(domain === null ? (['none'] as const) : []),
    ...(hasPosts ? (['delete', 'mark_as_sensitive'] as const) : []),
    'sensitive',
    ...(domain === null ? (['disable'] as const) : []),
    'silence',
    'suspend',
  ]
}

async function loadDecision(ctx: Ctx, { id, session, param }: PageQuery): Promise<FoundDecision> {
  const moderator = previewerOf(session)
  requirePermission(moderator, 'manageReports')
  if (id === null) throw new NotFound()
  const { report, bundle, presets } = await execute(
    ctx.db,
    combineQueries({
      report: reportById(ctx, id),
      bundle: loadAdminAccounts(ctx, selectReported(id)),
      presets: listPresets(ctx),
    }),
  )
  if (report === null) throw new NotFound()
  const account = presentOnlyAdminAccount(ctx.config, bundle)
  const concerned = { posts: report.statusIds.length, collections: report.collectionIds.length }
  const choices = choicesFor({
    domain: account.domain,
    isResolved: report.actionTakenAt !== null,
    hasPosts: concerned.posts + concerned.collections > 0,
    mayAct: hasPermission(session.permissions, 'manageUsers'),
  })
  const subject = { accountId: report.targetAccountId, reportId: id }
  const asked = await askedIn(ctx, moderator, { choices, type: param('type'), subject, account, concerned })
  return { at: moderatedReportPath(String(id)), account, choices, asked, presets }
}
