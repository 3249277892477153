import type { CatchUpChoices } from '../../db/schema/accounts'
import type { PersonView, PostView } from './post-view'

/** Posts of one person or of one conversation, newest first. */
export interface PostGroup {
  /** Person who wrote or boosted them; null for a conversation. */
  readonly person: PersonView | null
  readonly posts: readonly PostView[]
}

/** A post, and the id of its conversation. */
export interface CaughtPost {
  readonly post: PostView
  readonly conversation: number
}

/**
 * Groups posts that come newest first. A post that several people boosted, or that is there itself, counts once, where it is
 * oldest: that is how it would have been met first.
 */
export function groupPosts(
  found: readonly CaughtPost[],
  { by, order }: CatchUpChoices,
): readonly PostGroup[] {
  const once = found.filter(
    ({ post }, index) => !found.some((other, place) => place > index && other.post.id === post.id),
  )
  const person = ({ post }: CaughtPost) => post.boostedBy ?? post.author
  const groups = Map.groupBy(once, (one) => (by === 'person' ? person(one).id : String(one.conversation)))
  const all = [...groups.values()].map((posts) => ({
    person: by === 'person' && posts[0] !== undefined ? person(posts[0]) : null,
    posts: posts.map(({ post }) => post),
  }))
  // Groups are made in the order of their newest posts, which sorting keeps among equals.
  return order === 'most' ? all.toSorted((a, b) => b.posts.length - a.posts.length) : all
}
