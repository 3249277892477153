import { useTranslation } from '../i18n/context'
import type { QuotedStatus, QuoteView } from '../status-view-model'
import { Day } from './day'
import { EmojiText } from './emoji-text'
import { Media } from './media'
import { PollResults } from './poll-results'
import { Prose } from './prose'
import { WarnedContent } from './warned-content'

export interface QuoteCardProps {
  readonly quote: QuoteView
}

/** The status that another quotes, as far as the reader may see it. */
export function QuoteCard({ quote }: QuoteCardProps) {
  const t = useTranslation()
  if (quote.kind === 'hidden') return <p class="quote muted">{t('status.quotedPostNotShown')}</p>
  const { status } = quote
  const { author, warning } = status
  return (
    <blockquote class="quote" cite={status.url}>
      <a class="account-card" href={author.url}>
        <img class="avatar" src={author.avatarUrl} alt="" width="24" height="24" loading="lazy" />
        <span class="quote-author">
          <strong>
            <EmojiText text={author.name} emojis={author.emojis} />
          </strong>{' '}
          <bdi class="muted">{author.handle}</bdi>
        </span>
      </a>
      <WarnedContent warning={warning}>
        <QuoteBody status={status} />
      </WarnedContent>
      <a class="quote-date muted" href={status.url}>
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
