import { execute } from '../db/query'
import { type ResolvableAccount, resolvableByHandle, resolvableByUrl } from '../domain/accounts/find'
import { storeCollection } from '../domain/collections/remote'
import { mayContact } from '../domain/servers/limits'
import { knownAtAddress } from '../domain/statuses/remote/find-at-address'
import { statusIdAt } from '../domain/statuses/remote/find-remote'
import { importStatus, maxLevelsUp } from '../domain/statuses/remote/import'
import { OverBudget, Unavailable } from '../errors'
import type { AccountId, StatusId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import type { ResolvedAddress } from '../ports/federation'
import { importActor, readFetchedActor, refreshStale, storeActor } from './actors'
import { fetchDocument } from './fetch'
import { type FetchedPost, fetchPost, type PostFetchResult, readFetchedPost } from './fetch-post'
import { readFeaturedCollection } from './vocab/collections'
import { formatHandle, lookUpWebFinger, type RemoteHandle } from './webfinger'

/** Seconds for which an isolate caches a handle or address as not found. */
const restSeconds = 60

/** Resolves a handle to an account: refreshes a stale one in the background, looks up an unknown one. */
export async function accountByHandle(ctx: Ctx, handle: RemoteHandle): Promise<AccountId | null> {
  const known = await execute(ctx.db, resolvableByHandle(ctx, handle))
  return known === null ? discover(ctx, handle) : refreshInBackground(ctx, known)
}

/**
 * Looks up a handle, first by WebFinger, then at the actor's address, and stores the actor.
 *
 * Null also where the actor's handle differs from the one WebFinger gives it, or any server could name any actor; and
 * where its server may not be contacted.
 */
async function discover(ctx: Ctx, handle: RemoteHandle): Promise<AccountId | null> {
  if (
    ctx.config.ownDomains.includes(handle.domain) ||
    !(await execute(ctx.db, mayContact(ctx, handle.domain)))
  )
    return null
  return withNotFoundCache(ctx, formatHandle(handle).toLowerCase(), async () => {
    const result = await lookUpWebFinger(ctx, handle)
    if (result.kind !== 'found') {
      ctx.log.info('A handle was not found', { handle: formatHandle(handle), reason: result.reason })
      return null
    }
    const id = await importActor(ctx, result.uri, { lookup: result })
    const named = await execute(ctx.db, resolvableByHandle(ctx, result.handle))
    return named !== null && named.id === id ? id : null
  })
}

/**
 * Resolves unknown handles concurrently within the time limit; slower ones finish after the response, for the next
 * request. Each is an invocation of its own: one takes fifteen statements, of the fifty that a request has. True when
 * any was found.
 */
export async function resolveHandles(
  ctx: Ctx,
  handles: readonly RemoteHandle[],
  timeoutMilliseconds: number,
): Promise<boolean> {
  let found = false
  const attempts = handles.map(async (handle) => {
    if ((await ctx.discovery.find(handle)) !== null) found = true
  })
  const all = Promise.all(attempts).then(() => undefined)
  ctx.waitUntil(all)
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMilliseconds)
  })
  await Promise.race([all, timeout]).finally(() => clearTimeout(timer))
  return found
}

/**
 * Resolves an actor id or profile page address to a local or remote account.
 *
 * With `fresh` a known one is refetched now, and null means that this was not possible.
 */
export async function accountByUri(
  ctx: Ctx,
  address: string,
  { fresh = false }: { readonly fresh?: boolean } = {},
): Promise<AccountId | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const isOwn = liesOn(ctx.config.ownDomains, uri)
  if (fresh && !isOwn) return importActor(ctx, uri)
  const known = await execute(ctx.db, resolvableByUrl(ctx, uri))
  if (known !== null) return refreshInBackground(ctx, known)
  return isOwn ? null : withNotFoundCache(ctx, uri, () => importActor(ctx, uri, { acceptsHtml: true }))
}

/** Refreshes a stale account in the background; returns its id. */
function refreshInBackground(ctx: Ctx, { id, uri, readAt }: ResolvableAccount): AccountId {
  if (uri !== null && readAt !== null) refreshStale(ctx, { id, uri, readAt })
  return id
}

/** Caches a failed lookup, so that repeated readers do not repeat it. */
async function withNotFoundCache(
  ctx: Ctx,
  name: string,
  attempt: () => Promise<AccountId | null>,
): Promise<AccountId | null> {
  // Accounts only: the same address may be a status.
  const key = `no account ${name}`
  if (ctx.memory.get(key) !== null) return null
  const found = await attempt()
  if (found === null) ctx.memory.set(key, 'yes', restSeconds)
  return found
}

/**
 * Resolves an address typed by a user (an id or a page) to a status or account. Known ones need no request; any other
 * is fetched once, and its document type decides.
 *
 * An address that leads to neither is not fetched again for a minute.
 */
export async function resolveAddress(ctx: Ctx, address: string): Promise<ResolvedAddress | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await execute(ctx.db, knownAtAddress(ctx, uri))
  if (known?.kind === 'account') return { kind: 'account', id: refreshInBackground(ctx, known.account) }
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  const key = `nothing at ${uri}`
  if (ctx.memory.get(key) !== null) return null
  const found = await fetchAt(withRequestBudget(ctx, maxRequestsPerAddress), uri)
  if (found === null) ctx.memory.set(key, 'yes', restSeconds)
  return found
}

async function fetchAt(ctx: Ctx, uri: string): Promise<ResolvedAddress | null> {
  const fetched = await fetchDocument(ctx, uri, { acceptsHtml: true })
  const actor = readFetchedActor(ctx, fetched)
  if (actor.kind === 'found') {
    const stored = await storeActor(ctx, actor.actor)
    if (stored.kind === 'stored') return { kind: 'account', id: stored.id }
    ctx.log.info('An actor was not stored', { address: uri, reason: stored })
    return null
  }
  const post = await readFetchedPost(ctx, fetched)
  if (post.kind !== 'found') {
    logMissingPost(ctx, uri, post)
    return null
  }
  const id = await storePost(ctx, post)
  return id === null ? null : { kind: 'status', id }
}

/** Requests for one address: the page, the status, its author with WebFinger, some with two signature variants. */
const maxRequestsPerAddress = 12

/**
 * Resolves an id or page address to a local or remote status. An unknown remote one is fetched, and stored when it is
 * public or addressed to a local account. Jobs then fetch its ancestors.
 */
export async function statusByUri(
  ctx: Ctx,
  address: string,
  occasion: 'fetched' | 'relayed' = 'fetched',
): Promise<StatusId | null> {
  const uri = parseWebAddress(address)
  if (uri === null) return null
  const known = await execute(ctx.db, statusIdAt(ctx, uri))
  if (known !== null || liesOn(ctx.config.ownDomains, uri)) return known
  // Statuses only: the same address may be an account.
  const key = `no post ${uri}`
  if (ctx.memory.get(key) !== null) return null
  const fetched = await fetchPost(withRequestBudget(ctx, maxRequestsPerAddress), uri, { acceptsHtml: true })
  if (fetched.kind === 'found') return storePost(ctx, fetched, occasion)
  logMissingPost(ctx, uri, fetched)
  // Caches the failure, so that repeated readers do not repeat it.
  ctx.memory.set(key, 'yes', restSeconds)
  return null
}

/** Stores a fetched status; null where it may not be stored. */
async function storePost(
  ctx: Ctx,
  { status, author }: FetchedPost,
  occasion: 'fetched' | 'relayed' = 'fetched',
): Promise<StatusId | null> {
  const levels = { up: maxLevelsUp, down: 0 }
  const imported = await importStatus(ctx, author, { status, occasion, levels })
  if (imported.kind === 'stored' || imported.kind === 'duplicate') return imported.id
  ctx.log.info('A status was not stored', { uri: status.uri, reason: imported.reason })
  return null
}

function logMissingPost(
  ctx: Ctx,
  address: string,
  fetched: Exclude<PostFetchResult, { kind: 'found' }>,
): void {
  const reason = fetched.kind === 'gone' ? 'gone' : fetched.reason
  ctx.log.info('A status was not found', { address, reason })
}

/** Copy of the context with a limit on outgoing requests: beyond it every remote server counts as unreachable. */
export function withRequestBudget(ctx: Ctx, requests: number): Ctx {
  let left = requests
  const limited: Ctx = {
    ...ctx,
    http: {
      ...ctx.http,
      send: async (request) => {
        left -= 1
        if (left < 0) throw new OverBudget('Other servers were asked often enough for one step')
        return ctx.http.send(request)
      },
    },
    resolver: { ...ctx.resolver, accountByUri: (uri, options) => accountByUri(limited, uri, options) },
  }
  return limited
}

/** Collection and owner, each fetched with two signature variants, behind a redirect. */
const requestsForCollection = 8

/**
 * Fetches a featured collection that `owner` is said to have and stores it. Returns whether `owner` is its author.
 * `Unavailable` when its server does not answer.
 */
export async function fetchCollection(ctx: Ctx, owner: AccountId, uri: string): Promise<boolean> {
  const limited = withRequestBudget(ctx, requestsForCollection)
  const fetched = await fetchDocument(limited, uri)
  if (fetched.kind === 'unreachable') throw new Unavailable('another_server_silent', {}, fetched.reason)
  if (fetched.kind !== 'found') return false
  const document = readFeaturedCollection(fetched.document, ctx.clock.now())
  if (document === null || (await limited.resolver.accountByUri(document.author)) !== owner) return false
  return storeCollection(ctx, owner, document)
}
