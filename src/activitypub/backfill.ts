import { ask } from '../db/query'
import { claimBackfill, countStatusesAtHome } from '../domain/accounts/backfill'
import { localFollowers, type Sources, sourcesOf } from '../domain/accounts/find-backfill'
import { importFeaturedTags } from '../domain/featured-tags/receive'
import { receivePin } from '../domain/interactions/receive-pin'
import { importStatus } from '../domain/statuses/remote/import'
import type { RemoteStatus } from '../domain/statuses/remote/remote'
import { backfillFeeds } from '../domain/timelines/refill'
import type { AccountId } from '../lib/ids'
import { sameOrigin } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { readListing } from './collections'
import { frugally } from './frugal'
import { fetchPost } from './posts'
import { readActivity } from './vocab/activity'
import type { Reference } from './vocab/json'
import { isStatusDocument, readStatus } from './vocab/status'
import { featuredTagIn } from './vocab/tags'
import { isUnreadable } from './vocab/unreadable'

const requests = 32
const mostPosts = 20
const mostPinned = 5
const mostTags = 10
const mostFollowers = 100

/**
 * Fetches the latest public posts of an account of another server and those it pinned, so that its profile is not
 * empty for who follows it, and puts them into the feeds of its followers here. At most once a day.
 */
export async function fetchPosts(ctx: Ctx, account: AccountId): Promise<void> {
  const sources = await ask(ctx.db, sourcesOf(ctx, account))
  if (sources === null || !(await claimBackfill(ctx, account))) return
  const frugal = frugally(ctx, requests)
  await takePinned(frugal, account, sources)
  await takeLatest(frugal, account, sources)
  await takeFeaturedTags(frugal, account, sources)
  for (const follower of await ask(ctx.db, localFollowers(ctx, account, mostFollowers)))
    await backfillFeeds(ctx, follower, account)
}

async function takeLatest(ctx: Ctx, account: AccountId, { uri, outbox, followers }: Sources): Promise<void> {
  if (outbox === null) return
  const { items, totalItems } = await readListing(ctx, outbox, { items: 2 * mostPosts, pages: 2 })
  const posts: RemoteStatus[] = []
  for (const item of items) {
    if (posts.length >= mostPosts) break
    const post = await authored(ctx, createdIn(item), { author: uri, followers, from: outbox })
    if (post !== null) posts.push(post)
  }
  // The oldest first: what answers it finds it here.
  for (const status of posts.toReversed()) await take(ctx, account, status)
  if (totalItems !== null) await countStatusesAtHome(ctx, account, totalItems)
}

async function takePinned(
  ctx: Ctx,
  account: AccountId,
  { uri, featured, followers }: Sources,
): Promise<void> {
  if (featured === null) return
  const { items } = await readListing(ctx, featured, { items: mostPinned, pages: 1 })
  // Pins are shown latest first, and lists begin with the one shown first.
  for (const item of items.toReversed()) {
    const status = await authored(ctx, item, { author: uri, followers, from: featured })
    if (status === null) continue
    await take(ctx, account, status)
    await receivePin(ctx, { id: account }, { statusUri: status.uri, collection: featured })
  }
}

/** The hashtags on the profile. Where their list cannot be had, those known stay. */
async function takeFeaturedTags(ctx: Ctx, account: AccountId, { featuredTags }: Sources): Promise<void> {
  if (featuredTags === null) return
  const { items, totalItems } = await readListing(ctx, featuredTags, { items: mostTags, pages: 1 })
  if (items.length === 0 && totalItems !== 0) return
  const names = items.flatMap((item) => featuredTagIn(item) ?? [])
  await importFeaturedTags(ctx, account, names)
}

async function take(ctx: Ctx, account: AccountId, status: RemoteStatus): Promise<void> {
  await importStatus(ctx, account, { status, occasion: 'fetched', levels: { up: 0, down: 0 } })
}

/** What an activity of an outbox created; null for shares and everything else. */
function createdIn(item: Reference): Reference | null {
  if (item.document === null) return item
  const activity = readActivity(item.document)
  return activity?.type === 'Create' ? activity.object : null
}

interface Listed {
  readonly author: string
  readonly followers: string | null
  readonly from: string
}

/** A listed public post of the author: as it came along, where the list is of its server, else from there. */
async function authored(ctx: Ctx, item: Reference | null, listed: Listed): Promise<RemoteStatus | null> {
  const uri = item?.id ?? null
  if (item === null || uri === null || !sameOrigin(uri, listed.from)) return null
  const status = item.document === null ? await fetched(ctx, uri) : inline(ctx, item.document, listed)
  if (status === null || status.author !== listed.author) return null
  return status.visibility === 'public' || status.visibility === 'unlisted' ? status : null
}

async function fetched(ctx: Ctx, uri: string): Promise<RemoteStatus | null> {
  const post = await fetchPost(ctx, uri)
  return post.kind === 'found' ? post.status : null
}

function inline(ctx: Ctx, document: object, { followers }: Listed): RemoteStatus | null {
  if (!isStatusDocument(document)) return null
  const status = readStatus(document, { authorFollowers: followers, now: ctx.clock.now() })
  return isUnreadable(status) ? null : status
}
