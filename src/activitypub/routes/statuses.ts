import {
  activityUri,
  actorUri,
  contextUri,
  statusCollections,
  statusUri,
  statusUrl,
} from '../../contract/addresses'
import { combineQueries, execute, orNotFound } from '../../db/query'
import {
  findContextRoot,
  findFederatedStatus,
  type StatusAddress,
  tombstonesAmong,
} from '../../domain/statuses/find-federated'
import { contextSelection, repliesSelection } from '../../domain/timelines/thread'
import { NotFound } from '../../errors'
import type { StatusId } from '../../lib/ids'
import type { AppContext } from '../../ports/app-env'
import { loadStatusUris } from '../../view/load/actors'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import { statusesById } from '../../view/load/statuses'
import { createOrAnnounceActivity, tombstone } from '../serialise/activities'
import { collectionPage, contextPage, countOf, repliesPages } from '../serialise/collections'
import type { JsonLdObject } from '../serialise/document'
import { serialiseNote } from '../serialise/note'
import { minIdOf, type Reader, respondGone, respondWithDocument, wantsDocument } from './respond'

const pageSize = 20

/** Serves a status as a note; a reblog redirects to the reblogged status. */
export async function serveStatus(c: AppContext, reader: Reader, address: StatusAddress): Promise<Response> {
  const found = await findNote(c, reader, address)
  if (found instanceof Response) return found
  if (found.shared !== null) return c.redirect(found.shared.uri)
  const { config, clock } = c.get('ctx')
  return respondWithDocument(c, reader, serialiseNote(config, clock.now(), found))
}

/** Serves the Create or Announce of a status. Browsers are redirected to its page. */
export async function serveActivity(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<Response> {
  const { config, clock } = c.get('ctx')
  if (!wantsDocument(c)) return c.redirect(statusUrl(config.origin, address.username, address.id), 302)
  const found = await findNote(c, reader, address)
  if (found instanceof Response) return found
  return respondWithDocument(c, reader, createOrAnnounceActivity(config, clock.now(), found))
}

/** Finds a status as visible to the reader, or the response for a deleted one. */
async function findNote(
  c: AppContext,
  reader: Reader,
  address: StatusAddress,
): Promise<NoteFacts | Response> {
  const ctx = c.get('ctx')
  const { origin } = ctx.config
  const { username, id } = address
  const uri = statusUri(origin, username, id)
  const { bundle, deleted } = await execute(
    ctx.db,
    combineQueries({
      bundle: loadNotes(ctx, reader.ref, statusesById([id])),
      deleted: tombstonesAmong(ctx, [uri, activityUri(uri), actorUri(origin, username)]),
    }),
  )
  if (deleted !== null) return respondGone(c, tombstone(uri, deleted.deletedAt))
  const [facts] = bundle.notes
  if (facts?.author.username.toLowerCase() !== username.toLowerCase()) throw new NotFound()
  return facts
}

/** Serves the number of likes or shares of a status; the accounts stay private. */
export async function serveCount(
  c: AppContext,
  reader: Reader,
  asked: { readonly address: StatusAddress; readonly of: 'likes' | 'shares' },
): Promise<Response> {
  const ctx = c.get('ctx')
  const status = await execute(ctx.db, orNotFound(findFederatedStatus(ctx, reader.ref, asked.address)))
  const collections = statusCollections(statusUri(ctx.config.origin, status.username, status.id))
  const count = asked.of === 'likes' ? status.favouritesCount : status.reblogsCount
  return respondWithDocument(c, reader, countOf(collections[asked.of], count))
}

/**
 * Serves public replies to a status, the author's own first: servers that complete a thread fetch these, so none may
 * be missing.
 */
export async function serveReplies(c: AppContext, reader: Reader, address: StatusAddress): Promise<Response> {
  const ctx = c.get('ctx')
  const minId = minIdOf(c)
  const by = c.req.query('only_other_accounts') === 'true' ? 'others' : 'author'
  const selection = repliesSelection(reader.ref, {
    to: address.id,
    by,
    minId: minId ?? 0,
    limit: pageSize,
  })
  const { status, answers } = await execute(
    ctx.db,
    combineQueries({
      status: findFederatedStatus(ctx, reader.ref, address),
      answers: loadStatusUris(ctx, selection),
    }),
  )
  if (status === null) throw new NotFound()
  const { replies: id } = statusCollections(statusUri(ctx.config.origin, status.username, status.id))
  const isLast = answers.cursors.length < pageSize && !answers.endsEarly
  const last = isLast ? undefined : -(answers.cursors.at(-1) ?? 0)
  const links = { partOf: id, next: nextOf(id, by, last) }
  const page = collectionPage(
    by === 'author' ? repliesPages.own(id, minId) : repliesPages.others(id, minId),
    links,
    answers.uris,
  )
  if (c.req.query('page') !== undefined) return respondWithDocument(c, reader, page)
  return respondWithDocument(c, reader, { id, type: 'Collection', first: page })
}

function nextOf(id: string, by: 'author' | 'others', last: number | undefined): string | undefined {
  if (last !== undefined) return by === 'author' ? repliesPages.own(id, last) : repliesPages.others(id, last)
  return by === 'author' ? repliesPages.others(id) : undefined
}

const contextPageSize = 40

/**
 * Serves the public statuses of a conversation that began here, oldest first, with the first page inlined (FEP-7888, as
 * Mastodon 4.5). Statuses of other servers are listed too: servers that complete a thread by this need no other list.
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
  const selection = contextSelection(reader.ref, { root, minId: minId ?? 0, limit: contextPageSize })
  const { first, others } = await execute(
    ctx.db,
    combineQueries({
      first: findContextRoot(ctx, reader.ref, root),
      others: loadStatusUris(ctx, selection),
    }),
  )
  if (first === 'hidden' || (first === 'deleted' && others.uris.length === 0)) throw new NotFound()
  const id = contextUri(origin, root)
  const isLast = others.cursors.length < contextPageSize && !others.endsEarly
  const next = isLast ? undefined : contextPage(id, -(others.cursors.at(-1) ?? 0))
  const leads = first !== 'deleted' && minId === undefined
  const uris = leads ? [statusUri(origin, first.username, first.id), ...others.uris] : others.uris
  return {
    id,
    author: first === 'deleted' ? null : actorUri(origin, first.username),
    page: collectionPage(contextPage(id, minId), { partOf: id, next }, uris),
  }
}
