import type { Child } from 'hono/jsx'
import { useTranslation } from '../../i18n/context'
import { type MenuEntry, type MenuSection, usePage } from '../../page-context'
import { paths } from '../../paths'
import { ErrorSummary } from '../form'
import { Outcome } from '../form-page'
import { pageSheets } from '../layout'
import { PlaceMenu } from '../navigation'
import { Shell, ViewHead } from '../shell'

export interface PanelProps {
  readonly title: string
  /** Path of the menu entry that the page belongs to. */
  readonly current: string
  readonly children?: Child
}

/** Headings of the menu, each over the entries whose order is below its bound. */
const groups = [
  { heading: 'admin.menu.moderation', below: 100 },
  { heading: 'admin.menu.content', below: 200 },
  { heading: 'admin.menu.blocksAndServers', below: 600 },
  { heading: 'common.thisServer', below: 1_000 },
] as const

/** Administration page: the menu of permitted pages, a heading, the outcome of a form, and the content. */
export function Panel({ title, current, children }: PanelProps) {
  return (
    <Shell
      title={title}
      isPrivate
      place="you"
      frame="wide"
      sheets={pageSheets}
      menu={<AdminMenu current={current} />}
    >
      <ViewHead title={title} back={paths.administration} />
      <div class="page">
        <ErrorSummary />
        <Outcome />
        {children}
      </div>
    </Shell>
  )
}

/** Menu of the pages of administration that the session may open. */
function AdminMenu({ current }: Pick<PanelProps, 'current'>) {
  const t = useTranslation()
  return (
    <PlaceMenu
      label={t('common.administration')}
      sections={adminSections(usePage().menu)}
      current={current}
    />
  )
}

/** Links of administration under their headings; one without a link is left out. */
export function adminSections(menu: readonly MenuEntry[]): readonly MenuSection[] {
  return groups
    .map(({ heading, below }, index) => ({
      heading,
      entries: menu.filter(({ order }) => order < below && order >= (groups[index - 1]?.below ?? 0)),
    }))
    .filter(({ entries }) => entries.length > 0)
}

export interface MoreProps {
  /** Null at the end of the list. */
  readonly olderUrl: string | null
}

/** Link to the next page of a list. */
export function More({ olderUrl }: MoreProps) {
  const t = useTranslation()
  if (olderUrl === null) return null
  return (
    <nav class="actions" aria-label={t('common.pages')}>
      <a class="button" href={olderUrl} rel="next">
        {t('admin.menu.olderEntries')}
      </a>
    </nav>
  )
}

export interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: Child])[]
}

/** Names and values of one thing, those with a value. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="fields">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
