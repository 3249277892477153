import { execute } from '../db/query'
import { accountIdByUri, followersAddress } from '../domain/accounts/find-remote'
import type { RemoteStatus } from '../domain/statuses/remote/remote-status'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../platform/ports'
import { budgetDomain, secondsToWait, spend } from './budgets'
import { type FetchOptions, type FetchResult, fetchDocument } from './fetch'
import { readActivity } from './vocab/activity'
import { isStatusDocument, readStatus } from './vocab/status'
import { isTombstone } from './vocab/tombstone'
import { isUnreadable } from './vocab/unreadable'

/** A post as its own server tells it, and its author, who is known here by now. */
export interface FetchedPost {
  readonly status: RemoteStatus
  readonly author: AccountId
}

export type PostFetchResult =
  | ({ readonly kind: 'found' } & FetchedPost)
  /** Its server says that it is no more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'none'; readonly reason: string }
  /** Asking again later may help. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Asks the server of a post for it; where the address is that of its Create, for what that names. */
export async function fetchPost(
  ctx: Ctx,
  address: string,
  options: FetchOptions = {},
): Promise<PostFetchResult> {
  return isOverBudget(ctx, address)
    ? overBudget
    : readFetchedPost(ctx, await fetchDocument(ctx, address, options))
}

const overBudget = { kind: 'unreachable', reason: 'too many posts of its server were fetched' } as const

function isOverBudget(ctx: Ctx, uri: string): boolean {
  return secondsToWait(ctx, 'fetched', budgetDomain(uri)) !== null
}

/** Reads a post out of what its server answered; a Create is followed to what it names. */
export async function readFetchedPost(ctx: Ctx, fetched: FetchResult): Promise<PostFetchResult> {
  const created = fetched.kind === 'found' ? createdBy(fetched.document) : null
  const settled = created === null ? fetched : await fetchDocument(ctx, created)
  switch (settled.kind) {
    case 'found':
      return readPostDocument(ctx, settled.document)
    case 'missing':
      return { kind: 'none', reason: 'there is nothing at its address' }
    case 'refused':
      return { kind: 'none', reason: settled.reason }
    default:
      return settled
  }
}

function createdBy(document: object): string | null {
  const activity = readActivity(document)
  return activity?.type === 'Create' ? (activity.object?.id ?? null) : null
}

/** Reads a document that came from the server of its id. Its author is fetched where unknown. */
export async function readPostDocument(ctx: Ctx, document: object): Promise<PostFetchResult> {
  if (isTombstone(document)) return { kind: 'gone' }
  if (!isStatusDocument(document)) return { kind: 'none', reason: 'no post' }
  const now = ctx.clock.now()
  const read = readStatus(document, { authorFollowers: null, now })
  if (isUnreadable(read)) return { kind: 'none', reason: read.unreadable }
  // Threads have no end, and one delivered post leads to many that are fetched.
  if (isOverBudget(ctx, read.uri)) return overBudget
  spend(ctx, 'fetched', budgetDomain(read.uri))
  const found = await ctx.resolver.accountByUri(read.author)
  // An address may lead to the document of somebody else: only whose id it is wrote the post.
  const author = found === null ? null : await execute(ctx.db, accountIdByUri(ctx, read.author))
  if (author === null) return { kind: 'none', reason: 'its author cannot be had' }
  // Only who is named by it can tell a post for followers from one for some people.
  if (read.visibility !== 'direct') return { kind: 'found', status: read, author }
  const authorFollowers = await execute(ctx.db, followersAddress(ctx, author))
  const status = readStatus(document, { authorFollowers, now })
  if (isUnreadable(status)) return { kind: 'none', reason: status.unreadable }
  return { kind: 'found', status, author }
}
