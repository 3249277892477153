import { execute } from '../db/query'
import { statusIdAt } from '../domain/statuses/remote/find-remote'
import { importStatus, maxLevelsUp } from '../domain/statuses/remote/import'
import type { StatusId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { type FetchedPost, fetchPost, type PostFetchResult } from './fetch-post'
import { withRequestBudget } from './request-budget'

/** Requests for one address: the page, the post, its author with WebFinger, some of them knocked for twice. */
export const maxRequestsPerAddress = 12

/** How long an address that led nowhere is not asked again by this isolate. */
export const restSeconds = 60

/**
 * The status with this id or page address, ours or of another server; the latter is fetched where it is unknown, and
 * kept when anybody may see it or it was for one of us. Then what it answers is fetched by jobs.
 */
export async function statusByUri(ctx: Ctx, address: string): Promise<StatusId | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await execute(ctx.db, statusIdAt(ctx, uri))
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  // Of posts only: at the same address there may be an account.
  const key = `no post ${uri}`
  if (ctx.memory.get(key) !== null) return null
  const fetched = await fetchPost(withRequestBudget(ctx, maxRequestsPerAddress), uri, { acceptsHtml: true })
  if (fetched.kind === 'found') return storePost(ctx, fetched)
  logMissingPost(ctx, uri, fetched)
  // What leads nowhere is not tried again by everybody who follows it.
  ctx.memory.set(key, 'yes', restSeconds)
  return null
}

/** Stores a fetched post; null where it is not for us to keep. */
export async function storePost(ctx: Ctx, { status, author }: FetchedPost): Promise<StatusId | null> {
  const levels = { up: maxLevelsUp, down: 0 }
  const imported = await importStatus(ctx, author, { status, occasion: 'fetched', levels })
  if (imported.kind === 'stored' || imported.kind === 'duplicate') return imported.id
  ctx.log.info('A post was not stored', { uri: status.uri, reason: imported.reason })
  return null
}

export function logMissingPost(
  ctx: Ctx,
  address: string,
  fetched: Exclude<PostFetchResult, { kind: 'found' }>,
): void {
  const reason = fetched.kind === 'gone' ? 'gone' : fetched.reason
  ctx.log.info('A post was not found', { address, reason })
}
