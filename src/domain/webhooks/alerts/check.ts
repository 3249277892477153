import { sql } from 'drizzle-orm'
import { combineQueries, execute, type Query, rows } from '../../../db/query'
import { alerts } from '../../../db/schema'
import { jsonRows } from '../../../db/sql'
import type { AccountId } from '../../../lib/ids'
import type { Job } from '../../../messages/jobs'
import type { Ctx } from '../../../platform/ports'
import { Changes, commit } from '../../core/changes'
import { pickSettings } from '../../instance/settings'
import { staffWithPermission } from '../../users/find-staff'
import { type Alert, loadCauses, planAlerts } from './causes'

export const alertSettings = ['alertsWebhook', 'alertsEmail'] as const
const mostAlerts = 100

/** Alerts on record, those that last first. */
export function findAlerts(ctx: Ctx): Query<readonly Alert[]> {
  const found = ctx.db
    .select()
    .from(alerts)
    .orderBy(sql`resolved_at is not null, since desc`)
    .limit(mostAlerts)
  return rows(found)
}

/**
 * Cron: finds what fails, records it, and queues alerts to the addresses that the settings name. One round trip where
 * nothing changed.
 */
export async function checkAlerts(ctx: Ctx): Promise<void> {
  const { causes, known, settings, owners } = await execute(
    ctx.db,
    combineQueries({
      causes: loadCauses(ctx),
      known: findAlerts(ctx),
      settings: pickSettings(ctx, alertSettings),
      owners: staffWithPermission(ctx, 'administrator'),
    }),
  )
  const { stored, sent } = planAlerts(causes, known, ctx.clock.now())
  const changed = stored.filter((alert) => !isSame(alert, known))
  if (changed.length === 0) return
  const changes = new Changes().add(storeAlerts(ctx, changed))
  const to = settings.alertsEmail && ctx.mailer !== null ? owners : []
  for (const { cause, resolvedAt } of sent)
    for (const job of jobsFor({ cause, isResolved: resolvedAt !== null }, settings.alertsWebhook, to))
      changes.enqueue(job)
  await commit(ctx, changes)
}

/** Queues a test alert to the addresses that the settings name. Returns their number. */
export async function sendTestAlert(ctx: Ctx): Promise<number> {
  const { settings, owners } = await execute(
    ctx.db,
    combineQueries({
      settings: pickSettings(ctx, alertSettings),
      owners: staffWithPermission(ctx, 'administrator'),
    }),
  )
  const to = settings.alertsEmail && ctx.mailer !== null ? owners : []
  const jobs = jobsFor({ cause: 'test', isResolved: false }, settings.alertsWebhook, to)
  const changes = new Changes()
  for (const job of jobs) changes.enqueue(job)
  if (jobs.length > 0) await commit(ctx, changes)
  return jobs.length
}

function jobsFor(
  about: { readonly cause: string; readonly isResolved: boolean },
  webhook: string | null,
  owners: readonly AccountId[],
): readonly Job[] {
  const recipients = [...(webhook === null ? [] : [null]), ...owners]
  return recipients.map((accountId) => ({ kind: 'send-alert', ...about, accountId }))
}

/** Whether an alert is stored as it is; its figure is renewed with its next change. */
function isSame(alert: Alert, known: readonly Alert[]): boolean {
  const before = known.find(({ cause }) => cause === alert.cause)
  if (before === undefined) return false
  const timesOf = ({ since, notifiedAt, resolvedAt }: Alert) =>
    [since, notifiedAt, resolvedAt].map((at) => at?.getTime()).join()
  return timesOf(before) === timesOf(alert)
}

function storeAlerts(ctx: Ctx, changed: readonly Alert[]) {
  const list = changed.map(({ cause, figure, since, notifiedAt, resolvedAt }) => ({
    cause,
    figure,
    since: since.getTime(),
    notifiedAt: notifiedAt.getTime(),
    resolvedAt: resolvedAt?.getTime() ?? null,
  }))
  return ctx.db.run(sql`insert into ${alerts} (cause, figure, since, notified_at, resolved_at)
    select item.value ->> 'cause', item.value ->> 'figure', item.value ->> 'since', item.value ->> 'notifiedAt',
      item.value ->> 'resolvedAt'
    from ${jsonRows(list)} where 1
    on conflict (cause) do update set figure = excluded.figure, since = excluded.since,
      notified_at = excluded.notified_at, resolved_at = excluded.resolved_at`)
}
