import { sql } from 'drizzle-orm'
import type { AdminReport } from '../contract/entities/admin/report'
import type { WebhookEvent } from '../contract/entities/admin/webhook'
import { both, execute } from '../db/query'
import { done, ignored, type Outcome, rejected, retry } from '../domain/core/changes'
import { anonymousViewer } from '../domain/core/viewer'
import { reportById } from '../domain/reports/find'
import {
  type DueDelivery,
  dropDelivery,
  findDueDelivery,
  recordDelivered,
  recordFailed,
} from '../domain/webhooks/deliveries'
import { type AttemptResult, postToWebhook } from '../domain/webhooks/post'
import type { WebhookDeliveryId } from '../lib/ids'
import type { Ctx } from '../ports/ctx'
import { loadAdminAccounts } from '../view/load/admin-accounts'
import { loadAdminReports } from '../view/load/admin-reports'
import { loadStatuses, statusesById } from '../view/load/statuses'
import { presentAdminAccounts } from '../view/present/admin-account'
import { presentOnlyAdminReport } from '../view/present/admin-report'
import { presentStatuses } from '../view/present/status'
import { timestamp } from '../view/present/time'

/**
 * Makes one attempt to deliver an event to a webhook. Failures are retried with growing delays; the last one moves the
 * job to the dead-letter queue.
 */
export async function deliverWebhook(ctx: Ctx, deliveryId: WebhookDeliveryId): Promise<Outcome> {
  const due = await findDueDelivery(ctx, deliveryId)
  if (due === null) return ignored('the delivery is done')
  if (!due.webhook.enabled) {
    await dropDelivery(ctx, due)
    return ignored('the webhook is disabled')
  }
  const object = await loadObject(ctx, due.delivery.event, due.delivery.objectId)
  if (object === undefined) {
    await dropDelivery(ctx, due)
    return ignored('the object was deleted or is hidden')
  }
  const payload = { event: due.delivery.event, created_at: timestamp(due.delivery.occurredAt), object }
  const result = await postToWebhook(ctx, due.webhook, payload, due.delivery.id)
  return result.error === null ? succeed(ctx, due, result) : fail(ctx, due, result)
}

async function succeed(ctx: Ctx, due: DueDelivery, result: AttemptResult): Promise<Outcome> {
  await recordDelivered(ctx, due, result)
  return done
}

async function fail(ctx: Ctx, due: DueDelivery, result: AttemptResult): Promise<Outcome> {
  const afterSeconds = await recordFailed(ctx, due, result)
  if (afterSeconds !== null) return retry(afterSeconds)
  await ctx.deadLetters.send({ kind: 'deliver-webhook', deliveryId: due.delivery.id })
  return rejected('the webhook did not accept it in any attempt')
}

/** The object of an event as moderators see it, statuses as visitors do; undefined once it is deleted or hidden. */
async function loadObject(ctx: Ctx, event: WebhookEvent, id: number): Promise<unknown> {
  switch (event) {
    case 'account.approved':
    case 'account.created':
    case 'account.updated': {
      const found = await execute(ctx.db, loadAdminAccounts(ctx, sql`select ${id} as id, 0 as cursor`))
      return presentAdminAccounts(ctx.config, found)[0]
    }
    case 'status.created':
    case 'status.updated': {
      const found = await execute(ctx.db, loadStatuses(ctx, anonymousViewer, statusesById([id])))
      return presentStatuses({ config: ctx.config, now: ctx.clock.now() }, found)[0]
    }
    case 'report.created':
    case 'report.updated':
      return loadReport(ctx, id)
  }
}

/** A report with those of its statuses that are visible to everyone, presented as for visitors: others do not leave this server. */
async function loadReport(ctx: Ctx, id: number): Promise<AdminReport | undefined> {
  const report = await execute(ctx.db, reportById(ctx, id))
  if (report === null) return undefined
  const [bundle, statuses] = await execute(
    ctx.db,
    both(
      loadAdminReports(ctx, anonymousViewer, [{ ...report, statusIds: [] }]),
      loadStatuses(ctx, anonymousViewer, statusesById(report.statusIds)),
    ),
  )
  const showing = { config: ctx.config, now: ctx.clock.now() }
  return { ...presentOnlyAdminReport(showing, bundle), statuses: presentStatuses(showing, statuses) }
}
