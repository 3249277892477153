import * as z from 'zod'
import type { AdminReport } from '../../../contract/entities/admin/report'
import { combineQueries, execute } from '../../../db/query'
import { anonymousViewer } from '../../../domain/core/viewer'
import { findNotes } from '../../../domain/moderation/notes'
import { hasPermission } from '../../../domain/policy/permissions'
import { findEvidenceFile, openEvidenceFile } from '../../../domain/reports/evidence-files'
import { findCollectionEvidence, findEvidence, reportById } from '../../../domain/reports/find'
import { assignReport, reopenReport, resolveReport, unassignReport } from '../../../domain/reports/update'
import { NotFound } from '../../../errors'
import { moderatedFileHeaders } from '../../../lib/media/mime'
import { storedText } from '../../../lib/translate'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadAdminReports } from '../../../view/load/admin-reports'
import { presentModerationNote } from '../../../view/present/admin-account'
import { presentOnlyAdminReport } from '../../../view/present/admin-report'
import { presentCollectionEvidence, presentEvidence } from '../../../view/present/report'
import { ChoiceLinks } from '../../components/admin/decision-form'
import { CollectionEvidenceCard, EvidenceCard } from '../../components/admin/evidence'
import { AccountLine, handleOf, LimitLink, Notes } from '../../components/admin/notes'
import { Facts, Panel } from '../../components/admin/panel'
import { categoryTexts } from '../../components/admin/report-words'
import { Button } from '../../components/button'
import { RuleList } from '../../components/contact-card'
import { Day } from '../../components/day'
import { PostForm } from '../../components/form'
import { textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView, Submission } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { moderatedReportPath, paths } from '../../paths'
import { noteNotices, noteSubmissions } from './note-submissions'
import { choicesFor } from './report-decision'

const title = 'field.report'
const path = `${paths.moderatedReports}/:id` as const
const shownNotes = 40

const form = z.object({ note: textField(2_000) })

const steps = {
  assign: { command: assignReport, notice: 'admin.report.reportNow' },
  unassign: { command: unassignReport, notice: 'admin.report.noLongerAssigned' },
  resolve: { command: resolveReport, notice: 'admin.report.reportResolved' },
  reopen: { command: reopenReport, notice: 'admin.report.reportOpenAgain' },
} as const
type Step = keyof typeof steps
const stepNames = ['assign', 'unassign', 'resolve', 'reopen'] as const satisfies readonly Step[]
type NoticeName = Step | 'decided' | keyof typeof noteNotices

/** A report with its evidence, and the decisions about it. */
export const reportPage = memberPage({
  kind: 'admin',
  path,
  title,
  access: 'manageReports',
  menu: null,
  form,
  submissions: [
    ...stepNames.map(
      (step): Submission<z.output<typeof form>, NoticeName> => ({
        path: `${path}/${step}`,
        isCommand: true,
        run: async ({ c, ctx, session }) => {
          await steps[step].command(ctx, moderatorOf(c, session), requireIdInPath(c))
          return { notice: step }
        },
      }),
    ),
    ...noteSubmissions<z.output<typeof form>>('report', path),
  ],
  notices: {
    assign: steps.assign.notice,
    unassign: steps.unassign.notice,
    resolve: steps.resolve.notice,
    reopen: steps.reopen.notice,
    decided: 'admin.report.decisionCarriedOutReport',
    ...noteNotices,
  },
  downloads: [{ path: `${paths.moderatedEvidence}/:id/media/:media_id`, send: sendEvidence }],
  load: (ctx, { id }) => loadReport(ctx, id),
  view: (page) => <ReportPage page={page} />,
})

async function sendEvidence(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const small = c.req.query('small') === 'true'
  const file = { evidenceId: requireIdInPath(c), mediaId: Number(c.req.param('media_id')), small }
  const key = await execute(ctx.db, findEvidenceFile(ctx, file))
  const stored = key === null ? null : await openEvidenceFile(ctx, key)
  if (stored === null) throw new NotFound()
  return new Response(stored.body, {
    headers: { ...moderatedFileHeaders(stored), 'Cache-Control': 'private, no-store' },
  })
}

async function loadReport(ctx: Ctx, id: number | null) {
  if (id === null) throw new NotFound()
  const { config, clock } = ctx
  const found = await execute(
    ctx.db,
    combineQueries({
      report: reportById(ctx, id),
      evidence: findEvidence(ctx, { reportId: id }),
      collections: findCollectionEvidence(ctx, { reportId: id }),
      notes: findNotes(ctx, { type: 'report', id }, { limit: shownNotes }),
    }),
  )
  if (found.report === null) throw new NotFound()
  const bundle = await execute(ctx.db, loadAdminReports(ctx, anonymousViewer, [found.report]))
  return {
    report: presentOnlyAdminReport({ config, now: clock.now() }, bundle),
    evidence: found.evidence.map((one) => presentEvidence(config, one, paths.moderatedEvidence)),
    collections: found.collections.map((one) => presentCollectionEvidence(config, one)),
    notes: found.notes.map(presentModerationNote),
  }
}

type Found = Awaited<ReturnType<typeof loadReport>>

interface ReportPageProps {
  readonly page: PageView<Found>
}

function ReportPage({ page }: ReportPageProps) {
  const t = useTranslation()
  const { session, typed, found } = page
  const { report, evidence, collections, notes } = found
  const at = moderatedReportPath(report.id)
  const choices = choicesFor({
    domain: report.target_account.domain,
    isResolved: report.action_taken,
    hasPosts: evidence.length + collections.length > 0,
    mayAct: hasPermission(session.permissions, 'manageUsers'),
  })
  return (
    <Panel title={t(title)} current={paths.moderatedReports}>
      <ReportFacts report={report} />
      <LimitLink domain={report.target_account.domain} session={session} />
      <StepForms report={report} viewerId={String(session.accountId)} at={at} />
      <section class="panel-section" aria-labelledby="evidence">
        <h2 id="evidence">{t('admin.report.whatWasReported')}</h2>
        {evidence.length + collections.length === 0 && (
          <p class="quiet small">{t('admin.report.accountItselfNoPosts')}</p>
        )}
        {evidence.map((one) => (
          <EvidenceCard evidence={one} />
        ))}
        {collections.map((one) => (
          <CollectionEvidenceCard evidence={one} />
        ))}
      </section>
      {choices.length > 0 && (
        <section class="block" aria-labelledby="decision">
          <h2 id="decision">
            {t('admin.decide')} <bdi>{handleOf(report.target_account)}</bdi>
          </h2>
          <ChoiceLinks at={at} choices={choices} />
        </section>
      )}
      <Notes path={at} notes={notes} typed={typed('note')} />
    </Panel>
  )
}

function ReportFacts({ report }: { readonly report: AdminReport }) {
  const t = useTranslation()
  const { comment, category, rules, forwarded, action_taken_at: resolvedAt } = report
  const by = report.action_taken_by_account
  return (
    <section class="block" aria-label={t('admin.report.aboutTheReport')}>
      <Facts
        facts={[
          [t('admin.report.reportedAccount'), <AccountLine account={report.target_account} />],
          [t('admin.report.reportedBy'), <AccountLine account={report.account} />],
          [t('field.category'), storedText(t, categoryTexts[category], category)],
          [t('admin.reported'), <Day at={new Date(report.created_at)} withTime />],
          [t('admin.report.forwarded'), forwarded === true ? t('admin.report.serverAccount') : null],
          [
            t('field.assignedTo'),
            report.assigned_account === null ? null : <AccountLine account={report.assigned_account} />,
          ],
          [t('field.resolved'), resolvedAt === null ? null : <Day at={new Date(resolvedAt)} withTime />],
          [t('admin.report.resolvedBy'), by === null ? null : <AccountLine account={by} />],
        ]}
      />
      {comment !== '' && (
        <p class="quoted">
          <bdi>{comment}</bdi>
        </p>
      )}
      {rules.length > 0 && <RuleList rules={rules} />}
    </section>
  )
}

interface StepFormsProps {
  readonly report: AdminReport
  readonly viewerId: string
  readonly at: string
}

function StepForms({ report, viewerId, at }: StepFormsProps) {
  const t = useTranslation()
  const isMine = report.assigned_account?.id === viewerId
  const offered: readonly (readonly [Step, string])[] = report.action_taken
    ? [['reopen', t('admin.report.openAgain')]]
    : [isMine ? ['unassign', t('admin.report.unassign')] : ['assign', t('admin.report.assignToMe')]]
  return (
    <div class="actions">
      {offered.map(([step, text]) => (
        <PostForm action={`${at}/${step}`} class="inline">
          <Button look="secondary">{text}</Button>
        </PostForm>
      ))}
    </div>
  )
}
