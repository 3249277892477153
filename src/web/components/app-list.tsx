import type { Scope } from '../../domain/sessions/scopes'
import { appsFor, platforms } from '../apps'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { paths } from '../paths'
import { groupScopes, type ScopeItem } from '../scope-texts'

/** The address that apps ask for, and apps to give it to. */
export function AppList() {
  const t = useTranslation()
  const { site } = usePage()
  const list = new Intl.ListFormat(t.language, { style: 'narrow', type: 'conjunction' })
  return (
    <section class="block" aria-labelledby="apps">
      <h2 id="apps">{t('apps.useFromApp')}</h2>
      <p>{t('apps.anyAppMadeMastodon')}</p>
      <p>
        <code class="code-to-copy">{site.host}</code>
      </p>
      <ul class="apps">
        {appsFor(site)
          .filter(({ isNamedFirst }) => isNamedFirst)
          .map(({ name, url, platforms: runsOn }) => (
            <li>
              <a href={url} rel="noopener">
                {name}
              </a>{' '}
              <span class="quiet small">{list.format(runsOn.map((platform) => t(platforms[platform])))}</span>
            </li>
          ))}
      </ul>
      <p class="after-list">
        <a href={paths.apps}>{t('apps.moreAppsByDevice')}</a>
      </p>
    </section>
  )
}

export interface ScopeListProps {
  readonly scopes: readonly Scope[]
  /** Level of the group headings, to fit under the heading before the list. */
  readonly heading: 'h2' | 'h4'
}

/** Lists the scopes of an application in plain words, the riskiest first. */
export function ScopeList({ scopes, heading: Heading }: ScopeListProps) {
  const t = useTranslation()
  return (
    <div class="scopes">
      {groupScopes(scopes).map(({ risk, title, items }) => (
        <section class={`scope-group scope-${risk}`}>
          <Heading class="scope-title">{t(title)}</Heading>
          <ul>
            {items.map((item) => (
              <li>
                <Item {...item} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Item({ text, includes }: ScopeItem) {
  const t = useTranslation()
  if (includes.length === 0) return <>{t(text)}</>
  return (
    <details>
      <summary>{t(text)}</summary>
      <ul>
        {includes.map((child) => (
          <li>{t(child)}</li>
        ))}
      </ul>
    </details>
  )
}
