import { execute } from '../db/query'
import {
  type ActorEndpoints,
  claimBackfill,
  endpointsOf,
  localFollowers,
  raiseStatusesCount,
} from '../domain/accounts/backfill'
import { importFeaturedTags } from '../domain/featured-tags/feature'
import { receivePin } from '../domain/interactions/pin'
import { importStatus } from '../domain/statuses/remote/import'
import type { RemoteStatus } from '../domain/statuses/remote/remote-status'
import { backfillFeeds } from '../domain/timelines/backfill'
import type { AccountId } from '../lib/ids'
import { sameOrigin } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { BackfillPart } from '../ports/federation'
import { fetchCollectionItems, fetchPost } from './fetch-post'
import { withRequestBudget } from './resolve'
import { readActivity } from './vocab/activity'
import { isUnreadable, type Reference } from './vocab/json'
import { isStatusDocument, readStatus } from './vocab/status'
import { featuredTagIn } from './vocab/tags'

const requests = 32
const mostPosts = 20
const mostPinned = 5
const mostTags = 10
const mostFollowers = 100
/** Statements of a post with its pin, and of what leaves the rest to another run. */
const statementsOfPost = 22
/** Statements that fill the feeds of a follower. */
const statementsOfFeeds = 2

/**
 * Imports the latest public and pinned statuses of a remote account, so that new followers see a filled profile, and
 * adds them to the feeds of its local followers. At most once a day. Returns what this invocation has no statements for,
 * as the `part` of another run; null at the end.
 */
export async function backfillAccount(
  ctx: Ctx,
  account: AccountId,
  part?: BackfillPart,
): Promise<BackfillPart | null> {
  const sources = await execute(ctx.db, endpointsOf(ctx, account))
  if (sources === null || (part === undefined && !(await claimBackfill(ctx, account)))) return null
  const limited = withRequestBudget(ctx, requests)
  const { posts, total } =
    part === undefined
      ? await listPosts(limited, account, sources)
      : { posts: part.posts.map(referenceTo), total: part.total }
  for (const [index, post] of posts.entries()) {
    const mayWait = index > 0 || part === undefined
    if (mayWait && ctx.usage.statementsLeft() < statementsOfPost)
      return { posts: posts.slice(index).map(({ uri, isPinned }) => ({ uri, isPinned })), total, fed: 0 }
    await importListed(limited, account, { post, sources })
  }
  // Each import counted one.
  if (total !== null) await raiseStatusesCount(ctx, account, total)
  return fillFeeds(ctx, account, part?.fed ?? 0)
}

/** Adds the statuses to the feeds of the next followers, the latest first. */
async function fillFeeds(ctx: Ctx, account: AccountId, fed: number): Promise<BackfillPart | null> {
  const left = await execute(
    ctx.db,
    localFollowers(ctx, account, { limit: mostFollowers - fed, offset: fed }),
  )
  for (const [index, follower] of left.entries()) {
    if (ctx.usage.statementsLeft() <= statementsOfFeeds && index > 0)
      return { posts: [], total: null, fed: fed + index }
    await backfillFeeds(ctx, follower, account)
  }
  return null
}

/** Status on a list of the account's server. */
interface ListedPost {
  readonly uri: string
  readonly isPinned: boolean
  readonly item: Reference
}

function referenceTo({ uri, isPinned }: BackfillPart['posts'][number]): ListedPost {
  return { uri, isPinned, item: { id: uri, document: null } }
}

/** Imports the profile's hashtags, and lists its pinned statuses and its latest. */
async function listPosts(ctx: Ctx, account: AccountId, sources: ActorEndpoints): Promise<Listing> {
  const pinned = await listPinned(ctx, sources)
  const latest = await listLatest(ctx, sources)
  await importProfileTags(ctx, account, sources)
  return { posts: [...pinned, ...latest.posts], total: latest.total }
}

interface Listing {
  readonly posts: readonly ListedPost[]
  /** Number of statuses that the server reports. */
  readonly total: number | null
}

async function listLatest(ctx: Ctx, sources: ActorEndpoints): Promise<Listing> {
  const { outbox } = sources
  if (outbox === null) return { posts: [], total: null }
  const { items, totalItems } = await fetchCollectionItems(ctx, outbox, { items: 2 * mostPosts, pages: 2 })
  const posts = items.flatMap((activity): ListedPost[] => {
    const item = createdIn(activity)
    if (item === null || item.id === null || !sameOrigin(item.id, outbox)) return []
    const isUnusable = item.document !== null && !isPublicBy(sources.uri, inline(ctx, item.document, sources))
    return isUnusable ? [] : [{ uri: item.id, isPinned: false, item }]
  })
  // Oldest first, so that replies find their parents already stored.
  return { posts: posts.slice(0, mostPosts).toReversed(), total: totalItems }
}

async function listPinned(ctx: Ctx, { featured }: ActorEndpoints): Promise<ListedPost[]> {
  if (featured === null) return []
  const { items } = await fetchCollectionItems(ctx, featured, { items: mostPinned, pages: 1 })
  // Pins are shown latest first, and lists begin with the one shown first.
  return items
    .toReversed()
    .flatMap((item) =>
      item.id === null || !sameOrigin(item.id, featured) ? [] : [{ uri: item.id, isPinned: true, item }],
    )
}

interface Import {
  readonly post: ListedPost
  readonly sources: ActorEndpoints
}

async function importListed(
  ctx: Ctx,
  account: AccountId,
  { post: { uri, isPinned, item }, sources }: Import,
): Promise<void> {
  const status = item.document === null ? await fetched(ctx, uri) : inline(ctx, item.document, sources)
  if (!isPublicBy(sources.uri, status)) return
  await importStatus(ctx, account, { status, occasion: 'fetched', levels: { up: 0, down: 0 } })
  if (isPinned && sources.featured !== null)
    await receivePin(ctx, { id: account }, { statusUri: status.uri, collection: sources.featured })
}

/** Imports the profile's featured hashtags. Stored ones are kept where the list cannot be fetched. */
async function importProfileTags(
  ctx: Ctx,
  account: AccountId,
  { featuredTags }: ActorEndpoints,
): Promise<void> {
  if (featuredTags === null) return
  const { items, totalItems } = await fetchCollectionItems(ctx, featuredTags, { items: mostTags, pages: 1 })
  if (items.length === 0 && totalItems !== 0) return
  const names = items.flatMap((item) => featuredTagIn(item) ?? [])
  await importFeaturedTags(ctx, account, names)
}

/** Object of a Create in an outbox; null for Announce and any other activity. */
function createdIn(item: Reference): Reference | null {
  if (item.document === null) return item
  const activity = readActivity(item.document)
  return activity?.type === 'Create' ? activity.object : null
}

function isPublicBy(author: string, status: RemoteStatus | null): status is RemoteStatus {
  if (status === null || status.author !== author) return false
  return status.visibility === 'public' || status.visibility === 'unlisted'
}

async function fetched(ctx: Ctx, uri: string): Promise<RemoteStatus | null> {
  const post = await fetchPost(ctx, uri)
  return post.kind === 'found' ? post.status : null
}

function inline(
  ctx: Ctx,
  document: object,
  { followers }: Pick<ActorEndpoints, 'followers'>,
): RemoteStatus | null {
  if (!isStatusDocument(document)) return null
  const status = readStatus(document, { authorFollowers: followers, now: ctx.clock.now() })
  return isUnreadable(status) ? null : status
}
