import { execute } from '../db/query'
import { accountIdByUri, followersAddress } from '../domain/accounts/find-remote'
import type { RemoteStatus } from '../domain/statuses/remote/remote-status'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { budgetDomain, secondsToWait, spend } from './budgets'
import { type FetchOptions, type FetchResult, fetchDocument } from './fetch'
import { readActivity } from './vocab/activity'
import { isStatusDocument, readStatus } from './vocab/status'
import { isTombstone } from './vocab/tombstone'
import { isUnreadable } from './vocab/unreadable'

/** A status read from its own server, and its author, stored by then. */
export interface FetchedPost {
  readonly status: RemoteStatus
  readonly author: AccountId
}

export type PostFetchResult =
  | ({ readonly kind: 'found' } & FetchedPost)
  /** Deleted, according to its server. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'none'; readonly reason: string }
  /** Temporary: a later retry may succeed. */
  | { readonly kind: 'unreachable'; readonly reason: string }

/** Fetches a status; the address of its Create leads to the object of the Create. */
export async function fetchPost(
  ctx: Ctx,
  address: string,
  options: FetchOptions = {},
): Promise<PostFetchResult> {
  return isOverBudget(ctx, address)
    ? overBudget
    : readFetchedPost(ctx, await fetchDocument(ctx, address, options))
}

const overBudget = { kind: 'unreachable', reason: 'too many statuses of its server were fetched' } as const

function isOverBudget(ctx: Ctx, uri: string): boolean {
  return secondsToWait(ctx, 'fetched', budgetDomain(uri)) !== null
}

/** Parses a status from a fetched document, following a Create to its object. */
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

/** Parses a document that came from the server of its id. An unknown author is fetched. */
export async function readPostDocument(ctx: Ctx, document: object): Promise<PostFetchResult> {
  if (isTombstone(document)) return { kind: 'gone' }
  if (!isStatusDocument(document)) return { kind: 'none', reason: 'not a status' }
  const now = ctx.clock.now()
  const read = readStatus(document, { authorFollowers: null, now })
  if (isUnreadable(read)) return { kind: 'none', reason: read.unreadable }
  // Threads are unbounded, and one delivered status leads to many fetched ones.
  if (isOverBudget(ctx, read.uri)) return overBudget
  spend(ctx, 'fetched', budgetDomain(read.uri))
  const found = await ctx.resolver.accountByUri(read.author)
  // An address may lead to another actor's document: only the owner of the id is the author.
  const author = found === null ? null : await execute(ctx.db, accountIdByUri(ctx, read.author))
  if (author === null) return { kind: 'none', reason: 'its author cannot be fetched' }
  // Only the mentions distinguish a followers-only status from a direct one.
  if (read.visibility !== 'direct') return { kind: 'found', status: read, author }
  const authorFollowers = await execute(ctx.db, followersAddress(ctx, author))
  const status = readStatus(document, { authorFollowers, now })
  if (isUnreadable(status)) return { kind: 'none', reason: status.unreadable }
  return { kind: 'found', status, author }
}
