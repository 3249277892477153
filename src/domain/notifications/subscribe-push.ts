import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { first, inList, jsonRows, limitTo, map, type Query, rows } from '../../db/query'
import { accessTokens, applications, pushSubscriptions } from '../../db/schema'
import { Invalid, NotFound } from '../../errors'
import type { AccountId, NotificationId, PushSubscriptionId, TokenId } from '../../lib/ids'
import { addressProblem } from '../../lib/outgoing'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import { readReceiverKeys } from '../../lib/web-push'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { ViewerRef } from '../core/viewer'
import { isActiveAccount } from '../policy/account-visibility'
import { visibleTo } from '../policy/visibility'
import { isVisibleTo } from './find'

/** Kinds and senders that are pushed. */
export type PushChoices = Pick<PushSubscriptionRow, 'alerts' | 'policy'>

/** Subscription as sent by an application. */
interface PushSubscriptionRequest extends PushChoices {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
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

/** Device that notifications are pushed to, as shown to its owner: without the address, which is a secret. */
export interface PushDevice {
  readonly id: PushSubscriptionId
  readonly applicationName: string
  /** Host of the push service. */
  readonly service: string
  readonly createdAt: Date
}

/** Push devices of an account, newest first: 40 at most. One statement. */
export function pushDevicesOf(ctx: Ctx, accountId: AccountId): Query<readonly PushDevice[]> {
  const { id, endpoint, createdAt } = pushSubscriptions
  const found = ctx.db
    .select({ id, endpoint, createdAt, applicationName: applications.name })
    .from(pushSubscriptions)
    .innerJoin(accessTokens, eq(accessTokens.id, pushSubscriptions.accessTokenId))
    .innerJoin(applications, eq(applications.id, accessTokens.applicationId))
    .where(eq(pushSubscriptions.accountId, accountId))
    .orderBy(desc(id))
  return map(rows(found), (list) =>
    list.map(({ endpoint: address, ...device }) => ({ ...device, service: URL.parse(address)?.host ?? '' })),
  )
}

/** Ends the pushes to a device of this account; another account's stays. */
export async function removePushDevice(
  ctx: Ctx,
  accountId: AccountId,
  id: PushSubscriptionId,
): Promise<void> {
  const isOwn = and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.accountId, accountId))
  await commit(ctx, new Changes().add(ctx.db.delete(pushSubscriptions).where(isOwn)))
}

/** A subscription is deleted after this many consecutive failures. */
const mostFailures = 10

/** Outcomes of pushes by subscription. */
interface PushResults {
  /** Successful after failures. */
  readonly recovered: readonly PushSubscriptionId[]
  readonly refused: readonly PushSubscriptionId[]
  /** No longer known to the push service. */
  readonly gone: readonly PushSubscriptionId[]
}

/** Deletes subscriptions that are gone or failed too often and counts other failures. Writes nothing without a change. */
export async function recordPushResults(ctx: Ctx, { recovered, refused, gone }: PushResults): Promise<void> {
  const { id, failures } = pushSubscriptions
  const changes = new Changes()
  const gaveUp = sql`(${inList(id, refused)} and ${failures} >= ${mostFailures - 1})`
  if (gone.length + refused.length > 0)
    changes.add(ctx.db.delete(pushSubscriptions).where(sql`${inList(id, gone)} or ${gaveUp}`))
  if (refused.length > 0)
    changes.add(
      ctx.db
        .update(pushSubscriptions)
        .set({ failures: sql`${failures} + 1` })
        .where(inList(id, refused)),
    )
  if (recovered.length > 0)
    changes.add(ctx.db.update(pushSubscriptions).set({ failures: 0 }).where(inList(id, recovered)))
  await commit(ctx, changes)
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

/** Whether a recipient has push enabled for one of these notifications. For the end of the batch that makes them. */
export function isPushWanted(ids: readonly NotificationId[]): SQL {
  return sql`exists (select 1 from ${jsonRows(ids)} cross join notifications n on n.id = item.value
    cross join push_subscriptions p on p.account_id = n.account_id where ${sql.raw(isAlertEnabled)})`
}

/** The alert for its kind is on. Filtered notifications are not pushed. */
const isAlertEnabled = `n.filtered = 0 and p.policy <> 'none' and p.alerts ->> n.type = 1`

/** A notification for the subscription of one application. */
export interface PushPair {
  readonly subscriptionId: PushSubscriptionId
  readonly notificationId: NotificationId
}

export interface PushSelection {
  readonly notificationIds: readonly NotificationId[]
  /** Restricts the selection to this subscription. */
  readonly subscriptionId?: PushSubscriptionId
  /** Last pair already handled. */
  readonly after?: PushPair | undefined
  readonly limit: number
}

/**
 * Selects the pushes due for some notifications as rows (subscription_id, notification_id), in the order of both.
 *
 * Checked at the time of sending: alerts and policy of the subscription, scope of its token, status of the account, and
 * visibility of the notification and its subject, by the same rules as reads.
 */
export function duePushes({ notificationIds, subscriptionId, after, limit }: PushSelection, now: Date): SQL {
  const recipient: ViewerRef = { id: sql`n.account_id`, signedIn: true }
  const only = subscriptionId === undefined ? sql`1` : sql`p.id = ${subscriptionId}`
  const place = after ?? { subscriptionId: 0, notificationId: 0 }
  return sql`select p.id as subscription_id, n.id as notification_id
    from ${jsonRows(notificationIds)} cross join notifications n on n.id = item.value
      cross join push_subscriptions p on p.account_id = n.account_id
    where ${sql.raw(isAlertEnabled)} and ${only}
      and (p.id, n.id) > (${place.subscriptionId}, ${place.notificationId})
      and ${sql.raw(`${matchesPolicy} and ${mayPush}`)} and ${isActiveAccount('n.account_id')}
      and ${isVisibleTo(recipient, now)}
      and (n.status_id is null
        or exists (select 1 from statuses s where s.id = n.status_id and ${visibleTo(recipient)}))
    order by p.id, n.id ${limitTo(limit)}`
}

const follows = (follower: string, followed: string) =>
  `exists (select 1 from follows where account_id = n.${follower} and target_account_id = n.${followed})`

const matchesPolicy = `case p.policy when 'followed' then ${follows('account_id', 'from_account_id')}
  when 'follower' then ${follows('from_account_id', 'account_id')} else 1 end`

const mayPush = `exists (select 1 from access_tokens t
  where t.id = p.access_token_id and ' ' || t.scopes || ' ' like '% push %')`
