import { ask } from '../db/query'
import { knownAtAddress } from '../domain/statuses/remote/find-at-address'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { AtAddress, Ctx } from '../platform/ports'
import { actorAt, storeActor } from './actors'
import { fetchDocument } from './fetch'
import { frugally } from './frugal'
import { postAt } from './posts'
import { refreshed } from './resolve-accounts'
import { keepPost, noteMissing, requestsForOne, restSeconds } from './resolve-statuses'

/**
 * The status or account behind an address somebody typed: an id, or the page people see. What is known here is found
 * without a request; anything else is fetched once, and the type of its document decides what it is.
 *
 * An address that leads to neither is not fetched again for a minute.
 */
export async function findAtAddress(ctx: Ctx, address: string): Promise<AtAddress | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await ask(ctx.db, knownAtAddress(ctx, uri))
  if (known?.kind === 'account') return { kind: 'account', id: refreshed(ctx, known.account) }
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  const key = `nothing at ${uri}`
  if (ctx.memory.recall(key) !== null) return null
  const found = await fetchAt(frugally(ctx, requestsForOne), uri)
  if (found === null) ctx.memory.remember(key, 'yes', restSeconds)
  return found
}

async function fetchAt(ctx: Ctx, uri: string): Promise<AtAddress | null> {
  const fetched = await fetchDocument(ctx, uri, { pages: true })
  const actor = actorAt(ctx, fetched)
  if (actor.kind === 'found') {
    const stored = await storeActor(ctx, actor.actor)
    if (stored.kind === 'stored') return { kind: 'account', id: stored.id }
    ctx.log.info('An actor was not stored', { address: uri, reason: stored })
    return null
  }
  const post = await postAt(ctx, fetched)
  if (post.kind !== 'found') {
    noteMissing(ctx, uri, post)
    return null
  }
  const id = await keepPost(ctx, post)
  return id === null ? null : { kind: 'status', id }
}
