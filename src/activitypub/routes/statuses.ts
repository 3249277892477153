import { combineQueries, execute } from '../../db/query'
import {
  findFederatedStatus,
  type StatusAddress,
  tombstonesAmong,
} from '../../domain/statuses/find-federated'
import { repliesSelection } from '../../domain/timelines/replies'
import { NotFound } from '../../errors'
import { activityUri, actorUri, statusCollections, statusUri, statusUrl } from '../../lib/addresses'
import type { AppContext } from '../../ports/app-env'
import { loadStatusUris } from '../../view/load/actors'
import { loadNotes, type NoteFacts } from '../../view/load/notes'
import { statusesById } from '../../view/load/statuses'
import { createOrAnnounceActivity, tombstone } from '../serialise/activities'
import { collectionPage, countOf, repliesPages } from '../serialise/collections'
import { serialiseNote } from '../serialise/note'
import { minIdOf } from './paging'
import type { Reader } from './reader'
import { respondGone, respondWithDocument, wantsDocument } from './respond'

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
  const status = await execute(ctx.db, findFederatedStatus(ctx, reader.ref, asked.address))
  if (status === null) throw new NotFound()
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
