import type { TextKey } from '../../../lib/translate'
import { Tabs } from '../../components/shell'
import { useTranslation } from '../../i18n/context'

/** Part of the statuses of an account that its page lists. */
export type ProfileTab = 'posts' | 'replies' | 'media'

const tabs: readonly { readonly tab: ProfileTab; readonly suffix: string; readonly label: TextKey }[] = [
  { tab: 'posts', suffix: '', label: 'field.posts' },
  { tab: 'replies', suffix: '/with_replies', label: 'profile.postsAndReplies' },
  { tab: 'media', suffix: '/media', label: 'common.media' },
]

/** End of the address of a tab, after that of the profile. */
export function suffixOf(tab: ProfileTab): string {
  return tabs.find((one) => one.tab === tab)?.suffix ?? ''
}

export interface ProfileTabsProps {
  /** Address of the profile. */
  readonly url: string
  /** The tab shown; null for a list that has none. */
  readonly current: ProfileTab | null
}

/** Links between the lists of a profile. */
export function ProfileTabs({ url, current }: ProfileTabsProps) {
  const t = useTranslation()
  return (
    <Tabs
      label={t('common.profile')}
      tabs={tabs.map(({ tab, suffix, label }) => ({
        href: url + suffix,
        label: t(label),
        isCurrent: tab === current,
      }))}
    />
  )
}
