import type { AdminCohort, AdminDimension } from '../../../contract/entities/admin/metrics'
import { mostWaiting, type Waiting } from '../../../domain/moderation/find-history'
import { hasPermission, type Permission } from '../../../domain/policy/permissions'
import type { TextKey, TranslateText } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'
import { languageName, sizeText } from '../../i18n/names'
import type { PageView } from '../../member-pages/declaration'
import type { FoundDashboard } from '../../pages/admin/load-dashboard'
import { paths } from '../../paths'
import { useCountedMonth } from '../day'
import { MeasureCharts } from './measure-chart'
import { MissingServices } from './missing-services'
import { NewReleaseNotice } from './new-release'
import { Panel } from './panel'

const measureTitles: Readonly<Record<FoundDashboard['measures'][number]['key'], TextKey>> = {
  new_users: 'admin.dashboard.signUps',
  active_users: 'admin.dashboard.activeMembers',
  interactions: 'admin.dashboard.interactions',
  opened_reports: 'admin.dashboard.reportsOpened',
  resolved_reports: 'admin.dashboard.reportsResolved',
}

const dimensionTitles: Readonly<Record<FoundDashboard['dimensions'][number]['key'], TextKey>> = {
  sources: 'admin.dashboard.appsMembersSignedUp',
  languages: 'admin.dashboard.languagesOfMembers',
  servers: 'admin.dashboard.mostActiveServers',
  space_usage: 'admin.dashboard.storage',
  software_versions: 'admin.software',
}

export function DashboardView({ page }: { readonly page: PageView<FoundDashboard> }) {
  const t = useTranslation()
  const { found, session } = page
  return (
    <Panel title={t('admin.dashboard.dashboard')} current={paths.dashboard}>
      <Queue
        waiting={found.waiting}
        isAllowed={(permission) => hasPermission(session.permissions, permission)}
      />
      <NewReleaseNotice release={found.release} />
      <MissingServices services={found.missingServices} />
      <section class="panel-section" aria-labelledby="figures">
        <h2 id="figures">{t('admin.dashboard.last30Days')}</h2>
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
    text: 'admin.dashboard.reports',
    isForPeople: true,
  },
  {
    kind: 'signUps',
    href: `${paths.moderatedAccounts}?status=pending`,
    permission: 'manageUsers',
    text: 'admin.dashboard.signUps2',
    isForPeople: true,
  },
  {
    kind: 'appeals',
    href: paths.moderatedAppeals,
    permission: 'manageAppeals',
    text: 'admin.dashboard.appeals',
    isForPeople: true,
  },
  {
    kind: 'trends',
    href: '/admin/trends',
    permission: 'manageTaxonomies',
    text: 'admin.dashboard.trends',
    isForPeople: false,
  },
  {
    kind: 'blocklists',
    href: paths.blocklists,
    permission: 'manageFederation',
    text: 'admin.dashboard.blocklistsWithChanges',
    isForPeople: false,
  },
  {
    kind: 'deadLetters',
    href: '/admin/operation',
    permission: 'viewDevops',
    text: 'admin.dashboard.failedJobs',
    isForPeople: false,
  },
] as const satisfies readonly {
  readonly kind: keyof Waiting
  readonly permission: Permission
  readonly href: string
  readonly text: TextKey
  /** People wait for the answer, rather than data. */
  readonly isForPeople: boolean
}[]

function Queue({ waiting, isAllowed }: QueueProps) {
  const t = useTranslation()
  const shown = kinds.filter(({ kind, permission }) => waiting[kind] > 0 && isAllowed(permission))
  return (
    <section class="panel-section" aria-labelledby="waiting">
      <h2 id="waiting">{t('admin.dashboard.waitingDecision')}</h2>
      {shown.length === 0 ? (
        <p class="quiet small">{t('admin.dashboard.nothingHaveGoodDay')}</p>
      ) : (
        <ul class="tiles">
          {shown.map(({ kind, href, text, isForPeople }) => (
            <li>
              <a class={isForPeople ? 'due' : undefined} href={href}>
                <b>
                  {waiting[kind] >= mostWaiting
                    ? t('admin.dashboard.countOrMore', { count: mostWaiting })
                    : t('common.count', { count: waiting[kind] })}
                </b>{' '}
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

/** Months since the first sign-up: a young server has none before. */
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
    <div class="block">
      <h2 id="retention">{t('admin.dashboard.whoJoinedStayed')}</h2>
      <p class="quiet small">{t('admin.dashboard.whoJoinedMonthHow')}</p>
      <section class="table-scroll" aria-labelledby="retention" tabindex={0}>
        <table class="retention">
          <thead>
            <tr>
              <th scope="col">{t('admin.dashboard.joinedIn')}</th>
              {oldest.data.map((_, index) => (
                <th scope="col">
                  {index === 0
                    ? t('admin.dashboard.sameMonth')
                    : t('admin.dashboard.monthsLater', { months: index })}
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
                    {t('admin.value', { value: Number(value) })}
                    <span class="quiet small"> {t('admin.rate', { rate })}</span>
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
    <section class="block">
      <h2>{t(dimensionTitles[kind])}</h2>
      {dimension.data.length === 0 ? (
        <p class="quiet small">{t('admin.dashboard.nothingYet')}</p>
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
                    : (text ?? t('admin.value', { value: Number(value) }))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** Names of entries that are not proper names: of an app, a server, a program. */
const entryNames: Readonly<Record<string, TextKey>> = {
  'languages/und': 'admin.dashboard.notChosen',
  'sources/unknown': 'admin.dashboard.unknownApp',
  'sources/web': 'admin.dashboard.thisWebsite',
  'space_usage/d1': 'admin.database',
  'space_usage/media': 'common.media',
  'software_versions/mastodon': 'admin.dashboard.mastodonApi',
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
    <svg class="proportion" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" rx="2" class="proportion-ground" />
      <rect width={Math.max(1, Math.round(Math.min(1, share) * 100))} height="4" rx="2" />
    </svg>
  )
}
