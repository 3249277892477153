import { eq, type SQL, sql } from 'drizzle-orm'
import { first, limitTo, type Query } from '../../db/query'
import { pushSubscriptions } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, TokenId } from '../../lib/ids'
import { addressProblem } from '../../lib/outgoing'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { readReceiverKeys } from '../../lib/web-push'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'

/** Kinds and senders that are pushed. */
export type PushChoices = Pick<PushSubscriptionRow, 'alerts' | 'policy'>

/** Address and keys that messages are sent to. */
export interface PushReceiver {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Subscription as sent by an application. */
interface PushSubscriptionRequest extends PushChoices, PushReceiver {
  readonly standard: boolean
}

/** Holder of a token, and the token itself, which messages name. */
interface PushHolder {
  readonly tokenId: TokenId
  readonly accountId: AccountId
  readonly accessToken: string
}

/** More than the devices of any user; each costs a request for each notification. */
const mostPerAccount = 40
/** Endpoints of browsers have some 200. */
const mostEndpointCharacters = 2_048

/**
 * Subscribes `request.endpoint` to pushes for the lifetime of the token, replacing its previous subscription.
 *
 * `Invalid` for an address that is not public https and for invalid keys. Beyond 40 subscriptions of an account the
 * oldest are deleted.
 */
export async function subscribeToPush(
  ctx: Ctx,
  holder: PushHolder,
  request: PushSubscriptionRequest,
): Promise<void> {
  const { tokenId: accessTokenId, accountId } = holder
  const { standard, alerts, policy } = request
  const receiver = await checkReceiver(ctx, request)
  const createdAt = ctx.clock.now()
  const sealedToken = await sealPushToken(ctx, accessTokenId, holder.accessToken)
  const isOwn = sql`${pushSubscriptions.accountId} = ${accountId}`
  const oldestKept = sql`(select id from push_subscriptions where account_id = ${accountId}
    order by id desc ${limitTo(1)} offset ${sql.raw(String(mostPerAccount - 1))})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, accessTokenId)),
      ctx.db.insert(pushSubscriptions).values({
        accessTokenId,
        accountId,
        ...receiver,
        sealedToken,
        standard,
        alerts,
        policy,
        createdAt,
      }),
      ctx.db.delete(pushSubscriptions).where(sql`${isOwn} and ${pushSubscriptions.id} < ${oldestKept}`),
    ),
  )
}

/** The receiver with its keys in one form. `Invalid` for an address that is not public https and for invalid keys. */
export async function checkReceiver(ctx: Ctx, receiver: PushReceiver): Promise<PushReceiver> {
  const { endpoint } = receiver
  const rules = { testHosts: ctx.config.federation.testHosts, ownHosts: ctx.config.ownDomains }
  if (endpoint.length > mostEndpointCharacters || addressProblem(endpoint, rules) !== null)
    throw new Invalid('invalid_url', { field: 'endpoint' })
  const keys = await readReceiverKeys(receiver)
  if (keys === null) throw new Invalid('no_push_keys', { field: 'keys' })
  return { endpoint, ...keys }
}

/** Updates kinds and senders that are pushed. `NotFound` where the token has no subscription. */
export async function updatePushSubscription(ctx: Ctx, token: TokenId, choices: PushChoices): Promise<void> {
  const { alerts, policy } = choices
  const [changed] = await commit(
    ctx,
    new Changes().add(
      ctx.db
        .update(pushSubscriptions)
        .set({ alerts, policy })
        .where(eq(pushSubscriptions.accessTokenId, token)),
    ),
  )
  if (changed === 0) throw new NotFound()
}

/** Deletes the subscription of the token. */
export async function unsubscribeFromPush(ctx: Ctx, token: TokenId): Promise<void> {
  const removal = ctx.db.delete(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, token))
  await commit(ctx, new Changes().add(removal))
}

// Messages name the access token of their subscription, by which apps find the account they are for. Of tokens themselves
// only hashes are stored, so a subscription keeps its own, encrypted.

function sealPushToken({ config }: Ctx, id: TokenId, accessToken: string): Promise<string> {
  return seal(config.secrets, bindingOf(id), new TextEncoder().encode(accessToken))
}

export async function openPushToken({ config }: Ctx, id: TokenId, sealedToken: string): Promise<string> {
  return new TextDecoder().decode(await unseal(config.secrets, bindingOf(id), sealedToken))
}

function bindingOf(id: TokenId): SealBinding {
  return { kind: 'access token', owner: id }
}

type PushSubscriptionRow = typeof pushSubscriptions.$inferSelect

/** Subscription of the token with this hash. */
export function subscriptionByTokenHash(ctx: Ctx, tokenHash: string): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`(select id from access_tokens where token_hash = ${tokenHash})`)
}

export function subscriptionByToken(ctx: Ctx, id: TokenId): Query<PushSubscriptionRow | null> {
  return subscriptionOf(ctx, sql`${id}`)
}

function subscriptionOf(ctx: Ctx, token: SQL): Query<PushSubscriptionRow | null> {
  return first(ctx.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.accessTokenId, token)))
}
