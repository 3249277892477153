import { combineQueries, execute } from '../../db/query'
import { findContextRoot } from '../../domain/statuses/find-federated'
import { contextSelection } from '../../domain/timelines/replies'
import { NotFound } from '../../errors'
import { actorUri, contextUri, statusUri } from '../../lib/addresses'
import type { StatusId } from '../../lib/ids'
import type { AppContext } from '../../ports/app-env'
import { loadStatusUris } from '../../view/load/actors'
import { collectionPage, contextPage } from '../serialise/collections'
import type { JsonLdObject } from '../serialise/document'
import { minIdOf } from './paging'
import type { Reader } from './reader'
import { respondWithDocument } from './respond'

const pageSize = 40

/**
 * Serves the public statuses of a conversation that began here, oldest first, with the first page inlined (FEP-7888, as
 * Mastodon 4.5). Statuses of other servers are listed too: whoever completes a thread by this needs no other list.
 */
export async function serveContext(c: AppContext, reader: Reader, root: StatusId): Promise<Response> {
  const { id, author, page } = await findItems(c, reader, { root, minId: undefined })
  const owner = author === null ? {} : { attributedTo: author }
  return respondWithDocument(c, reader, { id, type: 'Collection', ...owner, first: page })
}

/** Serves the same items alone: a page above `min_id`, or the collection of them. */
export async function serveContextItems(c: AppContext, reader: Reader, root: StatusId): Promise<Response> {
  const { id, page } = await findItems(c, reader, { root, minId: minIdOf(c) })
  if (c.req.query('page') !== undefined) return respondWithDocument(c, reader, page)
  return respondWithDocument(c, reader, { id: `${id}/items`, type: 'Collection', first: page })
}

interface Wanted {
  readonly root: StatusId
  readonly minId: number | undefined
}

interface Items {
  /** Address of the conversation. */
  readonly id: string
  /** Author of its first status; null once that was deleted. */
  readonly author: string | null
  readonly page: JsonLdObject
}

/** The items above `minId`, led by the first status where that is undefined. `NotFound` for conversations of others. */
async function findItems(c: AppContext, reader: Reader, { root, minId }: Wanted): Promise<Items> {
  const ctx = c.get('ctx')
  const { origin } = ctx.config
  const selection = contextSelection(reader.ref, { root, minId: minId ?? 0, limit: pageSize })
  const { first, others } = await execute(
    ctx.db,
    combineQueries({
      first: findContextRoot(ctx, reader.ref, root),
      others: loadStatusUris(ctx, selection),
    }),
  )
  if (first === 'hidden' || (first === 'deleted' && others.uris.length === 0)) throw new NotFound()
  const id = contextUri(origin, root)
  const isLast = others.cursors.length < pageSize && !others.endsEarly
  const next = isLast ? undefined : contextPage(id, -(others.cursors.at(-1) ?? 0))
  const leads = first !== 'deleted' && minId === undefined
  const uris = leads ? [statusUri(origin, first.username, first.id), ...others.uris] : others.uris
  return {
    id,
    author: first === 'deleted' ? null : actorUri(origin, first.username),
    page: collectionPage(contextPage(id, minId), { partOf: id, next }, uris),
  }
}
