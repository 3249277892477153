import type { TextKey } from '../../lib/translate'
import { Tabs } from '../components/shell'
import { useTranslation } from '../i18n/context'

/** Part of a profile that members see. */
export type MemberTab = 'posts' | 'replies' | 'media' | 'featured'

const tabs: readonly { readonly tab: MemberTab; readonly suffix: string; readonly label: TextKey }[] = [
  { tab: 'posts', suffix: '', label: 'field.posts' },
  { tab: 'replies', suffix: '/with_replies', label: 'status.replies' },
  { tab: 'media', suffix: '/media', label: 'common.media' },
  { tab: 'featured', suffix: '/featured', label: 'client.person.featured' },
]

export interface MemberTabsProps {
  /** Path of the profile. */
  readonly path: string
  /** The tab shown; null for a list that has none. */
  readonly current: MemberTab | null
}

/** Links between the parts of a profile. */
export function MemberTabs({ path, current }: MemberTabsProps) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('client.person.partsOfTheProfile')}
      tabs={tabs.map(({ tab, suffix, label }) => ({
        href: path + suffix,
        label: t(label),
        isCurrent: tab === current,
      }))}
    />
  )
}
