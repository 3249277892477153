import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { Prose } from '../components/prose'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { Age } from './age'
import type { AnnouncementView } from './announcement-view'
import { usePosts } from './context'
import { ReactionChip } from './reaction-chip'

export interface AnnouncementsProps {
  readonly announcements: readonly AnnouncementView[]
}

/** Announcements one below the other; nothing where there are none. */
export function Announcements({ announcements }: AnnouncementsProps) {
  if (announcements.length === 0) return null
  return (
    <div class="pad stacked">
      {announcements.map((announcement) => (
        <AnnouncementNote announcement={announcement} />
      ))}
    </div>
  )
}

/** Id of the element of an announcement, which its forms lead back to. */
const anchorOf = (id: string) => `announcement-${id}`

function AnnouncementNote({ announcement }: { readonly announcement: AnnouncementView }) {
  const t = useTranslation()
  const { now } = usePosts()
  const { id, html, publishedAt, isRead } = announcement
  return (
    <article class="note" id={anchorOf(id)} aria-label={t('client.announcement')}>
      <Icon name="megaphone" />
      <div>
        <p>
          <b>{t('client.announcement')}</b>
          {publishedAt !== null && (
            <>
              {' · '}
              <Age at={publishedAt} now={now} />
            </>
          )}
        </p>
        <div class="text">
          <Prose html={html} />
        </div>
        <Reactions announcement={announcement} />
        {!isRead && <Dismissal id={id} />}
      </div>
    </article>
  )
}

function Dismissal({ id }: Pick<AnnouncementView, 'id'>) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  return (
    <form class="links" method="post" action={`${paths.announcements}/${id}`}>
      <CsrfField />
      <input type="hidden" name="return_to" value={returnTo} />
      <button type="submit" class="link" name="act" value="dismiss">
        {t('client.gotIt')}
      </button>
    </form>
  )
}

/** Emojis to react with at one press. */
const offered = ['👍', '❤️', '🎉', '😂', '😮', '😢']

function Reactions({ announcement: { id, reactions } }: { readonly announcement: AnnouncementView }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const action = `${paths.announcements}/${id}/reactions`
  const unused = offered.filter((emoji) => reactions.every(({ name }) => name !== emoji))
  const hidden = (
    <>
      <CsrfField />
      <input type="hidden" name="return_to" value={`${returnTo}#${anchorOf(id)}`} />
    </>
  )
  return (
    <div class="chips">
      {reactions.length > 0 && (
        <form class="chips" method="post" action={action}>
          {hidden}
          {reactions.map((reaction) => (
            <ReactionChip reaction={reaction} />
          ))}
        </form>
      )}
      <details class="menu">
        <summary class="chip">
          <Icon name="smile-plus" isSmall />
          <span class="hidden">{t('client.addReaction')}</span>
        </summary>
        <form class="sheet start pad" method="post" action={action}>
          {hidden}
          <label class="field">
            <span>{t('client.reactWithAnEmoji')}</span>
            <input class="input" type="text" name="emoji" maxlength={100} autocomplete="off" />
          </label>
          <p class="two">
            <button type="submit" class="button low">
              {t('client.addReaction')}
            </button>
          </p>
          <p class="chips two">
            {unused.map((emoji) => (
              <button type="submit" class="chip" name="add" value={emoji}>
                {emoji}
              </button>
            ))}
          </p>
        </form>
      </details>
    </div>
  )
}
