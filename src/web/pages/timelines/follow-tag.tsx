import type { Tag } from '../../../contract/entities/tag'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { usePosts } from '../../posts/context'

/** Days whose uses of a hashtag count as recent. */
const recentDays = 2

/** People who used a hashtag in the past two days; those who did on both count twice. */
export function recentPeople({ history }: Pick<Tag, 'history'>): number {
  return history.slice(0, recentDays).reduce((sum, day) => sum + Number(day.accounts), 0)
}

/** Path of the page of a hashtag. */
export function tagPath(name: string): string {
  return `${paths.tags}/${encodeURIComponent(name)}`
}

/** The button that follows a hashtag, or unfollows it. */
export function FollowTag({ tag }: { readonly tag: Tag }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const isFollowed = tag.following === true
  return (
    <form method="post" action={tagPath(tag.name)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={returnTo} />
      <button
        type="submit"
        class="button low"
        name="act"
        value={isFollowed ? 'unfollow' : 'follow'}
        aria-pressed={isFollowed}
      >
        {isFollowed && <Icon name="check" isSmall />}
        {isFollowed ? t('client.following') : t('common.follow')}
        <span class="hidden"> #{tag.name}</span>
      </button>
    </form>
  )
}
