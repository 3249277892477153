import { storeCollection } from '../domain/collections/remote'
import { Unavailable } from '../errors'
import type { AccountId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { fetchDocument } from './fetch'
import { withRequestBudget } from './request-budget'
import { readFeaturedCollection } from './vocab/featured-collections'

/** Collection and owner, each fetched with two signature variants, behind a redirect. */
const requestsForCollection = 8

/**
 * Fetches a featured collection that `owner` is said to have and stores it. Returns whether `owner` is its author.
 * `Unavailable` when its server does not answer.
 */
export async function fetchCollection(ctx: Ctx, owner: AccountId, uri: string): Promise<boolean> {
  const limited = withRequestBudget(ctx, requestsForCollection)
  const fetched = await fetchDocument(limited, uri)
  if (fetched.kind === 'unreachable') throw new Unavailable('Another server does not answer', fetched.reason)
  if (fetched.kind !== 'found') return false
  const document = readFeaturedCollection(fetched.document, ctx.clock.now())
  if (document === null || (await limited.resolver.accountByUri(document.author)) !== owner) return false
  return storeCollection(ctx, owner, document)
}
