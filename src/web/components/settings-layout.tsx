import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { paths } from '../paths'
import { ErrorSummary } from './form'
import { Outcome } from './form-page'
import { pageSheets } from './layout'
import { PlaceMenu } from './navigation'
import { SearchForm } from './search-form'
import { Shell, Tabs, ViewHead } from './shell'

export interface SettingsLayoutProps {
  readonly title: string
  /** Heading that differs from the title, as by hyphens that hold words together. */
  readonly heading?: string
  readonly children?: Child
}

/** Settings page: their menu in the navigation, a heading, the outcome of a form, and the content. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { title, heading = title, children } = props
  const { groups, tabs } = usePage().settingsMenu
  const t = useTranslation()
  return (
    <Shell
      title={title}
      isPrivate
      place="you"
      sheets={pageSheets}
      menu={<SettingsMenu />}
      side={groups.length === 0 ? false : <SearchForm in="settings" />}
    >
      {/* Without a menu the session may open no other page. */}
      <ViewHead title={heading} back={groups.length === 0 ? undefined : paths.settings} />
      {tabs.length > 0 && (
        <Tabs
          label={title}
          tabs={tabs.map(({ path, label, isCurrent }) => ({ href: path, label: t(label), isCurrent }))}
        />
      )}
      <div class="page">
        <ErrorSummary />
        <Outcome />
        {children}
      </div>
    </Shell>
  )
}

/** Menu of settings. Sessions that may open no other page, as those of suspended accounts, have none. */
function SettingsMenu() {
  const { groups, current } = usePage().settingsMenu
  const t = useTranslation()
  return <PlaceMenu label={t('common.settings')} sections={groups} current={current} />
}
