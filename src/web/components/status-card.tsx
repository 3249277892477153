import { smallAvatar } from '../../contract/small-avatars'
import { useTranslation } from '../i18n/context'
import { interactPath } from '../paths'
import type { CardView, PollView, QuotedStatus, QuoteView, StatusView } from '../status-view-model'
import { Day } from './day'
import { EmojiText } from './emoji-text'
import { Media } from './media-gallery'
import { Prose } from './prose'
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
    <article class={isMain ? 'block status status-main' : 'block status'}>
      {isPinned && <p class="status-mark">{t('status.pinned')}</p>}
      <a class="account-card" href={author.url}>
        <img class="avatar" src={smallAvatar(author.avatarUrl)} alt="" width="44" height="44" />
        <span class="account-names">
          <strong>
            <EmojiText text={author.name} emojis={author.emojis} />
          </strong>
          <bdi class="quiet small">{author.handle}</bdi>
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
    <footer class="status-footer quiet small">
      <a href={status.url}>
        <Day at={status.createdAt} withTime />
      </a>
      {status.audience !== null && <span class="tag">{t(status.audience)}</span>}
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

export interface QuoteCardProps {
  readonly quote: QuoteView
}

/** The status that another quotes, as far as the reader may see it. */
function QuoteCard({ quote }: QuoteCardProps) {
  const t = useTranslation()
  if (quote.kind === 'hidden') return <p class="quoted-post quiet small">{t('status.quotedPostNotShown')}</p>
  const { status } = quote
  const { author, warning } = status
  return (
    <blockquote class="quoted-post" cite={status.url}>
      <a class="account-card" href={author.url}>
        <img
          class="avatar"
          src={smallAvatar(author.avatarUrl)}
          alt=""
          width="24"
          height="24"
          loading="lazy"
        />
        <span class="quote-author">
          <strong>
            <EmojiText text={author.name} emojis={author.emojis} />
          </strong>{' '}
          <bdi class="quiet small">{author.handle}</bdi>
        </span>
      </a>
      <WarnedContent warning={warning}>
        <QuoteBody status={status} />
      </WarnedContent>
      <a class="quote-date quiet small" href={status.url}>
        <Day at={status.createdAt} withTime />
      </a>
    </blockquote>
  )
}

function QuoteBody({ status }: { readonly status: QuotedStatus }) {
  const { html, language, media, poll, isSensitive, warning } = status
  return (
    <>
      {html !== '' && (
        <div class="status-text" lang={language ?? undefined} dir="auto">
          <Prose html={html} />
        </div>
      )}
      {media.length > 0 && <Media media={media} isHidden={isSensitive && warning === null} />}
      {poll !== null && <PollResults poll={poll} />}
    </>
  )
}

export interface PollResultsProps {
  readonly poll: PollView
}

function PollResults({ poll: { options, votes, voters, isClosed, closesAt } }: PollResultsProps) {
  return (
    <div class="results">
      <ul class="poll-options">
        {options.map(({ title, votes: own }) => (
          <li>
            <span class="poll-option">
              <bdi>{title}</bdi>
              {own !== null && <strong> {percent(own, voters)} %</strong>}
            </span>
            {own !== null && <meter min="0" max={Math.max(voters, 1)} value={own} aria-hidden="true" />}
          </li>
        ))}
      </ul>
      <p class="quiet small">
        <PollState votes={votes} isClosed={isClosed} closesAt={closesAt} />
      </p>
    </div>
  )
}

function PollState({ votes: count, isClosed, closesAt }: Pick<PollView, 'votes' | 'isClosed' | 'closesAt'>) {
  const t = useTranslation()
  if (isClosed) return <>{t('poll.votesClosed', { count })}</>
  if (closesAt === null) return <>{t('poll.votes', { count })}</>
  const day = <Day at={closesAt} withTime />
  return <>{t.rich('poll.votesOpenUntilDay', { count, day })}</>
}

function percent(votes: number, all: number): number {
  return all === 0 ? 0 : Math.round((votes / all) * 100)
}

export interface LinkCardProps {
  readonly card: CardView
  /** The picture may be as sensitive as the status. */
  readonly isSensitive: boolean
}

/** Preview of the page a status links to, in the words of that page. */
export function LinkCard({ card, isSensitive }: LinkCardProps) {
  const { url, title, description, provider, imageUrl } = card
  return (
    <a class="link-card" href={url} rel="nofollow noopener noreferrer">
      {imageUrl !== null && !isSensitive && <img src={imageUrl} alt="" loading="lazy" />}
      <span class="link-card-text">
        <span class="quiet small">{provider}</span>
        <strong>{title}</strong>
        {description !== '' && <span class="link-card-description">{description}</span>}
      </span>
    </a>
  )
}
