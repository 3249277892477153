import { smallAvatar } from '../../contract/small-avatars'
import { EmojiText } from '../components/emoji-text'
import { useLook, useTranslation } from '../i18n/context'
import type { PostCard } from './post-view'

export interface LinkPreviewProps {
  readonly card: PostCard
  /** The picture may be as sensitive as the post. */
  readonly isSensitive: boolean
}

/** Preview of the page that a post links to, and its author where that is an account. */
export function LinkPreview({ card, isSensitive }: LinkPreviewProps) {
  const t = useTranslation()
  const { author } = card
  const waits = useLook().media === 'hide_all'
  const showsPicture = card.imageUrl !== null && !isSensitive && !waits
  return (
    <div class="card">
      <a class="main" href={card.url} rel="nofollow noopener noreferrer">
        {showsPicture && <img src={card.imageUrl ?? ''} alt="" width="120" height="120" loading="lazy" />}
        <div class="words">
          <span>{card.provider}</span>
          <b>{card.title}</b>
        </div>
      </a>
      {author !== null && (
        <a class="by" href={author.path}>
          <img
            class="avatar xs"
            src={smallAvatar(author.avatarUrl)}
            alt=""
            width="20"
            height="20"
            loading="lazy"
          />
          <span>
            {t.rich('client.byName', {
              b: (words) => <b>{words}</b>,
              name: <EmojiText text={author.name} emojis={author.emojis} />,
            })}
          </span>
        </a>
      )}
    </div>
  )
}
