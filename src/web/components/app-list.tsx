import { appsFor, platforms } from '../apps'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import type { Site } from '../site'

/** The address that apps ask for, and apps to give it to. */
export function AppList({ site }: { readonly site: Site }) {
  const t = useTranslation()
  const list = new Intl.ListFormat(t.language, { style: 'narrow', type: 'conjunction' })
  return (
    <section class="card" aria-labelledby="apps">
      <h2 id="apps">{t('apps.useFromApp')}</h2>
      <p>{t('apps.anyAppMadeMastodon')}</p>
      <p>
        <code class="code-to-copy">{site.host}</code>
      </p>
      <ul class="apps">
        {appsFor(site.host)
          .filter(({ isNamedFirst }) => isNamedFirst)
          .map(({ name, url, platforms: runsOn }) => (
            <li>
              <a href={url} rel="noopener">
                {name}
              </a>{' '}
              <span class="muted">{list.format(runsOn.map((platform) => t(platforms[platform])))}</span>
            </li>
          ))}
      </ul>
      <p class="after-list">
        <a href={paths.apps}>{t('apps.moreAppsByDevice')}</a>
      </p>
    </section>
  )
}
