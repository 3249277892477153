import { type ExplorePlace, explorePages } from '../explore-places'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'

export interface ExploreTabsProps {
  readonly current: ExplorePlace
}

/** Links between the pages for visitors. */
export function ExploreTabs({ current }: ExploreTabsProps) {
  const t = useTranslation()
  const { site } = usePage()
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
