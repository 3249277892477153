import { execute } from '../db/query'
import {
  type ResolvableAccount,
  resolvableByHandle,
  resolvableByUrl,
} from '../domain/accounts/find-resolvable'
import { mayContact } from '../domain/instance/limits'
import type { AccountId } from '../lib/ids'
import { liesOn, parseWebAddress } from '../lib/web-address'
import type { Ctx } from '../platform/ports'
import { importActor, refreshStale } from './actors'
import { formatHandle, lookUpWebFinger, type RemoteHandle } from './webfinger'

/** How long a handle or an address that led nowhere is not tried again by this isolate. */
const restSeconds = 60

/** The account with this handle: a stale one is read again in the background, one that is unknown is looked for. */
export async function accountByHandle(ctx: Ctx, handle: RemoteHandle): Promise<AccountId | null> {
  const known = await execute(ctx.db, resolvableByHandle(ctx, handle))
  return known === null ? discover(ctx, handle) : refreshInBackground(ctx, known)
}

/**
 * Asks the server of a handle who has it, first by WebFinger, then at the actor's address, and stores the actor.
 *
 * Null also where the actor goes by another handle than the one WebFinger gives it: else anybody could name anybody;
 * and where its server is not spoken with.
 */
async function discover(ctx: Ctx, handle: RemoteHandle): Promise<AccountId | null> {
  if (
    ctx.config.ownDomains.includes(handle.domain) ||
    !(await execute(ctx.db, mayContact(ctx, handle.domain)))
  )
    return null
  return withNotFoundCache(ctx, formatHandle(handle).toLowerCase(), async () => {
    const told = await lookUpWebFinger(ctx, handle)
    if (told.kind !== 'found') {
      ctx.log.info('A handle was not found', { handle: formatHandle(handle), reason: told.reason })
      return null
    }
    const id = await importActor(ctx, told.uri, { hint: told })
    const named = await execute(ctx.db, resolvableByHandle(ctx, told.handle))
    return named !== null && named.id === id ? id : null
  })
}

/**
 * Makes known as many of these handles, which nobody here has, as can be within the time, all at once; what takes longer goes on after the
 * answer, for the next time. True when any became known.
 */
export async function resolveHandles(
  ctx: Ctx,
  handles: readonly RemoteHandle[],
  patienceMilliseconds: number,
): Promise<boolean> {
  let found = false
  const attempts = handles.map(async (handle) => {
    if ((await discover(ctx, handle)) !== null) found = true
  })
  const all = Promise.all(attempts).then(() => undefined)
  ctx.waitUntil(all)
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMilliseconds)
  })
  await Promise.race([all, late]).finally(() => clearTimeout(timer))
  return found
}

/**
 * The account with this actor id or page address, ours or of another server.
 *
 * With `fresh` the document of a known one is read now, and null means that this was not possible.
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

/** Reads the document of a stale account again in the background; answers its id. */
export function refreshInBackground(ctx: Ctx, { id, uri, readAt }: ResolvableAccount): AccountId {
  if (uri !== null && readAt !== null) refreshStale(ctx, { id, uri, readAt })
  return id
}

/** What leads nowhere is not tried again by everybody who reads it. */
async function withNotFoundCache(
  ctx: Ctx,
  name: string,
  attempt: () => Promise<AccountId | null>,
): Promise<AccountId | null> {
  // Of accounts only: at the same address there may be a post.
  const key = `no account ${name}`
  if (ctx.memory.get(key) !== null) return null
  const found = await attempt()
  if (found === null) ctx.memory.set(key, 'yes', restSeconds)
  return found
}
