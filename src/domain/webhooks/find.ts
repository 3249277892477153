import { eq, type SQL, sql } from 'drizzle-orm'
import type { WebhookEvent } from '../../contract/entities/admin/webhook'
import { combineQueries, execute, first, map, type Query, rows } from '../../db/query'
import { webhookDeliveries, webhooks } from '../../db/schema'
import type { AccountId, WebhookId } from '../../lib/ids'
import { plainText } from '../../lib/mail'
import { type SealBinding, seal, unseal } from '../../lib/sealing'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import { translateFor } from '../core/translate'
import { anonymousViewer } from '../core/viewer'
import { derivedWebhookSecret } from '../instance/keys'
import { visibleTo } from '../policy/visibility'
import { findMemberById } from '../users/find'

export type Webhook = typeof webhooks.$inferSelect
export type WebhookDelivery = typeof webhookDeliveries.$inferSelect

/** Webhooks that one server may have, so that one event costs a bounded number of deliveries. */
export const mostWebhooks = 40

/** Every webhook, newest first. */
export function findWebhooks(ctx: Ctx): Query<readonly Webhook[]> {
  return map(rows(ctx.db.select().from(webhooks).limit(mostWebhooks)), newestFirst)
}

export function findWebhook(ctx: Ctx, id: WebhookId): Query<Webhook | null> {
  return first(ctx.db.select().from(webhooks).where(eq(webhooks.id, id)))
}

/** A page of the log of one webhook, newest first. */
export function findDeliveries(ctx: Ctx, id: WebhookId, page: Page): Query<readonly WebhookDelivery[]> {
  const { bounds, order } = idPage(page, sql`${webhookDeliveries.id}`)
  const found = ctx.db
    .select()
    .from(webhookDeliveries)
    .where(sql`${webhookDeliveries.webhookId} = ${id} and ${bounds}`)
    .orderBy(order)
  return map(rows(found), newestFirst)
}

const cacheKey = 'subscribed webhook events'
/** Seconds for which an isolate caches who subscribes to what: members' requests read no webhooks. */
const cacheSeconds = 60

/** Forgets the cached subscriptions, after a change. */
export function clearSubscriptions({ memory }: Pick<Ctx, 'memory'>): void {
  memory.delete(cacheKey)
}

/** Ids of the enabled webhooks that subscribe to an event. One row for each webhook, once a minute and isolate. */
export async function findSubscribedWebhooks(ctx: Ctx, event: WebhookEvent): Promise<readonly WebhookId[]> {
  const cached = ctx.memory.get(cacheKey)
  if (cached !== null) return subscribersIn(JSON.parse(cached), event)
  const enabled = ctx.db
    .select({ id: webhooks.id, events: webhooks.events })
    .from(webhooks)
    .where(sql`${webhooks.enabled} = 1`)
    .limit(mostWebhooks)
  const found = await execute(ctx.db, rows(enabled))
  ctx.memory.set(cacheKey, JSON.stringify(found), cacheSeconds)
  return subscribersIn(found, event)
}

type Subscription = Pick<Webhook, 'id' | 'events'>

function subscribersIn(all: readonly Subscription[], event: WebhookEvent): readonly WebhookId[] {
  return all.filter(({ events }) => events.includes(event)).map(({ id }) => id)
}

/** Whether an event may be delivered: statuses only if they are visible to everyone. */
export function isDeliverableObject(fact: { readonly event: WebhookEvent; readonly objectId: number }): SQL {
  if (!fact.event.startsWith('status.')) return sql`true`
  return sql`exists (select 1 from statuses s where s.id = ${fact.objectId} and ${visibleTo(anonymousViewer)})`
}

/** A new secret of a webhook, shown this once, and the text that is stored. */
export interface NewWebhookSecret {
  readonly secret: string
  readonly sealedSecret: string
}

export async function newWebhookSecret(
  { config, random }: Pick<Ctx, 'config' | 'random'>,
  id: WebhookId,
): Promise<NewWebhookSecret> {
  const secret = random.token()
  const bytes = new TextEncoder().encode(secret)
  return { secret, sealedSecret: await seal(config.secrets, bindingOf(id), bytes) }
}

/** The secret that requests to a webhook are signed with. */
export async function webhookSecret(
  { config }: Pick<Ctx, 'config'>,
  webhook: Pick<Webhook, 'id' | 'secretVersion' | 'sealedSecret'>,
): Promise<string> {
  const { id, sealedSecret } = webhook
  if (sealedSecret === null) return derivedWebhookSecret(config.secrets, webhook)
  return new TextDecoder().decode(await unseal(config.secrets, bindingOf(id), sealedSecret))
}

function bindingOf(id: WebhookId): SealBinding {
  return { kind: 'webhook secret', owner: id }
}

/** Mails a member of the staff that a webhook was disabled after three days of failures: handles `send-webhook-email`. */
export async function mailDisabledWebhook(
  ctx: Ctx,
  { accountId, webhookId }: { readonly accountId: AccountId; readonly webhookId: WebhookId },
): Promise<string | null> {
  const { mailer, config } = ctx
  if (mailer === null) return 'no mailer'
  const { member, webhook } = await execute(
    ctx.db,
    combineQueries({ member: findMemberById(ctx, accountId), webhook: findWebhook(ctx, webhookId) }),
  )
  if (member === null) return 'no such person'
  if (webhook === null || webhook.enabled) return 'no longer disabled'
  const { host } = new URL(webhook.url)
  const { domain } = config
  const t = await translateFor(ctx, member.locale)
  await mailer.send({
    to: member.email,
    subject: t('mail.webhook.webhookDomainDisabled', { domain }),
    text: plainText(
      t('mail.webhook.webhookHostHasFailed', { host, domain }),
      t('mail.webhook.logDeliveriesSaysWhy'),
      'npx fieldfare webhooks enable',
    ),
  })
  return null
}
