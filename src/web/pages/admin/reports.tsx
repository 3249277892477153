import * as z from 'zod'
import type { AdminReport } from '../../../contract/entities/admin/report'
import { parseDomain } from '../../../contract/handle'
import { execute } from '../../../db/query'
import { anonymousViewer } from '../../../domain/core/viewer'
import { findReports } from '../../../domain/reports/find'
import { storedText } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { affordableReports, loadAdminReports } from '../../../view/load/admin-reports'
import { presentAdminReports } from '../../../view/present/admin-report'
import { handleOf } from '../../components/admin/notes'
import { More, Panel } from '../../components/admin/panel'
import { categoryTexts } from '../../components/admin/report-words'
import { Table } from '../../components/admin/table'
import { Button } from '../../components/button'
import { Day } from '../../components/day'
import { TextField } from '../../components/field'
import { Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { pageBehind, readMaxId } from '../../pagination'
import { moderatedReportPath, paths } from '../../paths'

const title = 'admin.reports.reports'
const pageLength = 20

/** Reports that wait for a decision, and resolved ones. */
export const reportsPage = memberPage({
  kind: 'admin',
  path: paths.moderatedReports,
  title,
  access: 'manageReports',
  menu: { label: title, order: 20 },
  form: z.object({}),
  submissions: [],
  notices: {},
  load: (ctx, request) => loadReports(ctx, request),
  view: (page) => <ReportsView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadReports>>

function ReportsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={paths.moderatedReports}>
      <Tabs
        label={t('admin.reports.stateReports')}
        tabs={[
          {
            href: paths.moderatedReports,
            label: t('admin.reports.unresolved'),
            isCurrent: !page.found.isResolved,
          },
          {
            href: `${paths.moderatedReports}?resolved=1`,
            label: t('field.resolved'),
            isCurrent: page.found.isResolved,
          },
        ]}
      />
      <form class="filter" method="get" action={paths.moderatedReports}>
        {page.found.isResolved && <input type="hidden" name="resolved" value="1" />}
        <TextField
          name="domain"
          label={t('admin.reports.aboutAccountsServer')}
          value={page.found.domain}
          autocomplete="off"
          inputmode="text"
          isFilter
        />
        <Button look="secondary">{t('admin.filter')}</Button>
      </form>
      {page.found.reports.length === 0 ? (
        <p class="quiet small">
          {page.found.isResolved
            ? t('admin.reports.noReportResolvedYet')
            : t('admin.reports.nothingWaitsDecision')}
        </p>
      ) : (
        <Table
          label={t(title)}
          columns={[
            t('field.account'),
            t('field.reason'),
            t('admin.report.reportedBy'),
            t('admin.reports.reportedOn'),
            t('field.state'),
          ]}
        >
          {page.found.reports.map((report) => (
            <ReportRow report={report} />
          ))}
        </Table>
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

async function loadReports(ctx: Ctx, { query }: PageQuery) {
  const isResolved = query('resolved') === '1'
  const sent = query('domain').trim()
  const targetDomain = sent === '' ? undefined : (parseDomain(sent) ?? sent)
  const maxId = readMaxId(query('max_id'))
  const { reports, endsAt } = await execute(
    ctx.db,
    findReports(ctx, { resolved: isResolved, targetDomain }, { limit: pageLength, maxId }),
  )
  const shown = affordableReports(reports)
  const bundle = await execute(ctx.db, loadAdminReports(ctx, anonymousViewer, shown))
  const last = shown.length < reports.length || reports.length === pageLength ? shown.at(-1)?.id : endsAt
  return {
    isResolved,
    domain: sent,
    reports: presentAdminReports({ config: ctx.config, now: ctx.clock.now() }, bundle),
    olderUrl: pageBehind(paths.moderatedReports, last, { resolved: isResolved ? '1' : '', domain: sent }),
  }
}

function ReportRow({ report }: { readonly report: AdminReport }) {
  const t = useTranslation()
  const { statuses, comment, category, assigned_account: assigned, forwarded } = report
  return (
    <tr>
      <th scope="row">
        <a href={moderatedReportPath(report.id)}>
          <bdi>{handleOf(report.target_account)}</bdi>
        </a>
      </th>
      <td class="words">
        <span class="tag">{storedText(t, categoryTexts[category], category)}</span>{' '}
        {statuses.length > 0 && <span class="quiet">{t('common.posts2', { count: statuses.length })}</span>}
        {comment !== '' && (
          <p class="clamped">
            <bdi>{comment}</bdi>
          </p>
        )}
      </td>
      <td>
        <bdi>{handleOf(report.account)}</bdi>
      </td>
      <td>
        <Day at={new Date(report.created_at)} withTime />
      </td>
      <td>
        {assigned !== null && (
          <span class="tag">{t('admin.reports.assignedToHandle', { handle: handleOf(assigned) })}</span>
        )}
        {forwarded === null && <span class="tag">{t('admin.reports.fromAnotherServer')}</span>}
      </td>
    </tr>
  )
}
