import type { StatusView } from '../status-view-model'
import { Day } from './day'
import { EmojiText } from './emoji-text'
import { LinkCard } from './link-card'
import { Media } from './media'
import { PollResults } from './poll-results'
import { Prose } from './prose'

export interface StatusCardProps {
  readonly status: StatusView
  /** The one the page is about, rather than one of several. */
  readonly isMain?: boolean
}

export function StatusCard({ status, isMain = false }: StatusCardProps) {
  const { author, warning } = status
  return (
    <article class={isMain ? 'card status status-main' : 'card status'}>
      <a class="account-card" href={author.url}>
        <img class="avatar" src={author.avatarUrl} alt="" width="44" height="44" />
        <span class="account-names">
          <strong>
            <EmojiText text={author.name} emojis={author.emojis} />
          </strong>
          <span class="muted">{author.handle}</span>
        </span>
      </a>
      {warning === null ? (
        <StatusBody status={status} />
      ) : (
        <details class="warned">
          <summary class="warning">
            <bdi>{warning}</bdi>
          </summary>
          <StatusBody status={status} />
        </details>
      )}
      <StatusFooter status={status} />
    </article>
  )
}

function StatusBody({ status }: StatusCardProps) {
  const { html, language, media, poll, card, isSensitive, warning } = status
  return (
    <>
      {html !== '' && (
        <div class="status-text" lang={language ?? undefined} dir="auto">
          <Prose html={html} />
        </div>
      )}
      {media.length > 0 && <Media media={media} isHidden={isSensitive && warning === null} />}
      {poll !== null && <PollResults poll={poll} />}
      {card !== null && <LinkCard card={card} isSensitive={isSensitive} />}
    </>
  )
}

function StatusFooter({ status }: StatusCardProps) {
  const counts = [
    { count: status.replies, one: 'reply', many: 'replies' },
    { count: status.reblogs, one: 'boost', many: 'boosts' },
    { count: status.favourites, one: 'favourite', many: 'favourites' },
  ].filter(({ count }) => count > 0)
  return (
    <footer class="status-footer muted">
      <a href={status.url}>
        <Day at={status.createdAt} withTime />
      </a>
      {status.audience !== null && <span class="badge">{status.audience}</span>}
      {status.editedAt !== null && (
        <span>
          edited <Day at={status.editedAt} withTime />
        </span>
      )}
      {counts.map(({ count, one, many }) => (
        <span>{`${format.format(count)} ${count === 1 ? one : many}`}</span>
      ))}
    </footer>
  )
}

const format = new Intl.NumberFormat('en')
