import type { Child } from 'hono/jsx'
import { useTranslation } from '../i18n/context'
import { Boosts } from './boosts'
import { usePosts } from './context'
import type { FeedEntry } from './gather-boosts'
import { Post } from './post'
import type { PostView } from './post-view'

export interface FeedProps {
  readonly label: string
  readonly posts: readonly FeedEntry[]
  /** Posts above the others, which say that they are pinned. */
  readonly pinned?: readonly PostView[]
  /** Put before the post of this index; none where it is -1. */
  readonly divider?: { readonly index: number; readonly line: Child }
  readonly live?: LiveFeed
}

/** A stream with its parameters. */
interface Stream {
  readonly stream: string
  readonly tag?: string
  readonly list?: string
}

/** Parts of a timeline that grows while it is read. */
export interface LiveFeed {
  /** Streams of new posts, as the streaming API names them. */
  readonly streams: readonly Stream[]
  /** Path of its newest page, which takes `min_id`. */
  readonly path: string
  /** The marker that says how far it was read; none for timelines without. */
  readonly marker?: { readonly timeline: 'home'; readonly readUntil: number | null }
  /** Kinds of entries that the timeline leaves out of home. */
  readonly without?: readonly string[]
}

/** Posts of a timeline, newest first; new ones come into it, also where it has none yet. */
export function Feed({ label, posts, pinned = [], divider, live }: FeedProps) {
  const { readerId } = usePosts()
  const isEmpty = posts.length + pinned.length === 0
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have names
    <div
      class="feed"
      // A feed without articles is none to assistive technology.
      role={isEmpty ? 'group' : 'feed'}
      aria-label={label}
      data-stream={live === undefined ? undefined : JSON.stringify(live.streams)}
      data-newest={live?.path}
      data-timeline={live?.marker?.timeline}
      data-read={live?.marker?.readUntil ?? undefined}
      data-without={live?.without?.join(' ')}
      data-me={live === undefined ? undefined : (readerId ?? undefined)}
    >
      {pinned.map((post) => (
        <Post post={post} isPinned />
      ))}
      {posts.map((post, index) => (
        <>
          {index === divider?.index && divider.line}
          {'boosts' in post ? <Boosts {...post} /> : <Post post={post} />}
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
