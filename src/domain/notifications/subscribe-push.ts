import { eq, sql } from 'drizzle-orm'
import { pushSubscriptions } from '../../db/schema'
import { limitTo } from '../../db/sql'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, TokenId } from '../../lib/ids'
import { addressProblem } from '../../lib/outgoing'
import { readReceiverKeys } from '../../lib/web-push'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { PushSubscriptionRow } from './find-push-subscriptions'
import { sealPushToken } from './push-token'

/** Kinds and senders that are pushed. */
export type PushChoices = Pick<PushSubscriptionRow, 'alerts' | 'policy'>

/** Subscription as sent by an application. */
export interface PushSubscriptionRequest extends PushChoices {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly standard: boolean
}

/** Holder of a token, and the token itself, which messages name. */
export interface PushHolder {
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
  const { endpoint, standard, alerts, policy } = request
  const rules = { testHosts: ctx.config.federation.testHosts, ownHosts: ctx.config.ownDomains }
  if (endpoint.length > mostEndpointCharacters || addressProblem(endpoint, rules) !== null)
    throw new Invalid('invalid_url', { field: 'endpoint' })
  const keys = await readReceiverKeys(request)
  if (keys === null) throw new Invalid('no_push_keys', { field: 'keys' })
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
        endpoint,
        ...keys,
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
