import * as z from 'zod'
import type { AuditLogEntry } from '../../../contract/entities/admin/report'
import { execute } from '../../../db/query'
import { type AuditFilter, findAuditLog } from '../../../domain/core/audit'
import { humanName } from '../../../errors/sentences'
import type { TextKey } from '../../../lib/translate'
import { storedText, type TranslateText } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { presentAuditLogEntry } from '../../../view/present/admin-account'
import { actionText, targetText } from '../../audit-texts'
import { More, Panel } from '../../components/admin/panel'
import { actionTexts, categoryTexts, ipBlockSeverities } from '../../components/admin/report-words'
import { relayStates, severityBadges } from '../../components/admin/servers'
import { Day } from '../../components/day'
import { auditFieldText } from '../../field-texts'
import { useTranslation } from '../../i18n/context'
import type { PageQuery, PageView } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { pageBehind, readMaxId } from '../../pagination'
import { paths } from '../../paths'
import { settingGroups } from './setting-groups'

const title = 'admin.auditLog.auditLog'
const pageLength = 40

/** Administrative acts, newest first, of one moderator or on one target. */
export const auditLogPage = memberPage({
  kind: 'admin',
  path: paths.auditLog,
  title,
  access: 'viewAuditLog',
  menu: { label: title, order: 900 },
  form: z.object({}),
  submissions: [],
  notices: {},
  load: loadEntries,
  view: (page) => <AuditLogView page={page} />,
})

type Found = Awaited<ReturnType<typeof loadEntries>>

function AuditLogView({ page }: { readonly page: PageView<Found> }) {
  const t = useTranslation()
  return (
    <Panel title={t(title)} current={paths.auditLog}>
      {page.found.isFiltered && (
        <p>
          <a href={paths.auditLog}>{t('common.showAll')}</a>
        </p>
      )}
      {page.found.entries.length === 0 ? (
        <p class="quiet small">{t('admin.auditLog.nothingDoneYet')}</p>
      ) : (
        <ul class="entries block">
          {page.found.entries.map((entry) => (
            <li>
              <Entry entry={entry} />
            </li>
          ))}
        </ul>
      )}
      <More olderUrl={page.found.olderUrl} />
    </Panel>
  )
}

async function loadEntries(ctx: Ctx, { query }: PageQuery) {
  const filter = filterOf(query)
  const page = { limit: pageLength, maxId: readMaxId(query('max_id')) }
  const found = await execute(ctx.db, findAuditLog(ctx, filter, page))
  const kept = { by: query('by'), type: query('type'), id: query('id') }
  const last = found.length < pageLength ? undefined : found.at(-1)?.id
  return {
    isFiltered: filter !== null,
    entries: found.map(presentAuditLogEntry),
    olderUrl: pageBehind(paths.auditLog, last, kept),
  }
}

function filterOf(query: PageQuery['query']): AuditFilter {
  const by = Number(query('by'))
  if (query('by') !== '' && Number.isSafeInteger(by)) return { by }
  const targetType = query('type').slice(0, 100)
  const targetId = Number(query('id')) || undefined
  return targetType === '' ? null : { targetType, targetId }
}

function Entry({ entry }: { readonly entry: AuditLogEntry }) {
  const t = useTranslation()
  const { username, account_id: by, action, target_type: type, target_id: id, target_label: label } = entry
  const names = [...new Set([...Object.keys(entry.before), ...Object.keys(entry.after)])]
  const ofTarget = new URLSearchParams({ type, ...(id === null ? {} : { id }) })
  return (
    <>
      <p>
        {by === null ? (
          <bdi>{username === '' ? t('admin.theOperator') : `@${username}`}</bdi>
        ) : (
          <a href={`${paths.auditLog}?by=${by}`}>
            <bdi>@{username}</bdi>
          </a>
        )}{' '}
        <strong>{actionText(t, action)}</strong>{' '}
        <a href={`${paths.auditLog}?${ofTarget}`}>
          {targetText(t, type)}
          {/* The label of settings are the names of the fields, which stand below in words. */}
          {type !== 'settings' && (
            <>
              {' '}
              <bdi>{label}</bdi>
            </>
          )}
        </a>{' '}
        <span class="quiet small">
          <Day at={new Date(entry.created_at)} withTime />
          {entry.ip !== null && ` · ${entry.ip}`}
        </span>
      </p>
      {names.length > 0 && (
        <details>
          <summary>{names.map((name) => nameOf(t, name)).join(', ')}</summary>
          <table class="named-cells">
            <thead>
              <tr>
                <th scope="col">{t('admin.auditLog.field')}</th>
                <th scope="col">{t('admin.auditLog.before')}</th>
                <th scope="col">{t('admin.auditLog.after')}</th>
              </tr>
            </thead>
            <tbody>
              {names.map((name) => (
                <tr>
                  <th scope="row">{nameOf(t, name)}</th>
                  <td data-name={t('admin.auditLog.before')}>
                    <Value name={name} value={entry.before[name]} />
                  </td>
                  <td data-name={t('admin.auditLog.after')}>
                    <Value name={name} value={entry.after[name]} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  )
}

/** Label of a changed field; one that this version does not know is shown as it is stored. */
function nameOf(t: TranslateText, name: string): string {
  return storedText(t, auditFieldText(name), name)
}

/** A stored value as text where there is one; a moment in the time of the reader. */
function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  const t = useTranslation()
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return <>{value ? t('admin.auditLog.yes') : t('admin.auditLog.no')}</>
  if (typeof value === 'number') return <>{t('common.count', { count: value })}</>
  if (typeof value !== 'string') return <bdi>{isList(value) ? value.join(', ') : JSON.stringify(value)}</bdi>
  if (moment.test(value)) return <Day at={new Date(value)} withTime />
  const words = auditValueText(name, value)
  return <bdi>{words === null ? value : t(words)}</bdi>
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function isList(value: unknown): value is readonly (string | number)[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number')
}

type Words = Readonly<Record<string, TextKey>>

/** Texts for stored values in changed fields of the audit log, by field name. */
const wordsOf: ReadonlyMap<string, Words> = new Map<string, Words>([
  ['Action', actionTexts],
  ['Category', categoryTexts],
  ['Severity', { ...ipBlockSeverities, ...severityBadges }],
  ['State', relayStates],
  ...settingGroups.flatMap(({ settings }) =>
    Object.entries(settings).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [[humanName(name), choices] as const],
    ),
  ),
])

/** Word for a stored value of a changed field, of `name` as the API has it. Null where it is shown as it is stored. */
function auditValueText(name: string, value: string): TextKey | null {
  const words = wordsOf.get(humanName(name))
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? null) : null
}
