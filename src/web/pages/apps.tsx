import { Hono } from 'hono'
import type { AppEnv } from '../../ports/app-env'
import { appsFor, platformNames, platforms } from '../apps'
import { Layout } from '../components/layout'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { usePage } from '../page-context'
import { openPage } from '../page-request'
import { paths } from '../paths'

/** The page of apps to use the server with. */
export function appRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.apps, async (c) => {
    const visit = await openPage(c)
    return showPublicPage(c, visit, <AppsPage />)
  })
  return app
}

export function AppsPage() {
  const t = useTranslation()
  const { site } = usePage()
  const apps = appsFor(site)
  return (
    <Layout title={t('apps.apps')} heading={t('apps.appsForSite', { site: site.title })}>
      <div class="block">
        <p>{t('apps.anyAppMadeMastodon')}</p>
        <p>
          <code class="code-to-copy">{site.host}</code>
        </p>
      </div>
      {platformNames.map((platform) => (
        <section class="block" aria-labelledby={platform}>
          <h2 id={platform}>{t(platforms[platform])}</h2>
          <ul class="apps">
            {apps
              .filter((app) => app.platforms.includes(platform))
              .map(({ name, url }) => (
                <li>
                  <a href={url} rel="noopener">
                    {name}
                  </a>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <p class="quiet small">{t('apps.appsMadeByOthers')}</p>
    </Layout>
  )
}
