import { execute } from '../db/query'
import { missingParentUri, repliesCollectionOf, unknownUrisAmong } from '../domain/statuses/find-thread'
import { attachOrphans, importStatus } from '../domain/statuses/remote/import'
import type { FetchedReplies } from '../lib/backfill'
import type { StatusId } from '../lib/ids'
import { hostOf, liesOn, sameOrigin } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { fetchCollectionItems, readEmbeddedItems } from './collection-items'
import { type FetchResult, fetchDocument } from './fetch'
import { fetchPost, type PostFetchResult, readPostDocument } from './fetch-post'
import { refresh } from './refetch'
import { withRequestBudget } from './request-budget'
import type { Reference } from './vocab/json'
import { repliesIn } from './vocab/status'

const requestsUp = 10
const requestsDown = 30
/** Statements of a reply by an unknown author, with its effects. */
const statementsOfReply = 20
const mostReplies = { items: 50, pages: 5 }

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
 * Fetches unknown replies that the status's server lists, and refreshes the status itself. Replies on that server are
 * read from the list, others are fetched from their own servers. Their replies are another job, as long as `levels`
 * lasts. Another run goes on with the `rest` that this invocation has no statements for.
 */
export async function fetchReplies(
  ctx: Ctx,
  id: StatusId,
  levels: number,
  rest?: readonly string[],
): Promise<FetchedReplies> {
  const limited = withRequestBudget(ctx, requestsDown)
  const listing = rest === undefined ? await listReplies(limited, id) : givenReplies(rest)
  if (listing.items.size === 0) return { stored: 0, rest: [] }
  const unknown = await execute(ctx.db, unknownUrisAmong(ctx, [...listing.items.keys()]))
  let stored = 0
  for (const [index, uri] of unknown.entries()) {
    if (index > 0 && ctx.usage.statementsLeft() < statementsOfReply)
      return { stored, rest: unknown.slice(index) }
    const answer = await loadListedPost(limited, {
      uri,
      inline: listing.items.get(uri)?.document ?? null,
      from: listing.from,
    })
    if (answer.kind !== 'found') {
      logFailure(ctx, uri, answer)
      continue
    }
    const { status, author } = answer
    if (status.inReplyTo === null) continue
    const levelsLeft = { up: 1, down: levels - 1 }
    const imported = await importStatus(ctx, author, { status, occasion: 'fetched', levels: levelsLeft })
    if (imported.kind === 'stored') stored += 1
  }
  return { stored, rest: [] }
}

interface ListedReplies {
  /** Address of the list. */
  readonly from: string
  readonly items: ReadonlyMap<string, Reference>
}

/** Refreshes the status, and reads its list of replies. Empty for an unknown status. */
async function listReplies(ctx: Ctx, id: StatusId): Promise<ListedReplies> {
  const source = await execute(ctx.db, repliesCollectionOf(ctx, id))
  if (source === null) return givenReplies([])
  const post = await fetchDocument(ctx, source.uri)
  if (post.kind === 'found') await refresh(ctx, source.uri, post.document)
  const listed = await fetchListedReplies(ctx, source, post)
  const items = listed.flatMap((item): [string, Reference][] =>
    item.id === null || liesOn(ctx.config.ownDomains, item.id) ? [] : [[item.id, item]],
  )
  return { from: source.repliesUri, items: new Map(items) }
}

/** Replies that an earlier run read from the list: they are fetched from their own servers. */
function givenReplies(uris: readonly string[]): ListedReplies {
  return { from: '', items: new Map(uris.map((id) => [id, { id, document: null }])) }
}

/** Listed replies: from the refetched status, else from the stored collection address. */
async function fetchListedReplies(
  ctx: Ctx,
  { uri, repliesUri }: { readonly uri: string; readonly repliesUri: string },
  post: FetchResult,
): Promise<readonly Reference[]> {
  const reference = post.kind === 'found' ? repliesIn(post.document) : null
  const host = hostOf(uri)
  const listing =
    reference === null || host === null
      ? await fetchCollectionItems(ctx, repliesUri, mostReplies)
      : await readEmbeddedItems(ctx, { reference, host }, mostReplies)
  return listing.items
}

interface Listed {
  readonly uri: string
  readonly inline: object | null
  readonly from: string
}

/** Reads a listed status: the inlined copy where the list is from its own server, else fetched from there. */
async function loadListedPost(ctx: Ctx, { uri, inline, from }: Listed): Promise<PostFetchResult> {
  return inline !== null && sameOrigin(uri, from) ? readPostDocument(ctx, inline) : fetchPost(ctx, uri)
}

function logFailure(ctx: Ctx, uri: string, fetched: PostFetchResult): void {
  const reason = 'reason' in fetched ? fetched.reason : fetched.kind
  ctx.log.info('Failed to fetch a status of a thread', { uri, reason })
}
