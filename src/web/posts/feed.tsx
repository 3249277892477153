import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import { Post } from './post'
import type { PostView } from './post-view'

export interface FeedProps {
  readonly label: string
  readonly posts: readonly PostView[]
  /** Put before the post of this index; none where it is -1. */
  readonly divider?: { readonly index: number; readonly line: Child }
}

/** Posts of a timeline, newest first. */
export function Feed({ label, posts, divider }: FeedProps) {
  return (
    <div class="feed" role="feed" aria-label={label}>
      {posts.map((post, index) => (
        <>
          {index === divider?.index && divider.line}
          <Post post={post} />
        </>
      ))}
    </div>
  )
}

/** The link to the next page; nothing at the end. */
export function Older({ url }: { readonly url: string | null }) {
  const t = useTranslation()
  if (url === null) return null
  return (
    <p class="pad">
      <a class="button" href={url} rel="next">
        {t('common.olderPosts')}
      </a>
    </p>
  )
}
