import { smallAvatar } from '../../contract/small-avatars'
import { htmlToText } from '../../lib/html'
import { EmojiText } from '../components/emoji-text'
import { useTranslation } from '../i18n/context'
import { Age } from './age'
import { usePosts } from './context'
import type { PostView } from './post-view'

/** The beginning of a quoted post, one link to all of it. */
export function QuotedPost({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const { now } = usePosts()
  const { author, warning, media } = post
  return (
    <a class="quote" href={post.path}>
      <span class="line">
        <img
          class="avatar xs"
          src={smallAvatar(author.avatarUrl)}
          alt=""
          width="20"
          height="20"
          loading="lazy"
        />
        <span class="who">
          <EmojiText text={author.name} emojis={author.emojis} />
        </span>
        <span class="acct">
          <span class="ltr">@{author.acct}</span>
        </span>
        <span class="meta">
          <Age at={post.createdAt} now={now} />
        </span>
      </span>
      <span class="text" dir="auto" lang={post.language ?? undefined}>
        {warning ?? htmlToText(post.html)}
      </span>
      {media.length > 0 && (
        <span class="quiet small">{t('client.attachmentOtherAttachments', { count: media.length })}</span>
      )}
    </a>
  )
}
