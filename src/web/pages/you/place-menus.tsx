import { Hono } from 'hono'
import { constant } from '../../../db/query'
import type { WebSession } from '../../../domain/sessions/web-session'
import { Forbidden } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { adminSections } from '../../components/admin/panel'
import { Icon } from '../../components/icon'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { menuFor, settingsMenuFor } from '../../member-pages/menu'
import { showMemberView } from '../../member-view'
import type { MenuSection } from '../../page-context'
import { paths } from '../../paths'
import { adminPages } from '../admin'
import { settingsPages } from '../settings'

/** Menus of settings and of administration as pages of their own, for screens without room for them at the side. */
export function placeMenuRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.settings, showSettings)
  app.get(paths.administration, (c) =>
    showMemberView(c, {
      read: () => constant(null),
      show: ({ session }) => {
        const sections = adminSections(menuFor(adminPages, 'admin', session))
        if (sections.length === 0) throw new Forbidden()
        return <PlaceMenuPage title={titles.administration} sections={sections} />
      },
    }),
  )
  return app
}

const titles = {
  administration: 'common.administration',
  settings: 'common.settings',
} as const

function showSettings(c: AppContext): Promise<Response> {
  const page = ({ session }: { readonly session: WebSession }) => (
    <PlaceMenuPage title={titles.settings} sections={settingsMenuFor(settingsPages, session)} />
  )
  return showMemberView(c, {
    read: () => constant(null),
    show: page,
    showWaiting: page,
  })
}

export interface PlaceMenuPageProps {
  readonly title: TextKey
  readonly sections: readonly MenuSection[]
}

/** Links to the pages of a place, under headings. */
export function PlaceMenuPage({ title, sections }: PlaceMenuPageProps) {
  const t = useTranslation()
  return (
    <Shell title={t(title)} place="you" isPrivate>
      <ViewHead title={t(title)} back={paths.menu} />
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
