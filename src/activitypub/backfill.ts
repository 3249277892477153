import { execute } from '../db/query'
import { claimBackfill, raiseStatusesCount } from '../domain/accounts/claim-backfill'
import { type ActorEndpoints, endpointsOf, localFollowers } from '../domain/accounts/find-backfill'
import { importFeaturedTags } from '../domain/featured-tags/receive'
import { receivePin } from '../domain/interactions/receive-pin'
import { importStatus } from '../domain/statuses/remote/import'
import type { RemoteStatus } from '../domain/statuses/remote/remote-status'
import { backfillFeeds } from '../domain/timelines/backfill'
import type { AccountId } from '../lib/ids'
import { sameOrigin } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { fetchCollectionItems } from './collection-items'
import { fetchPost } from './fetch-post'
import { withRequestBudget } from './request-budget'
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
 * Imports the latest public and pinned statuses of a remote account, so that new followers see a filled profile, and
 * adds them to the feeds of its local followers. At most once a day.
 */
export async function backfillAccount(ctx: Ctx, account: AccountId): Promise<void> {
  const sources = await execute(ctx.db, endpointsOf(ctx, account))
  if (sources === null || !(await claimBackfill(ctx, account))) return
  const limited = withRequestBudget(ctx, requests)
  await importPinned(limited, account, sources)
  await importLatest(limited, account, sources)
  await importProfileTags(limited, account, sources)
  for (const follower of await execute(ctx.db, localFollowers(ctx, account, mostFollowers)))
    await backfillFeeds(ctx, follower, account)
}

async function importLatest(
  ctx: Ctx,
  account: AccountId,
  { uri, outbox, followers }: ActorEndpoints,
): Promise<void> {
  if (outbox === null) return
  const { items, totalItems } = await fetchCollectionItems(ctx, outbox, { items: 2 * mostPosts, pages: 2 })
  const posts: RemoteStatus[] = []
  for (const item of items) {
    if (posts.length >= mostPosts) break
    const post = await readListedPost(ctx, createdIn(item), { author: uri, followers, from: outbox })
    if (post !== null) posts.push(post)
  }
  // Oldest first, so that replies find their parents already stored.
  for (const status of posts.toReversed()) await importPost(ctx, account, status)
  if (totalItems !== null) await raiseStatusesCount(ctx, account, totalItems)
}

async function importPinned(
  ctx: Ctx,
  account: AccountId,
  { uri, featured, followers }: ActorEndpoints,
): Promise<void> {
  if (featured === null) return
  const { items } = await fetchCollectionItems(ctx, featured, { items: mostPinned, pages: 1 })
  // Pins are shown latest first, and lists begin with the one shown first.
  for (const item of items.toReversed()) {
    const status = await readListedPost(ctx, item, { author: uri, followers, from: featured })
    if (status === null) continue
    await importPost(ctx, account, status)
    await receivePin(ctx, { id: account }, { statusUri: status.uri, collection: featured })
  }
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

async function importPost(ctx: Ctx, account: AccountId, status: RemoteStatus): Promise<void> {
  await importStatus(ctx, account, { status, occasion: 'fetched', levels: { up: 0, down: 0 } })
}

/** Object of a Create in an outbox; null for Announce and any other activity. */
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

/**
 * Reads a listed public status of the author: the inlined copy where the list is on its server, else fetched by id.
 */
async function readListedPost(
  ctx: Ctx,
  item: Reference | null,
  listed: Listed,
): Promise<RemoteStatus | null> {
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
