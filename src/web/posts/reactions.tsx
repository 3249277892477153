import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { postPagePath } from './acts'
import { usePlaceOf } from './context'
import type { PostView } from './post-view'
import { ReactionChip } from './reaction-chip'

/** The reactions to a post, each a button for the member's own, and the way to any other emoji. */
export function Reactions({ post }: { readonly post: PostView }) {
  const t = useTranslation()
  const place = usePlaceOf(post)
  const { reactions, id, state } = post
  if (state === null) return <ReactionCounts post={post} />
  return (
    <form class="chips" method="post" action={`/posts/${id}/reactions`} data-swap=".chips" data-post={id}>
      <CsrfField />
      <input type="hidden" name="return_to" value={place} />
      {reactions.map((reaction) => (
        <ReactionChip reaction={reaction} />
      ))}
      <a class="chip" href={postPagePath(id, 'react', place)} aria-label={t('client.reactWithAnotherEmoji')}>
        <Icon name="smile-plus" isSmall />
      </a>
    </form>
  )
}

/** Reactions as visitors see them: they add none. */
function ReactionCounts({ post: { reactions } }: { readonly post: PostView }) {
  const t = useTranslation()
  return (
    <ul class="chips">
      {reactions.map(({ name, count, url }) => (
        <li class="chip">
          {url === null ? name : <img class="emoji" src={url} alt={name} width="20" height="20" />}
          <span>{t('common.count', { count })}</span>
        </li>
      ))}
    </ul>
  )
}
