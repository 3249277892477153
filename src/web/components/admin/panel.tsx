import type { Child } from 'hono/jsx'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { ErrorSummary } from '../form'
import { Outcome } from '../form-page'
import { contentTarget, Layout } from '../layout'
import { GroupedMenu } from '../settings-layout'

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
  const t = useTranslation()
  const { menu } = usePage()
  const places = groups.map(({ heading, below }, index) => ({
    heading: t(heading),
    entries: menu
      .filter(({ order }) => order < below && order >= (groups[index - 1]?.below ?? 0))
      .map(({ path, label }) => ({ path, label: t(label) })),
  }))
  return (
    <Layout title={title} width="wide" isPrivate hasMenu>
      <div class="settings settings-broad">
        <GroupedMenu
          label={t('common.administration')}
          title={title}
          groups={places.filter(({ entries }) => entries.length > 0)}
          current={current}
        />
        <div class="panel panel-content" {...contentTarget}>
          <h1>{title}</h1>
          <ErrorSummary />
          <Outcome />
          {children}
        </div>
      </div>
    </Layout>
  )
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly href: string; readonly text: string; readonly isCurrent: boolean }[]
}

/** Links to the parts of a list. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, text, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
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
      <a class="button button-secondary" href={olderUrl} rel="next">
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
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== '' && (
            <div class="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
