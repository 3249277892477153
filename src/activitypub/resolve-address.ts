import { execute } from '../db/query'
import { knownAtAddress } from '../domain/statuses/remote/find-at-address'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { ResolvedAddress } from '../ports/federation'
import { readFetchedActor, storeActor } from './actors'
import { fetchDocument } from './fetch'
import { readFetchedPost } from './fetch-post'
import { withRequestBudget } from './request-budget'
import { refreshInBackground } from './resolve-accounts'
import { logMissingPost, maxRequestsPerAddress, restSeconds, storePost } from './resolve-statuses'

/**
 * Resolves an address typed by a user (an id or a page) to a status or account. Known ones need no request; any other
 * is fetched once, and its document type decides.
 *
 * An address that leads to neither is not fetched again for a minute.
 */
export async function resolveAddress(ctx: Ctx, address: string): Promise<ResolvedAddress | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await execute(ctx.db, knownAtAddress(ctx, uri))
  if (known?.kind === 'account') return { kind: 'account', id: refreshInBackground(ctx, known.account) }
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  const key = `nothing at ${uri}`
  if (ctx.memory.get(key) !== null) return null
  const found = await fetchAt(withRequestBudget(ctx, maxRequestsPerAddress), uri)
  if (found === null) ctx.memory.set(key, 'yes', restSeconds)
  return found
}

async function fetchAt(ctx: Ctx, uri: string): Promise<ResolvedAddress | null> {
  const fetched = await fetchDocument(ctx, uri, { acceptsHtml: true })
  const actor = readFetchedActor(ctx, fetched)
  if (actor.kind === 'found') {
    const stored = await storeActor(ctx, actor.actor)
    if (stored.kind === 'stored') return { kind: 'account', id: stored.id }
    ctx.log.info('An actor was not stored', { address: uri, reason: stored })
    return null
  }
  const post = await readFetchedPost(ctx, fetched)
  if (post.kind !== 'found') {
    logMissingPost(ctx, uri, post)
    return null
  }
  const id = await storePost(ctx, post)
  return id === null ? null : { kind: 'status', id }
}
