import { execute } from '../db/query'
import { isKnownAccount } from '../domain/accounts/find'
import { importAccount } from '../domain/accounts/import'
import { claimRefresh, isProfileStale, type RemoteActor } from '../domain/accounts/remote-rows'
import { mayContact } from '../domain/servers/limits'
import type { AccountId } from '../lib/ids'
import { hostOf } from '../lib/web-address'
import type { Ctx } from '../ports/ctx'
import { type FetchOptions, type FetchResult, fetchDocument } from './fetch'
import { readActor } from './vocab/actor'
import { isUnreadable } from './vocab/json'
import {
  formatHandle,
  isSameHandle,
  lookUpWebFinger,
  type RemoteHandle,
  type WebFingerResult,
} from './webfinger'

/** Reasons why an actor cannot be fetched or stored. */
export type ActorFailure =
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Temporary: a later retry may succeed. */
  | { readonly kind: 'unreachable'; readonly reason: string }

export type ActorFetchResult = { readonly kind: 'found'; readonly actor: RemoteActor } | ActorFailure
export type ActorImportResult =
  | { readonly kind: 'stored'; readonly id: AccountId; readonly isNew: boolean }
  | ActorFailure

/** Fetches the actor document at `address`, which must be the document's own id. Stores nothing. */
export async function fetchActor(
  ctx: Ctx,
  address: string,
  options: FetchOptions = {},
): Promise<ActorFetchResult> {
  return readFetchedActor(ctx, await fetchDocument(ctx, address, options))
}

/** Parses an actor from a fetched document. */
export function readFetchedActor(ctx: Ctx, fetched: FetchResult): ActorFetchResult {
  switch (fetched.kind) {
    case 'found': {
      const actor = readActor(fetched.document, ctx.clock.now())
      return isUnreadable(actor) ? { kind: 'refused', reason: actor.unreadable } : { kind: 'found', actor }
    }
    case 'missing':
      return { kind: 'refused', reason: 'there is nothing at its address' }
    default:
      return fetched
  }
}

interface ImportOptions extends FetchOptions {
  /** Result of an earlier WebFinger lookup. */
  readonly lookup?: WebFingerResult
}

/** Fetches and stores the actor with this address; null (and a log entry) where that is not possible. */
export async function importActor(
  ctx: Ctx,
  address: string,
  { lookup, ...options }: ImportOptions = {},
): Promise<AccountId | null> {
  const fetched = await fetchActor(ctx, address, options)
  const stored = fetched.kind === 'found' ? await storeActor(ctx, fetched.actor, lookup) : fetched
  if (stored.kind === 'stored') return stored.id
  const reason = stored.kind === 'gone' ? 'gone' : stored.reason
  ctx.log.info('An actor was not stored', { address, reason })
  return null
}

/**
 * Stores an actor from its own document. A new actor's handle is verified first, by `lookup` where WebFinger was
 * already looked up; a known account keeps its handle.
 */
export async function storeActor(
  ctx: Ctx,
  actor: RemoteActor,
  lookup?: WebFingerResult,
): Promise<ActorImportResult> {
  const known = await execute(ctx.db, isKnownAccount(ctx, actor.uri))
  const handle = known ? unproven(actor) : await verifyHandle(ctx, actor, lookup)
  if (handle.kind !== 'handle') return handle
  const { username, domain } = handle.handle
  const stored = await importAccount(ctx, { ...actor, username, domain }, { handleProven: handle.proven })
  if (stored.kind === 'taken')
    return { kind: 'refused', reason: `${formatHandle(handle.handle)} is the handle of another address` }
  return stored
}

type Proof =
  | { readonly kind: 'handle'; readonly handle: RemoteHandle; readonly proven: boolean }
  | ActorFailure

function unproven({ username, uri, domain }: RemoteActor): Proof {
  return { kind: 'handle', handle: { username, domain: hostOf(uri) ?? domain }, proven: false }
}

/**
 * Verifies the handle of an actor: that in its `webfinger` property if WebFinger of its domain leads back to the actor,
 * one lookup; otherwise its name at its own host, or at another domain when WebFinger of both leads to it.
 *
 * A server without WebFinger (relays, gateways) may still name its actors, but only under its own host and as long as
 * no other actor has the name.
 */
async function verifyHandle(ctx: Ctx, actor: RemoteActor, lookup?: WebFingerResult): Promise<Proof> {
  const own = unproven(actor)
  if (own.kind !== 'handle') return own
  const claimed = await verifyClaimedHandle(ctx, actor, lookup)
  if (claimed !== null) return claimed
  const result = await lookUpOnce(ctx, own.handle, lookup)
  if (result.kind === 'missing') return own
  if (result.kind === 'unreachable') return { kind: 'unreachable', reason: result.reason }
  if (result.kind === 'contradictory') return { kind: 'refused', reason: result.reason }
  if (result.uri !== actor.uri || result.handle.username.toLowerCase() !== actor.username.toLowerCase())
    return { kind: 'refused', reason: `${formatHandle(own.handle)} leads to ${result.uri}` }
  return { kind: 'handle', handle: { username: actor.username, domain: result.handle.domain }, proven: true }
}

/** Null where the actor claims no handle beside that of its own host, or WebFinger does not confirm it. */
async function verifyClaimedHandle(
  ctx: Ctx,
  { uri, claimedHandle, ...actor }: RemoteActor,
  lookup?: WebFingerResult,
): Promise<Proof | null> {
  if (claimedHandle === null || ctx.config.ownDomains.includes(claimedHandle.domain)) return null
  if (isSameHandle(claimedHandle, { username: actor.username, domain: hostOf(uri) ?? '' })) return null
  if (!(await execute(ctx.db, mayContact(ctx, claimedHandle.domain))))
    return { kind: 'refused', reason: `${claimedHandle.domain} is not spoken with` }
  const result = await lookUpOnce(ctx, claimedHandle, lookup)
  if (result.kind === 'unreachable') return { kind: 'unreachable', reason: result.reason }
  const leadsBack =
    result.kind === 'found' && result.uri === uri && isSameHandle(result.handle, claimedHandle)
  return leadsBack ? { kind: 'handle', handle: claimedHandle, proven: true } : null
}

async function lookUpOnce(
  ctx: Ctx,
  handle: RemoteHandle,
  earlier?: WebFingerResult,
): Promise<WebFingerResult> {
  const isKnown = earlier?.kind === 'found' && isSameHandle(earlier.handle, handle)
  return isKnown ? earlier : lookUpWebFinger(ctx, handle)
}

/** Refreshes an account's profile after the response if it was last fetched a day ago or longer. */
export function refreshStale(
  ctx: Ctx,
  account: { readonly id: AccountId; readonly uri: string; readonly readAt: Date },
): void {
  if (isProfileStale(ctx, account.readAt)) ctx.waitUntil(refresh(ctx, account))
}

async function refresh(
  ctx: Ctx,
  { id, uri }: { readonly id: AccountId; readonly uri: string },
): Promise<void> {
  if (await claimRefresh(ctx, id)) await importActor(ctx, uri)
}
