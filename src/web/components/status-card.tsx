import { useTranslation } from '../i18n/context'
import { interactPath } from '../paths'
import type { StatusView } from '../status-view-model'
import { Day } from './day'
import { EmojiText } from './emoji-text'
import { LinkCard } from './link-card'
import { Media } from './media'
import { PollResults } from './poll-results'
import { Prose } from './prose'
import { QuoteCard } from './quote-card'
import { WarnedContent } from './warned-content'

export interface StatusCardProps {
  readonly status: StatusView
  /** The one the page is about, rather than one of several. */
  readonly isMain?: boolean
  readonly isPinned?: boolean
}

export function StatusCard({ status, isMain = false, isPinned = false }: StatusCardProps) {
  const t = useTranslation()
  const { author, warning } = status
  return (
    <article class={isMain ? 'card status status-main' : 'card status'}>
      {isPinned && <p class="status-mark">{t('status.pinned')}</p>}
      <a class="account-card" href={author.url}>
        <img class="avatar" src={author.avatarUrl} alt="" width="44" height="44" />
        <span class="account-names">
          <strong>
            <EmojiText text={author.name} emojis={author.emojis} />
          </strong>
          <bdi class="muted">{author.handle}</bdi>
        </span>
      </a>
      <WarnedContent warning={warning}>
        <StatusBody status={status} />
      </WarnedContent>
      <StatusFooter status={status} />
    </article>
  )
}

function StatusBody({ status }: StatusCardProps) {
  const { html, language, media, poll, card, quote, isSensitive, warning } = status
  return (
    <>
      {html !== '' && (
        <div class="status-text" lang={language ?? undefined} dir="auto">
          <Prose html={html} />
        </div>
      )}
      {media.length > 0 && <Media media={media} isHidden={isSensitive && warning === null} />}
      {poll !== null && <PollResults poll={poll} />}
      {quote !== null && <QuoteCard quote={quote} />}
      {card !== null && <LinkCard card={card} isSensitive={isSensitive} />}
    </>
  )
}

function StatusFooter({ status }: StatusCardProps) {
  const t = useTranslation()
  return (
    <footer class="status-footer muted">
      <a href={status.url}>
        <Day at={status.createdAt} withTime />
      </a>
      {status.audience !== null && <span class="badge">{t(status.audience)}</span>}
      {status.editedAt !== null && (
        <span>{t.rich('status.editedDay', { day: <Day at={status.editedAt} withTime /> })}</span>
      )}
      {status.isOpen ? <StatusActions status={status} /> : <StatusCounts status={status} />}
    </footer>
  )
}

/** Links to the server of the visitor, or the form of signed-in people, with how often each was done. */
function StatusActions({ status }: StatusCardProps) {
  const t = useTranslation()
  return (
    <span class="status-actions">
      {countsOf(status).map(({ type, label, count }) => (
        <a class="status-action" href={interactPath(status.id, type)} rel="nofollow">
          {t(label)}
          {count > 0 && <span class="status-count">{t('common.count', { count })}</span>}
        </a>
      ))}
    </span>
  )
}

function StatusCounts({ status: { replies, reblogs, favourites } }: StatusCardProps) {
  const t = useTranslation()
  return (
    <>
      {replies > 0 && <span>{t('status.replies2', { count: replies })}</span>}
      {reblogs > 0 && <span>{t('status.boosts', { count: reblogs })}</span>}
      {favourites > 0 && <span>{t('status.favourites', { count: favourites })}</span>}
    </>
  )
}

function countsOf({ replies, reblogs, favourites }: StatusView) {
  return [
    { type: 'reply', label: 'common.reply', count: replies },
    { type: 'reblog', label: 'common.boost', count: reblogs },
    { type: 'favourite', label: 'common.favourite', count: favourites },
  ] as const
}
