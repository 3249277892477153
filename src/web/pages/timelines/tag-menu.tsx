import type { Tag } from '../../../contract/entities/tag'
import type { TagFollowOptions } from '../../../domain/tags/follow'
import { Day } from '../../components/day'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { MenuButton } from '../../components/menu-rows'
import { useTranslation } from '../../i18n/context'
import { usePosts } from '../../posts/context'
import { tagPath } from './follow-tag'

/** Acts of the buttons of a followed hashtag, by what they change. */
export const tagActs = ['follow', 'unfollow', 'snooze', 'unsnooze', 'fewer', 'all'] as const

interface TagMenuProps {
  readonly tag: Tag
  readonly follow: TagFollowOptions
}

/** Menu of a followed hashtag: what home shows of it. */
export function TagMenu({ tag, follow }: TagMenuProps) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  return (
    <details class="menu">
      <summary class="plain" aria-label={t('client.tag.whatHomeShows', { tag: `#${tag.name}` })}>
        <Icon name="ellipsis" />
      </summary>
      <form class="sheet" method="post" action={tagPath(tag.name)}>
        <CsrfField />
        <input type="hidden" name="return_to" value={returnTo} />
        {follow.snoozedUntil === null ? (
          <MenuButton
            icon="moon"
            act="snooze"
            label={t('client.person.snoozeForADay')}
            hint={t('client.tag.snoozeEffect')}
          />
        ) : (
          <MenuButton icon="moon" act="unsnooze" label={t('client.tag.endSnooze')} />
        )}
        {follow.fewer ? (
          <MenuButton icon="sliders-horizontal" act="all" label={t('client.tag.showAll')} />
        ) : (
          <MenuButton
            icon="sliders-horizontal"
            act="fewer"
            label={t('client.person.fewerPosts')}
            hint={t('client.tag.atMostOneADay')}
          />
        )}
      </form>
    </details>
  )
}

/** Says what home leaves out of a followed hashtag, with buttons that undo it. */
export function TagNotes({ tag, follow: { snoozedUntil, fewer } }: TagMenuProps) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  if (snoozedUntil === null && !fewer) return null
  return (
    <form class="pad" method="post" action={tagPath(tag.name)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={returnTo} />
      {snoozedUntil !== null && (
        <div class="note">
          <Icon name="moon" />
          <div>
            {t.rich('client.tag.snoozedUntil', { time: <Day at={snoozedUntil} withTime /> })}{' '}
            <button type="submit" class="button low" name="act" value="unsnooze">
              {t('client.tag.endSnooze')}
            </button>
          </div>
        </div>
      )}
      {fewer && (
        <div class="note">
          <Icon name="sliders-horizontal" />
          <div>
            {t('client.tag.atMostOneADay')}{' '}
            <button type="submit" class="button low" name="act" value="all">
              {t('client.tag.showAll')}
            </button>
          </div>
        </div>
      )}
    </form>
  )
}
