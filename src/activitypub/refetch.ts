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
 * Refetches an object: stores what is new or changed, and removes what its server reports deleted.
 *
 * 404 is no deletion: it may mean that this server may not see it any more. Throws `Unavailable` where its server
 * does not answer, so that the job is retried.
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
      ctx.log.info('An object was not refreshed', { uri, reason })
    }
  }
}

async function forget(ctx: Ctx, uri: string): Promise<void> {
  const account = await execute(ctx.db, accountIdByUri(ctx, uri))
  if (account !== null) return deleteRemoteAccount(ctx, account)
  const author = await execute(ctx.db, authorOfStatus(ctx, uri))
  if (author !== null) await receiveDelete(ctx, author, uri)
}

/** Updates a known object from its own server's document. */
export async function refresh(ctx: Ctx, uri: string, document: object): Promise<void> {
  const now = ctx.clock.now()
  const actor = readActor(document, now)
  if (!isUnreadable(actor)) {
    // Known accounts only: a forwarded activity does not add accounts.
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
  if (isUnreadable(status)) ctx.log.info('An object was not refreshed', { uri, reason: status.unreadable })
  else if (status.author === author.uri) await receiveEdit(ctx, author, status)
}
