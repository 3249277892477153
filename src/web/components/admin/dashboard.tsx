import type { AdminCohort, AdminDimension } from '../../../contract/entities/admin/metrics'
import { mostWaiting, type Waiting } from '../../../domain/moderation/find-waiting'
import { hasPermission, type Permission } from '../../../domain/policy/permissions'
import { message, type TranslateText } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { languageName, sizeText } from '../../i18n/names'
import type { PageView } from '../../member-pages/declaration'
import type { FoundDashboard } from '../../pages/admin/load-dashboard'
import { paths } from '../../paths'
import { useCountedMonth } from '../day'
import { MeasureCharts } from './measure-chart'
import { MissingServices } from './missing-services'
import { Panel } from './panel'

const measureTitles: Readonly<Record<FoundDashboard['measures'][number]['key'], string>> = {
  new_users: message('Sign-ups'),
  active_users: message('Active members'),
  interactions: message('Interactions'),
  opened_reports: message('Reports opened'),
  resolved_reports: message('Reports resolved'),
}

const dimensionTitles: Readonly<Record<FoundDashboard['dimensions'][number]['key'], string>> = {
  sources: message('Apps that members signed up with'),
  languages: message('Languages of members'),
  servers: message('Most active servers'),
  space_usage: message('Storage'),
  software_versions: message('Software'),
}

export function DashboardView({ page }: { readonly page: PageView<FoundDashboard, string> }) {
  const t = useTranslation()
  const { found, session } = page
  return (
    <Panel page={page} title={t('Dashboard')} current={paths.dashboard}>
      <Queue
        waiting={found.waiting}
        isAllowed={(permission) => hasPermission(session.permissions, permission)}
      />
      <MissingServices services={found.missingServices} sourceUrl={page.site.sourceUrl} />
      <section class="panel-section" aria-labelledby="figures">
        <h2 id="figures">{t('The last 30 days')}</h2>
        <MeasureCharts
          charts={found.measures.map(({ key, measure }) => ({ title: t(measureTitles[key]), measure }))}
        />
      </section>
      <Retention cohorts={found.cohorts} />
      <div class="measures">
        {found.dimensions.map(({ key, dimension }) => (
          <DimensionTable kind={key} dimension={dimension} />
        ))}
      </div>
    </Panel>
  )
}

interface QueueProps {
  readonly waiting: Waiting
  readonly isAllowed: (permission: Permission) => boolean
}

/** Kinds of decisions that wait, by the permission that each needs. */
const kinds = [
  {
    kind: 'reports',
    href: paths.moderatedReports,
    permission: 'manageReports',
    text: message('{count, plural, one {report} other {reports}}'),
  },
  {
    kind: 'signUps',
    href: `${paths.moderatedAccounts}?status=pending`,
    permission: 'manageUsers',
    text: message('{count, plural, one {sign-up} other {sign-ups}}'),
  },
  {
    kind: 'appeals',
    href: paths.moderatedAppeals,
    permission: 'manageAppeals',
    text: message('{count, plural, one {appeal} other {appeals}}'),
  },
  {
    kind: 'trends',
    href: '/admin/trends',
    permission: 'manageTaxonomies',
    text: message('{count, plural, one {trend} other {trends}}'),
  },
  {
    kind: 'blocklists',
    href: paths.blocklists,
    permission: 'manageFederation',
    text: message('{count, plural, one {blocklist with changes} other {blocklists with changes}}'),
  },
  {
    kind: 'deadLetters',
    href: '/admin/operation',
    permission: 'viewDevops',
    text: message('{count, plural, one {message nobody could run} other {messages nobody could run}}'),
  },
] as const satisfies readonly {
  readonly kind: keyof Waiting
  readonly permission: Permission
  [name: string]: string
}[]

function Queue({ waiting, isAllowed }: QueueProps) {
  const t = useTranslation()
  const shown = kinds.filter(({ kind, permission }) => waiting[kind] > 0 && isAllowed(permission))
  return (
    <section class="panel-section" aria-labelledby="waiting">
      <h2 id="waiting">{t('Waiting for a decision')}</h2>
      {shown.length === 0 ? (
        <p class="muted">{t('Nothing. Have a good day.')}</p>
      ) : (
        <ul class="waiting">
          {shown.map(({ kind, href, text }) => (
            <li>
              <a class="card" href={href}>
                <strong class="waiting-count">
                  {waiting[kind] >= mostWaiting
                    ? t('{count, number} or more', { count: mostWaiting })
                    : t('{count, number}', { count: waiting[kind] })}
                </strong>{' '}
                {t(text, { count: waiting[kind] })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Steps of the shades of the table of retention. */
const shades = 5

/** Months from the one in which somebody joined first: a young server has none before. */
function sinceFirstMember(cohorts: readonly AdminCohort[]): readonly AdminCohort[] {
  const first = cohorts.findIndex(({ data }) => data.some(({ value }) => Number(value) > 0))
  return first === -1 ? cohorts.slice(-1) : cohorts.slice(first)
}

function Retention({ cohorts }: { readonly cohorts: readonly AdminCohort[] }) {
  const t = useTranslation()
  const monthOf = useCountedMonth()
  const shown = sinceFirstMember(cohorts)
  const [oldest] = shown
  if (oldest === undefined) return null
  return (
    <div class="card">
      <h2 id="retention">{t('Who joined, and stayed')}</h2>
      <p class="muted">
        {t('Of those who joined in a month, how many were active in that month and the next ones.')}
      </p>
      <section class="table-scroll" aria-labelledby="retention" tabindex={0}>
        <table class="retention">
          <thead>
            <tr>
              <th scope="col">{t('Joined in')}</th>
              {oldest.data.map((_, index) => (
                <th scope="col">
                  {index === 0
                    ? t('same month')
                    : t('{months, plural, one {# month later} other {# months later}}', { months: index })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ period, data }) => (
              <tr>
                <th scope="row">{monthOf(new Date(period))}</th>
                {data.map(({ rate, value }) => (
                  <td class={`rate-${Math.round(Math.min(1, rate) * shades)}`}>
                    {t('{value, number}', { value: Number(value) })}
                    <span class="muted"> {t('{rate, number, percent}', { rate })}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

interface DimensionTableProps {
  readonly kind: keyof typeof dimensionTitles
  readonly dimension: AdminDimension
}

function DimensionTable({ kind, dimension }: DimensionTableProps) {
  const t = useTranslation()
  // Versions are no amounts, which bars could show beside the figures.
  const hasBars = kind !== 'software_versions'
  const most = Math.max(1, ...dimension.data.map(({ value }) => Number(value) || 0))
  return (
    <section class="card">
      <h2>{t(dimensionTitles[kind])}</h2>
      {dimension.data.length === 0 ? (
        <p class="muted">{t('Nothing yet.')}</p>
      ) : (
        <table>
          <tbody>
            {dimension.data.map(({ key, human_key: name, value, human_value: text, unit }) => (
              <tr>
                <th scope="row">
                  <bdi>{entryName(t, kind, { key, name: name ?? key })}</bdi>
                  {hasBars && <Bar share={(Number(value) || 0) / most} />}
                </th>
                <td>
                  {unit === 'bytes'
                    ? sizeText(t, Number(value))
                    : (text ?? t('{value, number}', { value: Number(value) }))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Names of entries that are no names of their own: of an app, a server, a program. */
const entryNames: Readonly<Record<string, string>> = {
  'languages/und': message('Not chosen'),
  'sources/unknown': message('Unknown app'),
  'sources/web': message('This website'),
  'space_usage/d1': message('Database'),
  'space_usage/media': message('Media'),
  'software_versions/mastodon': message('Mastodon API'),
}

function entryName(
  t: TranslateText,
  kind: DimensionTableProps['kind'],
  { key, name }: { readonly key: string; readonly name: string },
): string {
  const text = entryNames[`${kind}/${key}`]
  if (text !== undefined) return t(text)
  return kind === 'languages' ? languageName(t.language, key, name) : name
}

/** Bar of a share from 0 to 1, for the eye alone: the figure stands beside it. */
export function Bar({ share }: { readonly share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" rx="2" class="bar-ground" />
      <rect width={Math.max(1, Math.round(Math.min(1, share) * 100))} height="4" rx="2" />
    </svg>
  )
}
