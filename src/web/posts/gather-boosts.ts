import type { PostView } from './post-view'

/** Boosts of a short time, shown as one strip in the place of the newest. */
export interface GatheredBoosts {
  /** Newest first. */
  readonly boosts: readonly PostView[]
  /** Id of the newest. */
  readonly entryId: string
}

export type FeedEntry = PostView | GatheredBoosts

const within = 15 * 60_000
/** Fewer stay posts: a strip hides more than it saves. */
const fewest = 3

/**
 * Entries of a timeline, newest first, in which boosts of a quarter of an hour are one. Boosts that a filter folds stay where they are,
 * and no strip has boosts from both sides of `readUntil`.
 */
export function gatherBoosts(posts: readonly PostView[], readUntil: number | null): readonly FeedEntry[] {
  const isUnread = ({ entryId }: PostView) => Number(entryId) > (readUntil ?? 0)
  const taken = new Set<string>()
  return posts.flatMap((post, index): readonly FeedEntry[] => {
    if (taken.has(post.entryId)) return []
    if (!isGatherable(post)) return [post]
    const since = post.boostedAt.getTime() - within
    const boosts = posts
      .slice(index)
      .filter(isGatherable)
      .filter((one) => one.boostedAt.getTime() >= since && isUnread(one) === isUnread(post))
    if (boosts.length < fewest) return [post]
    for (const { entryId } of boosts) taken.add(entryId)
    return [{ boosts, entryId: post.entryId }]
  })
}

function isGatherable(post: PostView): post is PostView & { readonly boostedAt: Date } {
  return post.boostedAt !== null && post.filter === null
}
