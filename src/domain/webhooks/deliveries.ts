import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { WebhookEvent } from '../../contract/entities/admin/webhook'
import { jsonRow } from '../../db/json-row'
import { execute, first, inList, jsonRows, limitTo, type Query, rows } from '../../db/query'
import { webhookDeliveries, webhooks } from '../../db/schema'
import { Conflict } from '../../errors'
import type { WebhookDeliveryId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import { operator } from '../policy/permissions'
import { staffWithPermission } from '../users/find'
import {
  clearSubscriptions,
  findSubscribedWebhooks,
  isDeliverableObject,
  type Webhook,
  type WebhookDelivery,
} from './find'
import type { AttemptResult } from './post'

/** Delays in seconds before each further attempt: about two days in all. The queue delays twelve hours at most. */
const gapsSeconds = [60, 300, 1_800, 7_200, 21_600, 43_200, 43_200, 43_200]

/** After so much time of failures alone a webhook is disabled. */
const failingMilliseconds = 3 * 86_400_000

/** Time after which a due attempt counts as lost, because its queue message should have come by then. */
const lostMilliseconds = 15 * 60_000

const loggedDeliveries = 200

/** A fact that webhooks may subscribe to. */
export interface WebhookFact {
  readonly event: WebhookEvent
  readonly objectId: number
  /** Row of the outbox: makes repetition harmless. */
  readonly sourceId: number
}

/**
 * Queues the deliveries of a fact to every webhook that subscribes to it: the effect of facts. Idempotent. Statuses are
 * delivered only if they are visible to everyone.
 */
export async function queueWebhookDeliveries(ctx: Ctx, fact: WebhookFact): Promise<void> {
  const subscribed = await findSubscribedWebhooks(ctx, fact.event)
  if (subscribed.length === 0) return
  const now = ctx.clock.now().getTime()
  const wanted = subscribed.map((webhookId) => ({ id: ctx.ids.next(), webhookId }))
  const [storedCount] = await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`insert into webhook_deliveries
          (id, webhook_id, event, source_id, object_id, occurred_at, next_attempt_at)
        select item.value ->> 'id', item.value ->> 'webhookId', ${fact.event}, ${fact.sourceId}, ${fact.objectId},
          ${now}, ${now + lostMilliseconds}
        from ${jsonRows(wanted)}
        where ${isDeliverableObject(fact)} and exists (select 1 from webhooks w where w.id = item.value ->> 'webhookId')
        on conflict (webhook_id, source_id) do nothing`),
    ),
  )
  if (storedCount === 0) return
  // A webhook deleted within the minute of the cache has no row: its job finds nothing and ends.
  for (const { id } of wanted) await ctx.jobs.send({ kind: 'deliver-webhook', deliveryId: id })
}

/** A delivery with its webhook. */
export interface DueDelivery {
  readonly delivery: WebhookDelivery
  readonly webhook: Webhook
}

/** A pending delivery with its webhook; null where there is nothing to do any more. */
export async function findDueDelivery(ctx: Ctx, id: WebhookDeliveryId): Promise<DueDelivery | null> {
  const found = ctx.db
    .select({
      delivery: jsonRow(getTableColumns(webhookDeliveries)).as('delivery'),
      webhook: jsonRow(getTableColumns(webhooks)).as('webhook'),
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(sql`${webhookDeliveries.id} = ${id} and ${webhookDeliveries.state} = 'pending'`)
  return execute(ctx.db, first(found))
}

/** Records a success, which ends the delivery and forgets earlier failures of the webhook. */
export async function recordDelivered(ctx: Ctx, due: DueDelivery, result: AttemptResult): Promise<void> {
  const changes = new Changes().add(updated(ctx, due, result, { state: 'delivered', nextAttemptAt: null }))
  if (due.webhook.failingSince !== null)
    changes.add(ctx.db.update(webhooks).set({ failingSince: null }).where(eq(webhooks.id, due.webhook.id)))
  await commit(ctx, changes)
}

/**
 * Records a failure. Returns the seconds until the next attempt; null if none is left. A webhook that has failed
 * for three days is disabled, with notice to webhook administrators: once, however many attempts fail together,
 * and not where another delivery succeeded meanwhile.
 */
export async function recordFailed(
  ctx: Ctx,
  due: DueDelivery,
  result: AttemptResult,
): Promise<number | null> {
  const since = due.webhook.failingSince
  const isLasting = since !== null && ctx.clock.now().getTime() - since.getTime() >= failingMilliseconds
  if (isLasting && (await disable(ctx, due, result, since))) return null
  const { delivery, webhook } = due
  const now = ctx.clock.now()
  const gap = gapsSeconds[delivery.attempts]
  const changes = new Changes().add(
    failed(ctx, due, result, gap),
    ctx.db
      .update(webhooks)
      .set({ failingSince: sql`coalesce(failing_since, ${now.getTime()})` })
      .where(eq(webhooks.id, webhook.id)),
  )
  await commit(ctx, changes)
  return gap ?? null
}

/** Records the last failure of a webhook and disables it; false where that is done, or failures ended, meanwhile. */
async function disable(
  ctx: Ctx,
  due: DueDelivery,
  result: AttemptResult,
  failingSince: Date,
): Promise<boolean> {
  const { id } = due.webhook
  const changed = new Conflict('webhook_changed_meanwhile')
  const changes = new Changes()
    .require(
      sql`exists (select 1 from webhooks
        where id = ${id} and enabled = 1 and failing_since = ${failingSince.getTime()})`,
      changed,
    )
    .add(
      failed(ctx, due, result),
      ctx.db.update(webhooks).set({ enabled: false, updatedAt: ctx.clock.now() }).where(eq(webhooks.id, id)),
    )
  await announceDisabled(ctx, changes, due.webhook, failingSince)
  try {
    await commit(ctx, changes)
  } catch (failure) {
    if (failure !== changed) throw failure
    return false
  }
  clearSubscriptions(ctx)
  return true
}

/** Statement that ends an attempt: pending for `gapSeconds` more, failed without. */
function failed(ctx: Ctx, due: DueDelivery, result: AttemptResult, gapSeconds?: number) {
  if (gapSeconds === undefined) return updated(ctx, due, result, { state: 'failed', nextAttemptAt: null })
  const nextAttemptAt = new Date(ctx.clock.now().getTime() + gapSeconds * 1000 + lostMilliseconds)
  return updated(ctx, due, result, { state: 'pending', nextAttemptAt })
}

/** Records that a webhook was disabled, and queues a mail to each webhook administrator. */
async function announceDisabled(
  ctx: Ctx,
  changes: Changes,
  { id, url }: Webhook,
  failingSince: Date,
): Promise<void> {
  recordAudit(ctx, changes, operator, {
    action: 'disable',
    target: { type: 'webhook', id, label: new URL(url).host },
    before: { enabled: true },
    after: { enabled: false, failing_since: failingSince.toISOString() },
  })
  if (ctx.mailer === null) return
  for (const accountId of await execute(ctx.db, staffWithPermission(ctx, 'manageWebhooks')))
    changes.enqueue({ kind: 'send-webhook-email', accountId, webhookId: id })
}

/** Ends a delivery whose object was deleted or hidden meanwhile, or whose webhook was disabled. */
export async function dropDelivery(ctx: Ctx, { delivery }: DueDelivery): Promise<void> {
  await commit(
    ctx,
    new Changes().add(ctx.db.delete(webhookDeliveries).where(eq(webhookDeliveries.id, delivery.id))),
  )
}

function updated(
  ctx: Ctx,
  { delivery }: DueDelivery,
  { httpStatus, error, durationMs }: AttemptResult,
  outcome: Pick<WebhookDelivery, 'state' | 'nextAttemptAt'>,
) {
  return ctx.db
    .update(webhookDeliveries)
    .set({
      ...outcome,
      attempts: delivery.attempts + 1,
      httpStatus,
      error,
      durationMs,
      attemptedAt: ctx.clock.now(),
    })
    .where(eq(webhookDeliveries.id, delivery.id))
}

const resumedPerRun = 50

/** Condition: the message of an attempt was lost. */
export const hasLostDeliveries = ({ clock }: Ctx) =>
  sql`exists (select 1 from webhook_deliveries where next_attempt_at <= ${clock.now().getTime()})`

/**
 * Queues attempts again whose message was lost, as by a crash or a restart: a periodic task. A lost attempt counts, so
 * that a delivery whose attempts never come to an end fails at last.
 */
export async function resumeWebhookDeliveries(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const found = await execute(ctx.db, lostDeliveries(ctx, now))
  if (found.length === 0) return
  const idsOf = (isLast: boolean) =>
    found.filter(({ attempts }) => attempts >= gapsSeconds.length === isLast).map(({ id }) => id)
  const [again, failed] = [idsOf(false), idsOf(true)]
  const attempts = sql`attempts + 1`
  const nextAttemptAt = new Date(now.getTime() + lostMilliseconds)
  const error = 'The last attempt did not come to an end'
  const update = (ids: readonly WebhookDeliveryId[], values: Partial<WebhookDelivery>) =>
    ctx.db
      .update(webhookDeliveries)
      .set({ ...values, attempts })
      .where(inList(webhookDeliveries.id, ids))
  await commit(
    ctx,
    new Changes().add(
      update(again, { nextAttemptAt }),
      update(failed, { state: 'failed', error, nextAttemptAt: null }),
    ),
  )
  for (const deliveryId of again) await ctx.jobs.send({ kind: 'deliver-webhook', deliveryId })
  for (const deliveryId of failed) await ctx.deadLetters.send({ kind: 'deliver-webhook', deliveryId })
}

function lostDeliveries(ctx: Ctx, now: Date): Query<Pick<WebhookDelivery, 'id' | 'attempts'>[]> {
  const { id, attempts, nextAttemptAt } = webhookDeliveries
  return rows(
    ctx.db
      .select({ id, attempts })
      .from(webhookDeliveries)
      .where(sql`${nextAttemptAt} <= ${now.getTime()}`)
      .orderBy(sql`${nextAttemptAt} ${limitTo(resumedPerRun)}`),
  )
}

/** Deletes the log of each webhook beyond its newest entries: a periodic task. Pending deliveries stay. */
export async function pruneWebhookDeliveries(ctx: Ctx): Promise<void> {
  const oldestLogged = sql`(select kept.id from webhook_deliveries kept where kept.webhook_id = w.id
    order by kept.id desc limit 1 offset ${sql.raw(String(loggedDeliveries - 1))})`
  const beyond = sql`(select d.id from webhooks w cross join webhook_deliveries d
    where d.webhook_id = w.id and d.id < ${oldestLogged} and d.next_attempt_at is null)`
  const deletion = ctx.db.delete(webhookDeliveries).where(sql`${webhookDeliveries.id} in ${beyond}`)
  await commit(ctx, new Changes().add(deletion))
}
