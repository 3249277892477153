import { execute } from '../db/query'
import { statusIdAt } from '../domain/statuses/remote/find-remote'
import { importStatus, maxLevelsUp } from '../domain/statuses/remote/import'
import type { StatusId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { type FetchedPost, fetchPost, type PostFetchResult } from './fetch-post'
import { withRequestBudget } from './request-budget'

/** Requests for one address: the page, the status, its author with WebFinger, some with two signature variants. */
export const maxRequestsPerAddress = 12

/** Seconds for which an isolate caches an address as not found. */
export const restSeconds = 60

/**
 * Resolves an id or page address to a local or remote status. An unknown remote one is fetched, and stored when it is
 * public or addressed to a local account. Jobs then fetch its ancestors.
 */
export async function statusByUri(
  ctx: Ctx,
  address: string,
  occasion: 'fetched' | 'relayed' = 'fetched',
): Promise<StatusId | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await execute(ctx.db, statusIdAt(ctx, uri))
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  // Statuses only: the same address may be an account.
  const key = `no post ${uri}`
  if (ctx.memory.get(key) !== null) return null
  const fetched = await fetchPost(withRequestBudget(ctx, maxRequestsPerAddress), uri, { acceptsHtml: true })
  if (fetched.kind === 'found') return storePost(ctx, fetched, occasion)
  logMissingPost(ctx, uri, fetched)
  // Caches the failure, so that repeated readers do not repeat it.
  ctx.memory.set(key, 'yes', restSeconds)
  return null
}

/** Stores a fetched status; null where it may not be stored. */
export async function storePost(
  ctx: Ctx,
  { status, author }: FetchedPost,
  occasion: 'fetched' | 'relayed' = 'fetched',
): Promise<StatusId | null> {
  const levels = { up: maxLevelsUp, down: 0 }
  const imported = await importStatus(ctx, author, { status, occasion, levels })
  if (imported.kind === 'stored' || imported.kind === 'duplicate') return imported.id
  ctx.log.info('A status was not stored', { uri: status.uri, reason: imported.reason })
  return null
}

export function logMissingPost(
  ctx: Ctx,
  address: string,
  fetched: Exclude<PostFetchResult, { kind: 'found' }>,
): void {
  const reason = fetched.kind === 'gone' ? 'gone' : fetched.reason
  ctx.log.info('A status was not found', { address, reason })
}
