import { execute } from '../db/query'
import {
  type ResolvableAccount,
  resolvableByHandle,
  resolvableByUrl,
} from '../domain/accounts/find-resolvable'
import { mayContact } from '../domain/instance/limits'
import type { AccountId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { importActor, refreshStale } from './actors'
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
export function refreshInBackground(ctx: Ctx, { id, uri, readAt }: ResolvableAccount): AccountId {
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
