import { execute } from '../db/query'
import { deleteRemoteAccount } from '../domain/accounts/delete-remote'
import { accountIdByUri } from '../domain/accounts/find-remote'
import { authorOfStatus } from '../domain/statuses/remote/find-forwarded'
import { receiveDelete } from '../domain/statuses/remote/receive-delete'
import { receiveEdit } from '../domain/statuses/remote/receive-edit'
import { Unavailable } from '../errors'
import type { Ctx } from '../platform/ports'
import { storeActor } from './actors'
import { fetchDocument } from './fetch'
import { readActor } from './vocab/actor'
import { isStatusDocument, readStatus } from './vocab/status'
import { isTombstone } from './vocab/tombstone'
import { isUnreadable } from './vocab/unreadable'

/**
 * Asks the server of an object about it: stores what is new or changed, and removes what it says is gone.
 *
 * 404 is no such word: it may mean that we may not see it any more. Throws `Unavailable` where its server does not
 * answer, so that a job comes back.
 */
export async function refetch(ctx: Ctx, uri: string): Promise<void> {
  const fetched = await fetchDocument(ctx, uri)
  switch (fetched.kind) {
    case 'found':
      return isTombstone(fetched.document) ? forget(ctx, uri) : refresh(ctx, uri, fetched.document)
    case 'gone':
      return forget(ctx, uri)
    case 'unreachable':
      throw new Unavailable('Its server does not answer', fetched.reason)
    case 'missing':
    case 'refused': {
      const reason = fetched.kind === 'refused' ? fetched.reason : 'it is missing'
      ctx.log.info('Nothing was learnt about an object', { uri, reason })
    }
  }
}

async function forget(ctx: Ctx, uri: string): Promise<void> {
  const account = await execute(ctx.db, accountIdByUri(ctx, uri))
  if (account !== null) return deleteRemoteAccount(ctx, account)
  const author = await execute(ctx.db, authorOfStatus(ctx, uri))
  if (author !== null) await receiveDelete(ctx, author, uri)
}

/** Stores what is new or changed about a known object, as its own server describes it. */
export async function refresh(ctx: Ctx, uri: string, document: object): Promise<void> {
  const now = ctx.clock.now()
  const actor = readActor(document, now)
  if (!isUnreadable(actor)) {
    // Only whom this server knows: a hint is no reason to get to know anybody.
    if ((await execute(ctx.db, accountIdByUri(ctx, uri))) !== null) await storeActor(ctx, actor)
    return
  }
  const author = await execute(ctx.db, authorOfStatus(ctx, uri))
  if (author === null) {
    await ctx.resolver.statusByUri(uri)
    return
  }
  if (!isStatusDocument(document)) return
  const status = readStatus(document, { authorFollowers: author.followers, now })
  if (isUnreadable(status))
    ctx.log.info('Nothing was learnt about an object', { uri, reason: status.unreadable })
  else if (status.author === author.uri) await receiveEdit(ctx, author, status)
}
