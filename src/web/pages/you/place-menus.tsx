import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { constant } from '../../../db/query'
import type { WebSession } from '../../../domain/sessions/web-session'
import { Forbidden } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { adminSections } from '../../components/admin/panel'
import { Icon } from '../../components/icon'
import { SearchForm } from '../../components/search-form'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { menuFor, settingsMenuFor } from '../../member-pages/menu'
import { searchSettings } from '../../member-pages/search-settings'
import { showMemberView } from '../../member-view'
import type { MenuSection } from '../../page-context'
import { paths } from '../../paths'
import { documentsEntries } from '../../served-documents'
import { adminPages } from '../admin'
import { settingsPages } from '../settings'

/** Menus of settings and of administration as pages of their own, for screens without room for them at the side. */
export function placeMenuRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.settings, showSettings)
  app.get(paths.administration, showAdministration)
  return app
}

async function showAdministration(c: AppContext): Promise<Response> {
  const documents = await documentsEntries(c.get('ctx'))
  return showMemberView(c, {
    read: () => constant(null),
    show: ({ session }) => {
      const menu = menuFor(adminPages, 'admin', session)
      if (menu.length === 0) throw new Forbidden()
      return <PlaceMenuPage title={titles.administration} sections={adminSections([...menu, ...documents])} />
    },
  })
}

const titles = {
  administration: 'common.administration',
  settings: 'common.settings',
} as const

function showSettings(c: AppContext): Promise<Response> {
  const text = (c.req.query('q') ?? '').trim().slice(0, 200)
  const page = ({ session }: { readonly session: WebSession }) => (
    <SettingsPage text={text} session={session} />
  )
  return showMemberView(c, {
    read: () => constant(null),
    show: page,
    showWaiting: page,
  })
}

interface SettingsPageProps {
  /** Words of the search; empty for all pages. */
  readonly text: string
  readonly session: WebSession
}

/** The menu of settings as a page, or what a search in it finds. */
function SettingsPage({ text, session }: SettingsPageProps) {
  const t = useTranslation()
  const title = t(titles.settings)
  const search = (
    <div class="pad">
      <SearchForm in="settings" text={text} />
    </div>
  )
  if (text === '')
    return (
      <PlaceMenuPage
        title={titles.settings}
        sections={settingsMenuFor(settingsPages, session)}
        search={search}
      />
    )
  const found = searchSettings(settingsPages, session, t, text)
  return (
    <Shell title={title} place="you" isPrivate side={false}>
      <ViewHead title={title} back={paths.settings} />
      {search}
      {found.length === 0 && (
        <p class="pad quiet" role="status">
          {t('settings.noSettingsMatch')}
        </p>
      )}
      <ul class="rows menu-rows">
        {found.map(({ path, label, found: texts }) => (
          <li>
            <a class="row-link" href={path}>
              <span class="names">
                {label}
                {texts.map((one) => (
                  <small>{one}</small>
                ))}
              </span>
              <Icon name="chevron-right" />
            </a>
          </li>
        ))}
      </ul>
    </Shell>
  )
}

export interface PlaceMenuPageProps {
  readonly title: TextKey
  readonly sections: readonly MenuSection[]
  /** Field above the links. */
  readonly search?: Child
}

/** Links to the pages of a place, under headings. */
export function PlaceMenuPage({ title, sections, search }: PlaceMenuPageProps) {
  const t = useTranslation()
  return (
    <Shell title={t(title)} place="you" isPrivate side={search === undefined ? undefined : false}>
      <ViewHead title={t(title)} back={paths.menu} />
      {search}
      {sections.map(({ heading, entries }) => (
        <section aria-label={t(heading)}>
          <div class="section-head">
            <h2>{t(heading)}</h2>
          </div>
          <ul class="rows menu-rows">
            {entries.map(({ path, label }) => (
              <li>
                <a class="row-link" href={path}>
                  <span class="names">{t(label)}</span>
                  <Icon name="chevron-right" />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Shell>
  )
}
