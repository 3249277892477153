import type { Ctx } from '../context'
import { findIdByAddress } from '../domain/statuses/find-remote'
import { importStatus, maxLevelsUp } from '../domain/statuses/import'
import type { StatusId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import { frugally } from './frugal'
import { fetchPost, type Post } from './posts'

/** Requests for one address: the page, the post, its author with WebFinger, some of them knocked for twice. */
const requestsForOne = 12
const restSeconds = 60

/**
 * The status with this id or page address, ours or of another server; the latter is fetched where it is unknown, and
 * kept when anybody may see it or it was for one of us. Then what it answers is fetched by jobs.
 */
export async function statusByUri(ctx: Ctx, address: string): Promise<StatusId | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await findIdByAddress(ctx, uri)
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  if (ctx.memory.recall(`nowhere ${uri}`) !== null) return null
  const fetched = await fetchPost(frugally(ctx, requestsForOne), uri, { pages: true })
  if (fetched.kind === 'found') return keep(ctx, fetched)
  const reason = fetched.kind === 'gone' ? 'gone' : fetched.reason
  ctx.log.info('A post was not found', { address: uri, reason })
  // What leads nowhere is not tried again by everybody who follows it.
  ctx.memory.remember(`nowhere ${uri}`, 'yes', restSeconds)
  return null
}

async function keep(ctx: Ctx, { status, author }: Post): Promise<StatusId | null> {
  const levels = { up: maxLevelsUp, down: 0 }
  const imported = await importStatus(ctx, author, { status, occasion: 'fetched', levels })
  if (imported.kind === 'stored' || imported.kind === 'duplicate') return imported.id
  ctx.log.info('A post was not stored', { uri: status.uri, reason: imported.reason })
  return null
}
