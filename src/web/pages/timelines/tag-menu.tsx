import type { Child } from 'hono/jsx'
import type { Tag } from '../../../contract/entities/tag'
import type { TagFollowOptions } from '../../../domain/tags/follow'
import { Day } from '../../components/day'
import { CsrfField } from '../../components/form'
import { Icon, type IconName } from '../../components/icon'
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
  return (
    <>
      {snoozedUntil !== null && (
        <TagNote tag={tag} icon="moon" act="unsnooze" label={t('client.tag.endSnooze')}>
          {t.rich('client.tag.snoozedUntil', { time: <Day at={snoozedUntil} withTime /> })}
        </TagNote>
      )}
      {fewer && (
        <TagNote tag={tag} icon="sliders-horizontal" act="all" label={t('client.tag.showAll')}>
          {t('client.tag.atMostOneADay')}
        </TagNote>
      )}
    </>
  )
}

interface TagNoteProps {
  readonly tag: Tag
  readonly icon: IconName
  readonly act: (typeof tagActs)[number]
  readonly label: string
  readonly children?: Child
}

function TagNote({ tag, icon, act, label, children }: TagNoteProps) {
  const { returnTo } = usePosts()
  return (
    <form class="pad" method="post" action={tagPath(tag.name)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={returnTo} />
      <div class="note">
        <Icon name={icon} />
        <div>
          {children}{' '}
          <button type="submit" class="button low" name="act" value={act}>
            {label}
          </button>
        </div>
      </div>
    </form>
  )
}
