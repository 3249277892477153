import { EmojiText } from '../components/emoji-text'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import type { GatheredBoosts } from './gather-boosts'
import type { PostView } from './post-view'

/** Boosts of a quarter of an hour as one quiet strip. */
export function Boosts({ boosts, entryId }: GatheredBoosts) {
  const t = useTranslation()
  const title = t('client.countBoostsWithinMinutes', { count: boosts.length })
  return (
    <article class="boosts" id={`p-${entryId}`} aria-label={title}>
      <h2>
        <Icon name="repeat-2" isSmall />
        {title}
      </h2>
      <ol tabindex={0} aria-label={t('client.boostedPosts')}>
        {boosts.map((post) => (
          <li data-post={post.id}>
            <Boost post={post} />
          </li>
        ))}
      </ol>
    </article>
  )
}

function Boost({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const { author, boostedBy, headline, language, media, path } = post
  return (
    <a class="said" href={path}>
      {boostedBy !== null && (
        <span class="from">
          {t.rich('client.nameBoosted', {
            person: (words) => <bdi>{words}</bdi>,
            name: <EmojiText text={boostedBy.name} emojis={boostedBy.emojis} />,
          })}
        </span>
      )}
      <span class="line">
        <img class="avatar xs" src={author.avatarUrl} alt="" width="20" height="20" loading="lazy" />
        <span class="who">
          <EmojiText text={author.name} emojis={author.emojis} />
        </span>
      </span>
      <span class="text" dir="auto" lang={language ?? undefined}>
        {headline ?? t('client.attachmentOtherAttachments', { count: media.length })}
      </span>
    </a>
  )
}
