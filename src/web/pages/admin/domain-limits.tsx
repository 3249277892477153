import * as z from 'zod'
import { execute } from '../../../db/query'
import { exportLimits, importFile, previewImport } from '../../../domain/moderation/blocklists/import-file'
import { type DomainLimitRow, findLimits } from '../../../domain/moderation/find-limits'
import { parseLimitedDomain } from '../../../domain/moderation/limit-domain'
import { Invalid, InvalidFields } from '../../../errors'
import { problem } from '../../../errors/sentences'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { ImportPreviewPage } from '../../components/admin/import-preview'
import { More, Panel } from '../../components/admin/panel'
import { ServerTabs, severityBadges } from '../../components/admin/servers'
import { Button, ButtonLink } from '../../components/button'
import { Day } from '../../components/day'
import { FileField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { hasErrors } from '../../form-errors'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView, SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { usePage } from '../../page-context'
import { pageBehind, readMaxId } from '../../pagination'
import { limitPath, paths, serverPath } from '../../paths'

const path = paths.domainLimits
const pageLength = 40
const form = z.object({ list: z.string(), csv: z.string(), overwrite: checkbox, domain: textField(300) })
type Call = SubmissionCall<z.output<typeof form>>

/** Limits on servers, their import and export as files. */
export const domainLimitsPage = memberPage({
  kind: 'admin',
  path,
  title: 'admin.limitsOnServers',
  access: 'manageFederation',
  menu: null,
  form,
  fileFields: ['list'],
  submissions: [
    { path: `${path}/preview`, run: preview },
    { path: `${path}/import`, isCommand: true, run: importList },
    { path: `${path}/open`, run: openServer },
  ],
  notices: { imported: 'admin.domainLimits.limitsMadeBackgroundSome' },
  downloads: [{ path: `${path}/export`, send: sendList }],
  load: loadLimits,
  view: (page) => <LimitsView page={page} />,
})

async function sendList(c: AppContext): Promise<Response> {
  const ctx = c.get('ctx')
  const name = `domain_blocks-${ctx.clock.now().toISOString().slice(0, 10)}.csv`
  return c.body(await exportLimits(ctx), 200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'private, no-store',
  })
}

async function preview({ ctx, input }: Call) {
  const csv = input.list
  if (csv.trim() === '') throw new Invalid('blank', { field: 'list' })
  const outcome = await previewImport(ctx, csv)
  return {
    show: <ImportPreviewPage preview={outcome} csv={csv} action={`${path}/import`} />,
  }
}

async function importList({ c, ctx, session, input }: Call) {
  await importFile(ctx, moderatorOf(c, session), input.csv, { overwrite: input.overwrite })
  return { notice: 'imported' as const }
}

/** Leads to the form of a server, whether it is known or not. */
async function openServer({ input }: Call) {
  const domain = parseLimitedDomain(input.domain.trim())
  if (domain === null) throw new InvalidFields([problem('invalid_domain', { field: 'domain' })])
  return { redirectTo: limitPath(domain) }
}

async function loadLimits(ctx: Ctx, { query }: PageQuery) {
  const limits = await execute(
    ctx.db,
    findLimits(ctx, { limit: pageLength, maxId: readMaxId(query('max_id')) }),
  )
  const last = limits.length < pageLength ? null : limits.at(-1)?.id
  return { limits, olderUrl: pageBehind(path, last) }
}

type Found = Awaited<ReturnType<typeof loadLimits>>

function LimitsView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  const { errors } = usePage()
  const { found } = page
  return (
    <Panel title={t('admin.limitsOnServers')} current={paths.servers}>
      <ServerTabs current="limits" />
      <p class="quiet">{t('admin.domainLimits.limitsHoldServerSubdomains')}</p>
      <PostForm action={`${path}/open`} class="filter">
        <TextField
          name="domain"
          label={t('admin.domainLimits.limitAnotherServer')}
          hint={t('admin.domainLimits.limitAnotherServer.hint')}
          autocomplete="off"
          maxlength={300}
        />
        <Button look="secondary">{t('common.continue')}</Button>
      </PostForm>
      <details class="block" open={hasErrors(errors) && errors.fields?.['domain'] === undefined}>
        <summary>
          <h2>{t('admin.domainLimits.listsAsFiles')}</h2>
        </summary>
        <PostForm action={`${path}/preview`} hasFiles>
          <FileField
            name="list"
            label={t('admin.domainLimits.importAList')}
            hint={t('admin.domainLimits.importAList.hint')}
            accept=".csv,text/csv,text/plain"
          />
          <Button look="secondary">{t('admin.domainLimits.previewTheImport')}</Button>
        </PostForm>
        <p>
          <ButtonLink look="secondary" href={`${path}/export`}>
            {t('admin.domainLimits.exportAllLimits')}
          </ButtonLink>
        </p>
      </details>
      {found.limits.length === 0 ? (
        <p class="quiet small">{t('admin.domainLimits.noServerLimited')}</p>
      ) : (
        <ul class="entries block">
          {found.limits.map((limit) => (
            <li>
              <LimitEntry limit={limit} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={found.olderUrl} />
    </Panel>
  )
}

function LimitEntry({ limit }: { readonly limit: DomainLimitRow }) {
  const t = useTranslation()
  const { domain, severity, rejectMedia, rejectReports, blocklistId, publicComment, privateComment } = limit
  return (
    <>
      <h2 class="entry-title">
        <a href={serverPath(domain)}>
          <bdi>{domain}</bdi>
        </a>{' '}
        <span class="tag warn">{t(severityBadges[severity])}</span>
        {rejectMedia && <span class="tag">{t('admin.domainLimits.noMedia')}</span>}
        {rejectReports && <span class="tag">{t('admin.domainLimits.noReports')}</span>}
        {blocklistId !== null && <span class="tag">{t('admin.domainLimits.fromABlocklist')}</span>}
      </h2>
      <p class="quiet small">
        <Day at={limit.createdAt} />
      </p>
      {[publicComment, privateComment]
        .filter((comment) => comment !== '')
        .map((comment) => (
          <p class="quiet small">
            <bdi>{comment}</bdi>
          </p>
        ))}
    </>
  )
}
