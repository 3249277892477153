import { eq, type SQL, sql } from 'drizzle-orm'
import type { WebhookEvent } from '../../contract/entities/admin/webhook'
import { execute, first, map, type Query, rows } from '../../db/query'
import { webhookDeliveries, webhooks } from '../../db/schema'
import type { WebhookId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { idPage, newestFirst, type Page } from '../core/page'
import { anonymousViewer } from '../core/viewer'
import { visibleTo } from '../policy/visibility'

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

/** Whether an event may be delivered: statuses only where everybody may see them. */
export function isDeliverableObject(fact: { readonly event: WebhookEvent; readonly objectId: number }): SQL {
  if (!fact.event.startsWith('status.')) return sql`true`
  return sql`exists (select 1 from statuses s where s.id = ${fact.objectId} and ${visibleTo(anonymousViewer)})`
}
