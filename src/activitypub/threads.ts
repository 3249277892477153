import { execute } from '../db/query'
import { deleteRemoteAccount } from '../domain/accounts/delete-remote'
import { accountIdByUri } from '../domain/accounts/find'
import {
  missingParentUri,
  type ThreadSource,
  threadSourceOf,
  unknownUrisAmong,
} from '../domain/statuses/find-thread'
import { authorOfStatus } from '../domain/statuses/remote/find-forwarded'
import { attachOrphans, importStatus } from '../domain/statuses/remote/import'
import { receiveDelete, receiveEdit } from '../domain/statuses/remote/receive-edit'
import { Unavailable } from '../errors'
import type { StatusId } from '../lib/ids'
import { hostOf, liesOn, sameOrigin } from '../lib/web-address'
import type { RefetchHint } from '../messages/jobs'
import type { Ctx } from '../ports/ctx'
import type { FetchedReplies } from '../ports/federation'
import { storeActor } from './actors'
import { type FetchResult, fetchDocument } from './fetch'
import {
  type FetchedPost,
  fetchCollectionItems,
  fetchPost,
  type PostFetchResult,
  readEmbeddedItems,
  readPostDocument,
} from './fetch-post'
import { withRequestBudget } from './resolve'
import { readActivity } from './vocab/activity'
import { readActor } from './vocab/actor'
import { isUnreadable, type Reference } from './vocab/json'
import { isTombstone } from './vocab/quotes'
import { contextIn, isStatusDocument, readStatus, repliesIn } from './vocab/status'

const requestsUp = 10
const requestsDown = 30
/** Statements of a reply by an unknown author, with its effects. */
const statementsOfReply = 20
const mostReplies = { items: 50, pages: 5 }
/** Known statuses are among them: each visit continues where the previous one ended. */
const mostOfThread = { items: 200, pages: 4 }
/** Pause per isolate before the collection of a thread is read again. */
const threadPauseSeconds = 15 * 60

/**
 * Fetches the unknown parent of a status and links the two. The next level up is another job, as long as `levels`
 * lasts.
 */
export async function fetchParent(ctx: Ctx, id: StatusId, levels: number): Promise<void> {
  const uri = await execute(ctx.db, missingParentUri(ctx, id))
  if (uri === null) return
  // Possibly delivered in the meantime.
  if (await attachOrphans(ctx, { uri, parent: uri })) return
  const fetched = await fetchPost(withRequestBudget(ctx, requestsUp), uri)
  if (fetched.kind !== 'found') return logFailure(ctx, uri, fetched)
  const { status, author } = fetched
  await importStatus(ctx, author, { status, occasion: 'fetched', levels: { up: levels - 1, down: 0 } })
  // Replies may name the parent by another address than its id.
  if (status.uri !== uri) await attachOrphans(ctx, { uri, parent: status.uri })
}

/**
 * Fetches unknown statuses of the thread below a status: the replies that its server lists, and what the thread's own
 * collection has (FEP-7888). Refreshes the status itself. A status is read from a list on its own server, others are
 * fetched from theirs. Replies to listed replies are another job, as long as `levels` lasts; the collection of a thread
 * has them already. Another run continues with the `rest` that this invocation has no statements for.
 */
export async function fetchReplies(
  ctx: Ctx,
  id: StatusId,
  levels: number,
  rest?: readonly string[],
): Promise<FetchedReplies> {
  const limited = withRequestBudget(ctx, requestsDown)
  const source = await execute(ctx.db, threadSourceOf(ctx, id))
  if (source === null) return { stored: 0, rest: [] }
  const listed = rest === undefined ? await listThread(limited, source) : leftOver(source, rest)
  const items = new Map(listed.map((item) => [item.uri, item]))
  if (items.size === 0) return { stored: 0, rest: [] }
  const unknown = await execute(ctx.db, unknownUrisAmong(ctx, [...items.keys()]))
  const wanted = withinReach(unknown.flatMap((uri) => items.get(uri) ?? []))
  let stored = 0
  for (const [index, item] of wanted.entries()) {
    if (index > 0 && ctx.usage.statementsLeft() < statementsOfReply)
      return { stored, rest: wanted.slice(index).map(({ uri }) => uri) }
    const answer = await loadListedPost(limited, item)
    if (answer.kind !== 'found') logFailure(ctx, item.uri, answer)
    else if (await storeListed(ctx, answer, { item, source, levels })) stored += 1
  }
  return { stored, rest: [] }
}

/** A status on a list of another server. */
interface Listed {
  readonly uri: string
  readonly inline: object | null
  /** Address of the list. */
  readonly from: string
  /** Replies to one status, or a whole thread. */
  readonly of: 'replies' | 'thread'
}

/** Imports a reply. What a list of a whole thread has must reply to the thread, or itself name that as its own. */
async function storeListed(
  ctx: Ctx,
  { status, author }: FetchedPost,
  { item, source, levels }: { readonly item: Listed; readonly source: ThreadSource; readonly levels: number },
): Promise<boolean> {
  if (status.inReplyTo === null) return false
  const isCertain = item.of === 'replies' || status.contextUri === item.from
  const imported = await importStatus(ctx, author, {
    status,
    occasion: 'fetched',
    levels: { up: 1, down: item.of === 'replies' ? levels - 1 : 0 },
    ...(isCertain ? {} : { within: source.conversationId }),
  })
  return imported.kind === 'stored'
}

/** As many of a whole thread as there are requests for: each costs one at least. Replies come first. */
function withinReach(listed: readonly Listed[]): readonly Listed[] {
  const replies = listed.filter((item) => item.of === 'replies')
  return [...replies, ...listed.filter((item) => item.of === 'thread').slice(0, requestsDown)]
}

/** Refreshes the status, and reads the lists of its replies and of its thread. */
async function listThread(ctx: Ctx, source: ThreadSource): Promise<readonly Listed[]> {
  const post = await fetchDocument(ctx, source.uri)
  if (post.kind === 'found') await refresh(ctx, source.uri, post.document)
  const thread = await fetchThread(
    ctx,
    (post.kind === 'found' ? contextIn(post.document) : null) ?? source.contextUri,
  )
  const replies = await fetchListedReplies(ctx, source, post)
  // In this order replies replace what the thread lists too.
  return [...thread, ...replies].filter(({ uri }) => !liesOn(ctx.config.ownDomains, uri))
}

/** Lists what an earlier run left: fetched from their own servers, and only stored as part of the thread. */
function leftOver({ contextUri }: ThreadSource, uris: readonly string[]): readonly Listed[] {
  return uris.map((uri) => ({ uri, inline: null, from: contextUri ?? '', of: 'thread' as const }))
}

/** Statuses in the collection of a thread. It is the same for all of its statuses: not read for each of them. */
async function fetchThread(ctx: Ctx, address: string | null): Promise<readonly Listed[]> {
  if (address === null || liesOn(ctx.config.ownDomains, address)) return []
  if (ctx.memory.increment(`thread ${address}`, threadPauseSeconds) > 1) return []
  const { items } = await fetchCollectionItems(ctx, address, mostOfThread)
  return listedOn(items, address, 'thread')
}

/** Listed replies: from the refetched status, else from the stored collection address. */
async function fetchListedReplies(
  ctx: Ctx,
  { uri, repliesUri }: ThreadSource,
  post: FetchResult,
): Promise<readonly Listed[]> {
  const reference = post.kind === 'found' ? repliesIn(post.document) : null
  const host = hostOf(uri)
  if (repliesUri === null) return []
  const { items } =
    reference === null || host === null
      ? await fetchCollectionItems(ctx, repliesUri, mostReplies)
      : await readEmbeddedItems(ctx, { reference, host }, mostReplies)
  return listedOn(items, repliesUri, 'replies')
}

function listedOn(items: readonly Reference[], from: string, of: Listed['of']): readonly Listed[] {
  return items.flatMap(({ id, document }) => (id === null ? [] : [{ uri: id, inline: document, from, of }]))
}

/** Reads a listed status: the inlined copy where the list is from its own server, else fetched from there. */
async function loadListedPost(ctx: Ctx, { uri, inline, from }: Listed): Promise<PostFetchResult> {
  return inline !== null && sameOrigin(uri, from) ? readPostDocument(ctx, inline) : fetchPost(ctx, uri)
}

function logFailure(ctx: Ctx, uri: string, fetched: PostFetchResult): void {
  const reason = 'reason' in fetched ? fetched.reason : fetched.kind
  ctx.log.info('Failed to fetch a status of a thread', { uri, reason })
}

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
      if (await clearDeleted(ctx, uri, hint)) return
      return refresh(ctx, uri, fetched.document, { isEdited: hint?.type === 'Update' })
    case 'gone':
      return forget(ctx, uri)
    case 'unreachable':
      throw new Unavailable('its_server_silent', {}, fetched.reason)
    case 'missing':
    case 'refused': {
      if (await clearDeleted(ctx, uri, { ...hint, isGone: true })) return
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
async function clearDeleted(
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
  if (fetched.kind === 'unreachable') throw new Unavailable('its_server_silent', {}, fetched.reason)
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
async function refresh(
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
