import { Icon } from '../../components/icon'
import { Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'

export interface TimelineTabsProps {
  readonly current: 'home' | 'local' | 'all'
}

/** Links between the timelines that are open to the member. */
export function TimelineTabs({ current }: TimelineTabsProps) {
  const t = useTranslation()
  const { site } = usePage()
  const tabs = [
    { place: 'home', href: paths.home, label: t('client.home') },
    { place: 'local', href: paths.posts, label: t('client.local') },
    { place: 'all', href: paths.allPosts, label: t('client.federated') },
  ] as const
  const open = tabs.filter(({ place }) => place === 'home' || site.places.includes(place))
  return (
    <Tabs
      label={t('client.timelines')}
      tabs={open.map(({ place, href, label }) => ({ href, label, isCurrent: place === current }))}
    />
  )
}

export interface NewerProps {
  readonly url: string
  /** Entries above the page; 0 where they are not counted. */
  readonly count: number
}

/** The link to the first page, in the head of the others. */
export function Newer({ url, count }: NewerProps) {
  const t = useTranslation()
  return (
    <a class="newer" href={url}>
      <span>
        <Icon name="arrow-up" isSmall />
        {count > 0 ? t('client.countNumberNew', { count }) : t('client.newest')}
      </span>
    </a>
  )
}
