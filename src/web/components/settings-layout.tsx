import { type Child, createContext, useContext } from 'hono/jsx'
import type { TextKey } from '../../lib/translate'
import { useTranslation } from '../i18n/context'
import type { MenuSection } from '../member-pages/declaration'
import type { Markup } from '../page'
import type { AccountSummary, Site } from '../site'
import { ErrorSummary, type FormErrors, hasErrors } from './form'
import { GroupedMenu } from './grouped-menu'
import { contentTarget, Layout } from './layout'
import { Outcome } from './outcome'

/** Links to the settings under their headings, and the path of the page that is shown. */
export interface SettingsMenu {
  readonly groups: readonly MenuSection[]
  readonly current: string
}

const MenuContext = createContext<SettingsMenu>({ groups: [], current: '' })

/** `page` with the menu that its `SettingsLayout` shows. */
export function withSettingsMenu(menu: SettingsMenu, page: Markup): Markup {
  return <MenuContext.Provider value={menu}>{page}</MenuContext.Provider>
}

export interface SettingsLayoutProps {
  readonly site: Site
  readonly viewer: AccountSummary
  readonly title: string
  /** Heading that differs from the title, as by hyphens that hold words together. */
  readonly heading?: string
  readonly errors?: FormErrors<string>
  /** Confirmation of a submitted form. */
  readonly message?: TextKey | null
  readonly children?: Child
}

/** Settings page: the menu beside it, or folded above it on phones, a heading, the outcome of a form, and the content. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { site, viewer, title, heading = title, errors = {}, message = null, children } = props
  return (
    <Layout
      site={site}
      viewer={viewer}
      title={title}
      width="wide"
      hasErrors={hasErrors(errors)}
      isPrivate
      hasMenu
    >
      <div class="settings">
        <Menu title={title} />
        <div class="settings-content" {...contentTarget}>
          <h1>{heading}</h1>
          <ErrorSummary errors={errors} />
          <Outcome message={message} />
          {children}
        </div>
      </div>
    </Layout>
  )
}

/** Empty for sessions that may open no other page, as those of suspended accounts. */
function Menu({ title }: { readonly title: string }) {
  const { groups, current } = useContext(MenuContext)
  const t = useTranslation()
  if (groups.length === 0) return null
  const translated = groups.map(({ heading, entries }) => ({
    heading: t(heading),
    entries: entries.map(({ path, label }) => ({ path, label: t(label) })),
  }))
  return <GroupedMenu label={t('common.settings')} title={title} groups={translated} current={current} />
}
