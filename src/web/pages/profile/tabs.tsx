import { message } from '../../../lib/translate'
import { useTranslation } from '../../i18n/context'

/** Part of the statuses of an account that its page lists. */
export type ProfileTab = 'posts' | 'replies' | 'media'

const tabs: readonly { readonly tab: ProfileTab; readonly suffix: string; readonly label: string }[] = [
  { tab: 'posts', suffix: '', label: message('Posts') },
  { tab: 'replies', suffix: '/with_replies', label: message('Posts and replies') },
  { tab: 'media', suffix: '/media', label: message('Media') },
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
    <nav class="tabs" aria-label={t('Profile')}>
      {tabs.map(({ tab, suffix, label }) => (
        <a href={url + suffix} aria-current={tab === current ? 'page' : undefined}>
          {t(label)}
        </a>
      ))}
    </nav>
  )
}
