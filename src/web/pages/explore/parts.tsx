import type { Child } from 'hono/jsx'
import { Icon } from '../../components/icon'
import { Shell, Tabs, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'

export type ExplorePart = 'posts' | 'tags' | 'links' | 'people'

export interface PartPageProps {
  readonly part: ExplorePart
  readonly children: Child
}

/** A part of Explore. Where nothing trends on this server, people are the only one. */
export function PartPage({ part, children }: PartPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  const parts = [
    { name: 'posts', href: paths.explore, label: t('client.posts') },
    { name: 'tags', href: paths.exploreTags, label: t('client.hashtags') },
    { name: 'links', href: paths.exploreLinks, label: t('client.news') },
    { name: 'people', href: paths.suggestions, label: t('client.people') },
  ] as const
  const tabs = parts.map(({ name, href, label }) => ({ href, label, isCurrent: name === part }))
  const label = t('client.partsOfExplore')
  return (
    <Shell title={t('common.explore')} place="explore" isPrivate>
      <ViewHead
        title={t('common.explore')}
        tabs={site.places.includes('trends') ? <Tabs label={label} tabs={tabs} /> : undefined}
      >
        <a class="plain" href={paths.search} aria-label={t('client.search')}>
          <Icon name="search" />
        </a>
      </ViewHead>
      {part !== 'people' && (
        <p class="pad quiet small">{t('client.whatPeopleTalkAbout', { site: site.title })}</p>
      )}
      {children}
    </Shell>
  )
}
