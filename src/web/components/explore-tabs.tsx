import { type ExplorePlace, explorePages } from '../explore-places'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { Tabs } from './shell'

export interface ExploreTabsProps {
  readonly current: ExplorePlace
}

/** Links between the pages for visitors. */
export function ExploreTabs({ current }: ExploreTabsProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <Tabs
      label={t('common.explore')}
      tabs={site.places.map((place) => ({
        href: explorePages[place].path,
        label: t(explorePages[place].label),
        isCurrent: place === current,
      }))}
    />
  )
}
