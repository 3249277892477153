import { execute } from '../db/query'
import { deleteRemoteAccount } from '../domain/accounts/delete-remote'
import { accountIdByUri } from '../domain/accounts/find-remote'
import { authorOfStatus } from '../domain/statuses/remote/find-forwarded'
import { receiveDelete } from '../domain/statuses/remote/receive-delete'
import { receiveEdit } from '../domain/statuses/remote/receive-edit'
import { Unavailable } from '../errors'
import { sameOrigin } from '../lib/web-address'
import type { RefetchHint } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'
import { storeActor } from './actors'
import { fetchDocument } from './fetch'
import { readActivity } from './vocab/activity'
import { readActor } from './vocab/actor'
import { isStatusDocument, readStatus } from './vocab/status'
import { isTombstone } from './vocab/tombstone'
import { isUnreadable } from './vocab/unreadable'

/** Requests for a Delete, with two signature variants and a redirect. */
const requestsForDelete = 4

/**
 * Refetches an object: stores what is new or changed, and removes what its server reports deleted.
 *
 * 404 is no deletion: it may mean that this server may not see it any more. Throws `Unavailable` where its server does not answer, so that the job is retried.
 */
export async function refetch(ctx: Ctx, uri: string, hint?: RefetchHint): Promise<void> {
  const fetched = await fetchDocument(ctx, uri)
  switch (fetched.kind) {
    case 'found':
      if (isTombstone(fetched.document)) return forget(ctx, uri)
      if (await forgetDeleted(ctx, uri, hint)) return
      return refresh(ctx, uri, fetched.document, { isEdited: hint?.type === 'Update' })
    case 'gone':
      return forget(ctx, uri)
    case 'unreachable':
      throw new Unavailable('Its server does not answer', fetched.reason)
    case 'missing':
    case 'refused': {
      if (await forgetDeleted(ctx, uri, { ...hint, isGone: true })) return
      const reason = fetched.kind === 'refused' ? fetched.reason : 'it is missing'
      ctx.log.info('An object was not refreshed', { uri, reason })
    }
  }
}

interface Deletion extends Partial<RefetchHint> {
  /** The server does not serve the status any more, or not to this server. */
  readonly isGone?: boolean
}

/**
 * Removes a status that its server says was deleted, by a Delete of its author at its own address or by vouching for one of
 * another actor or of what it does not serve any more. Returns whether it did.
 */
async function forgetDeleted(
  ctx: Ctx,
  uri: string,
  { type, activity, vouched = false, isGone = false }: Deletion = {},
): Promise<boolean> {
  if (type !== 'Delete' || (activity === undefined && !(vouched && isGone))) return false
  const author = await execute(ctx.db, authorOfStatus(ctx, uri))
  if (author === null) return false
  // 404 says nothing of what only some may see.
  const isMissing = isGone && vouched && author.isOpen === 1
  const deleter = isMissing || activity === undefined ? null : await deleterBy(ctx, activity, uri)
  const isDeleted = deleter !== null && (deleter === author.uri || vouched)
  if (isMissing || isDeleted) await receiveDelete(ctx, author, uri)
  return isMissing || isDeleted
}

/** Actor of a Delete of the object, fetched from the server of both; null where it is none. */
async function deleterBy(ctx: Ctx, activityUri: string, uri: string): Promise<string | null> {
  if (!sameOrigin(activityUri, uri)) return null
  const options = { sameHostOnly: true, requests: requestsForDelete }
  const fetched = await fetchDocument(ctx, activityUri, options)
  if (fetched.kind === 'unreachable') throw new Unavailable('Its server does not answer', fetched.reason)
  const activity = fetched.kind === 'found' ? readActivity(fetched.document) : null
  const isDelete =
    activity?.type === 'Delete' && activity.object?.id === uri && sameOrigin(activity.actor, uri)
  return isDelete ? activity.actor : null
}

async function forget(ctx: Ctx, uri: string): Promise<void> {
  const account = await execute(ctx.db, accountIdByUri(ctx, uri))
  if (account !== null) return deleteRemoteAccount(ctx, account)
  const author = await execute(ctx.db, authorOfStatus(ctx, uri))
  if (author !== null) await receiveDelete(ctx, author, uri)
}

/**
 * Updates a known object from its own server's document. One that is said to be edited (`isEdited`) was edited now where the
 * document has no date of it.
 */
export async function refresh(
  ctx: Ctx,
  uri: string,
  document: object,
  { isEdited = false }: { readonly isEdited?: boolean } = {},
): Promise<void> {
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
  else if (status.author === author.uri)
    await receiveEdit(ctx, author, isEdited ? { ...status, editedAt: status.editedAt ?? now } : status)
}
