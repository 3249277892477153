import type { PostView } from './post-view'

/** A reply with the replies below it. */
export interface Branch {
  readonly post: PostView
  readonly branches: readonly Branch[]
}

export interface ThreadTree {
  /** Posts by which the author goes on, in order. */
  readonly chain: readonly PostView[]
  readonly branches: readonly Branch[]
}

/**
 * The replies of a post: first those by which its author goes on, one after the other, then the others as branches. Replies
 * come in reading order; one whose parent is not among them hangs on the post itself.
 */
export function threadTree(post: PostView, replies: readonly PostView[]): ThreadTree {
  const known = new Set([post.id, ...replies.map(({ id }) => id)])
  const children = Map.groupBy(replies, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : post.id,
  )
  const chain: PostView[] = []
  for (let last = post; ; ) {
    const next = children.get(last.id)?.find(({ author }) => author.id === post.author.id)
    if (next === undefined) break
    chain.push(next)
    last = next
  }
  const inChain = new Set(chain.map(({ id }) => id))
  const branchesOf = (id: string): readonly Branch[] =>
    (children.get(id) ?? [])
      .filter((reply) => !inChain.has(reply.id))
      .map((reply) => ({ post: reply, branches: branchesOf(reply.id) }))
  return { chain, branches: [post, ...chain].flatMap(({ id }) => branchesOf(id)) }
}

/** The posts of a branch below its first, in reading order. */
export function postsBelow({ branches }: Branch): readonly PostView[] {
  return branches.flatMap((branch) => [branch.post, ...postsBelow(branch)])
}

/** The number of posts of a branch below its first. */
export function sizeBelow(branch: Branch): number {
  return postsBelow(branch).length
}
