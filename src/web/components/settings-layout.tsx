import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { ErrorSummary } from './form'
import { Outcome } from './form-page'
import { contentTarget, Layout } from './layout'

export interface SettingsLayoutProps {
  readonly title: string
  /** Heading that differs from the title, as by hyphens that hold words together. */
  readonly heading?: string
  readonly children?: Child
}

/** Settings page: the menu beside it, or folded above it on phones, a heading, the outcome of a form, and the content. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { title, heading = title, children } = props
  return (
    <Layout title={title} width="wide" isPrivate hasMenu>
      <div class="settings">
        <Menu title={title} />
        <div class="settings-content" {...contentTarget}>
          <h1>{heading}</h1>
          <ErrorSummary />
          <Outcome />
          {children}
        </div>
      </div>
    </Layout>
  )
}

/** Empty for sessions that may open no other page, as those of suspended accounts. */
function Menu({ title }: { readonly title: string }) {
  const { groups, current } = usePage().settingsMenu
  const t = useTranslation()
  if (groups.length === 0) return null
  const translated = groups.map(({ heading, entries }) => ({
    heading: t(heading),
    entries: entries.map(({ path, label }) => ({ path, label: t(label) })),
  }))
  return <GroupedMenu label={t('common.settings')} title={title} groups={translated} current={current} />
}

export interface MenuGroup {
  readonly heading: string
  readonly entries: readonly { readonly path: string; readonly label: string }[]
}

export interface GroupedMenuProps {
  /** Name of the menu. */
  readonly label: string
  /** Title of the page, for those who do not see it beside the menu. */
  readonly title: string
  readonly groups: readonly MenuGroup[]
  /** Path of the entry that is marked. */
  readonly current: string
}

/** Links under headings, beside a page or folded above it on phones. */
export function GroupedMenu({ label, title, groups, current }: GroupedMenuProps) {
  return (
    <details class="settings-menu">
      <summary class="settings-toggle">
        {label}
        <span class="visually-hidden">: {title}</span>
      </summary>
      <nav class="settings-nav" aria-label={label}>
        {groups.map(({ heading, entries }) => (
          <div class="settings-group">
            <p class="settings-heading">{heading}</p>
            <ul class="settings-links">
              {entries.map((entry) => (
                <li>
                  <a href={entry.path} aria-current={entry.path === current ? 'page' : undefined}>
                    {entry.label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </details>
  )
}
