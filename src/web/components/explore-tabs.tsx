import { type ExplorePlace, explorePages } from '../explore-places'
import { useTranslation } from '../i18n/context'
import type { Site } from '../site'

export interface ExploreTabsProps {
  readonly site: Site
  readonly current: ExplorePlace
}

/** Links between the pages for visitors. */
export function ExploreTabs({ site, current }: ExploreTabsProps) {
  const t = useTranslation()
  return (
    <nav class="tabs" aria-label={t('common.explore')}>
      {site.places.map((place) => (
        <a href={explorePages[place].path} aria-current={place === current ? 'page' : undefined}>
          {t(explorePages[place].label)}
        </a>
      ))}
    </nav>
  )
}
