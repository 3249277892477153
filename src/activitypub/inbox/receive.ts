import { constant, type Query } from '../../db/query'
import { isKnownAccount } from '../../domain/accounts/find'
import { ignored, type Outcome, rejected, retry } from '../../domain/core/changes'
import { touchInstance } from '../../domain/servers/reachability'
import { Conflict } from '../../errors'
import { hostOf, sameOrigin } from '../../lib/web-address'
import type { Ctx } from '../../ports/ctx'
import { budgetDomain, secondsToWait, spend } from '../budgets'
import { checkFollowersSync } from '../followers-sync'
import { type Signer, verifyRequest } from '../verify-request'
import { type Activity, readActivity } from '../vocab/activity'
import { isObject } from '../vocab/json'
import { normalise } from '../vocab/normalise'
import { add, block, deleteActor, flag, follow, move, remove, updateActor } from './accounts'
import { accept, reject, undo } from './answers'
import { refetchForwarded, rememberProof, verifyForwarded } from './forwarded'
import type { InboxHandler } from './handler'
import {
  announceRequest,
  emojiReact,
  featureRequest,
  like,
  likeRequest,
  quoteRequest,
  replyRequest,
} from './interactions'
import { announce, create, deletePost, receiveRelayed, updatePost } from './posts'

/** Result of a delivery: an outcome, or why the sender was refused. */
export type InboxResult =
  | Outcome
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'unverified'; readonly reason: string }
  | { readonly kind: 'barred'; readonly reason: string }
  /** Budget of its server or actor spent. */
  | { readonly kind: 'over-budget'; readonly reason: string; readonly afterSeconds: number }
  /** Signer cannot be determined now. */
  | { readonly kind: 'unproven'; readonly reason: string }

const retryAfterSeconds = 60

/** Deletes and profile updates are short; longer bodies are read only after their signature is verified. */
const mostPeekedBytes = 65_536

/** Activities still allowed to suspended accounts: undoing earlier ones. */
const allowedWhenSuspended: ReadonlySet<string> = new Set(['Delete', 'Reject', 'Undo', 'Update'])

/**
 * Receives one delivery: checks relevance, signature, limits and that the signer is the actor, then handles it.
 *
 * `body` is the whole body, within the cap; `inbox` is the username of a local account's own inbox.
 */
export async function receive(
  ctx: Ctx,
  request: Request,
  body: Uint8Array,
  inbox: string | null = null,
): Promise<InboxResult> {
  const verdict = await verifyRequest(ctx, request, body, isRelevant(ctx, body))
  switch (verdict.kind) {
    case 'signed':
      return processSigned(ctx, request, { signer: verdict.signer, body, inbox })
    case 'idle':
      return ignored('about an unknown actor')
    case 'gone':
      return receiveFromGoneActor(ctx, body)
    case 'unsigned':
      return { kind: 'unverified', reason: 'not signed' }
    case 'refused':
      return { kind: 'unverified', reason: verdict.reason }
    case 'retry':
      return { kind: 'unproven', reason: verdict.reason }
  }
}

/**
 * Whether an activity is relevant: a `Delete` or `Update` only where its actor is known. An account deletion is sent
 * to every known server, a thousand times a minute, and its key is gone: it must cost one look-up and no fetch.
 */
function isRelevant(ctx: Ctx, body: Uint8Array): Query<boolean> {
  if (body.byteLength > mostPeekedBytes) return constant(true)
  if (!/["#:](Delete|Update)"/.test(new TextDecoder().decode(body))) return constant(true)
  const activity = activityIn(body)
  const concernsKnownActor = activity?.type === 'Delete' || activity?.type === 'Update'
  return concernsKnownActor ? isKnownAccount(ctx, activity.actor) : constant(true)
}

interface Signed {
  readonly signer: Signer
  readonly body: Uint8Array
  readonly inbox: string | null
}

async function processSigned(
  ctx: Ctx,
  request: Request,
  { signer, body, inbox }: Signed,
): Promise<InboxResult> {
  if (signer.limit?.severity === 'suspend') return { kind: 'barred', reason: 'its server is suspended' }
  const activity = activityIn(body)
  if (activity === null) return { kind: 'malformed', reason: 'no activity' }
  if (isBarred(signer, activity)) return ignored('its actor is suspended')
  const refusal = overBudget(ctx, signer)
  if (refusal !== null) return refusal
  const outcome = await processVerified(ctx, request, { signer, activity, inbox })
  if (outcome.kind === 'done') spendBudgets(ctx, signer)
  return outcome
}

function isBarred({ suspended }: Signer, { type }: Activity): boolean {
  return suspended && !allowedWhenSuspended.has(type)
}

function spendBudgets(ctx: Ctx, signer: Signer): void {
  spend(ctx, 'server', budgetDomain(signer.uri))
  spend(ctx, budgetOf(signer), String(signer.id))
}

/** An accepted relay passes on statuses of many servers: more than one actor may cause. */
function budgetOf({ relay }: Signer): 'relay' | 'actor' {
  return relay?.state === 'accepted' ? 'relay' : 'actor'
}

function overBudget(ctx: Ctx, signer: Signer): InboxResult | null {
  const server = secondsToWait(ctx, 'server', budgetDomain(signer.uri))
  const actor = secondsToWait(ctx, budgetOf(signer), String(signer.id))
  if (server === null && actor === null) return null
  const reason = `the budget of its ${server === null ? 'actor' : 'server'} is spent`
  return { kind: 'over-budget', reason, afterSeconds: Math.max(server ?? 0, actor ?? 0) }
}

interface Verified {
  readonly signer: Signer
  readonly activity: Activity
  readonly inbox: string | null
}

async function processVerified(
  ctx: Ctx,
  request: Request,
  { signer, activity, inbox }: Verified,
): Promise<Outcome> {
  noteContact(ctx, signer)
  checkFollowersSync(ctx, signer, request.headers.get('collection-synchronization'))
  const { relay } = signer
  // Relays pass a Create on as it is to servers that read embedded signatures.
  if (relay?.state === 'accepted' && activity.type === 'Create' && activity.actor !== signer.uri)
    return receiveRelayed(ctx, relay, activity)
  if (activity.actor !== signer.uri) return receiveForwarded(ctx, activity, signer)
  if (activity.id !== null && !sameOrigin(activity.id, activity.actor))
    return rejected('its id is on another host than its actor')
  return handleOrRetry(ctx, signer, activity, inbox)
}

/**
 * Handles an activity forwarded by another server as that of its actor if an integrity proof shows it to be; any other
 * only triggers a refetch. It counts for the budgets of forwarder and actor.
 */
async function receiveForwarded(ctx: Ctx, activity: Activity, forwarder: Signer): Promise<Outcome> {
  const proven = await verifyForwarded(ctx, activity)
  if (proven.kind === 'repeated') return ignored('forwarded a moment ago')
  if (proven.kind === 'unproven' || overBudget(ctx, proven.signer) !== null)
    return refetchForwarded(ctx, activity, forwarder)
  const { signer, proof } = proven
  if (signer.limit?.severity === 'suspend') return ignored('forwarded from a suspended server')
  if (isBarred(signer, activity)) return ignored('its actor is suspended')
  const outcome = await handleOrRetry(ctx, signer, activity)
  if (outcome.kind !== 'retry') rememberProof(ctx, proof)
  if (outcome.kind === 'done') spendBudgets(ctx, signer)
  return outcome
}

/** The key of a deleted actor cannot be fetched; its deletion may be the content of the activity. */
async function receiveFromGoneActor(ctx: Ctx, body: Uint8Array): Promise<InboxResult> {
  const activity = activityIn(body)
  if (activity === null) return { kind: 'malformed', reason: 'no activity' }
  return activity.type === 'Delete' ? refetchForwarded(ctx, activity, null) : ignored('its signer is gone')
}

/** Handles a verified activity; after a local failure its sender retries. */
export async function handleOrRetry(
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null = null,
): Promise<Outcome> {
  try {
    return await handleActivity(ctx, signer, activity, inbox)
  } catch (cause) {
    // A concurrent duplicate came first.
    if (cause instanceof Conflict) return ignored(cause.message)
    // The sender retries until it succeeds: no activity is lost.
    ctx.log.error('An activity failed', { type: activity.type, actor: activity.actor, cause })
    return retry(retryAfterSeconds)
  }
}

function activityIn(body: Uint8Array): Activity | null {
  try {
    const received: unknown = JSON.parse(
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(body),
    )
    return readActivity(normalise(received), isObject(received) ? received : undefined)
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof TypeError) return null
    throw failure
  }
}

/** Handler of each activity type. */
const handlers: Readonly<Record<string, InboxHandler>> = {
  Accept: accept,
  Add: add,
  Announce: announce,
  AnnounceRequest: announceRequest,
  Block: block,
  Create: create,
  Delete: actorOrObject(deleteActor, deletePost),
  EmojiReact: emojiReact,
  FeatureRequest: featureRequest,
  Flag: flag,
  Follow: follow,
  Like: like,
  LikeRequest: likeRequest,
  Move: move,
  QuoteRequest: quoteRequest,
  Reject: reject,
  Remove: remove,
  ReplyRequest: replyRequest,
  Undo: undo,
  Update: actorOrObject(updateActor, updatePost),
}

/** Dispatches an activity to the handler of its type; unknown types are ignored. */
export async function handleActivity(
  ctx: Ctx,
  signer: Signer,
  activity: Activity,
  inbox: string | null = null,
): Promise<Outcome> {
  const handle = Object.hasOwn(handlers, activity.type) ? handlers[activity.type] : undefined
  return (handle ?? pass)(ctx, signer, activity, inbox)
}

/** Chooses between the handler for the actor itself and the one for its objects. */
function actorOrObject(self: InboxHandler, other: InboxHandler): InboxHandler {
  return (ctx, signer, activity, inbox) =>
    (activity.object?.id === signer.uri ? self : other)(ctx, signer, activity, inbox)
}

async function pass(_ctx: Ctx, _signer: Signer, { type }: Activity): Promise<Outcome> {
  return ignored(`unsupported type ${type}`)
}

/** Minimum gap between two records of contact: a server may deliver every second. */
const gapSeconds = 600

/** Records contact with the signer's server after the response, and wakes its pending deliveries. */
export function noteContact(ctx: Ctx, { uri, domain }: Signer): void {
  const host = hostOf(uri)
  if (host === null || ctx.memory.get(`seen ${host}`) !== null) return
  ctx.memory.set(`seen ${host}`, '', gapSeconds)
  ctx.afterResponse(() => Promise.all([touchInstance(ctx, { domain, host }), ctx.couriers.wake(host)]))
}
