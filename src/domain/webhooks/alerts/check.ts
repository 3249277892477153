import { sql } from 'drizzle-orm'
import { combineQueries, execute, jsonRows, type Query, rows } from '../../../db/query'
import { alerts } from '../../../db/schema'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import type { Job } from '../../../messages/jobs'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit } from '../../core/changes'
import { findProblems, type HealthProblem, wasWriteRefused } from '../../health/health'
import { pickSettings } from '../../instance/settings'
import { staffWithPermission } from '../../users/find-staff'
import { type Alert, loadCauses, planAlerts } from './causes'

export const alertSettings = ['alertsWebhook', 'alertsEmail'] as const
const mostAlerts = 100

/** Time of an alert that the database did not record, kept by this isolate for as long as it is not sent again. */
const unrecordedKey = 'unrecorded alert'

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
 * Cron: finds what fails, records it, and queues alerts to the addresses that the settings name. Two round trips where
 * nothing changed.
 */
export async function checkAlerts(ctx: Ctx): Promise<void> {
  const problems = alertable(await findProblems(ctx))
  const { causes, known, settings, owners } = await execute(
    ctx.db,
    combineQueries({
      causes: loadCauses(ctx),
      known: findAlerts(ctx),
      settings: pickSettings(ctx, alertSettings),
      owners: staffWithPermission(ctx, 'administrator'),
    }),
  )
  const recorded = [...known, ...unrecordedAlert(ctx)]
  const all = new Map([...problems.map((problem) => [problem, 1] as const), ...causes])
  const { stored, sent } = planAlerts(all, recorded, ctx.clock.now())
  const changed = stored.filter((alert) => !isSame(alert, known))
  if (changed.length === 0) return
  const changes = new Changes().add(storeAlerts(ctx, changed))
  const to = settings.alertsEmail && ctx.mailer !== null ? owners : []
  for (const { cause, resolvedAt } of sent)
    for (const job of jobsFor({ cause, isResolved: resolvedAt !== null }, settings.alertsWebhook, to))
      changes.enqueue(job)
  try {
    await commit(ctx, changes)
    ctx.memory.delete(unrecordedKey)
  } catch (cause) {
    if (!wasWriteRefused(ctx)) throw cause
    ctx.log.error('Alerts were not recorded', { cause })
    const isKnown = recorded.some((alert) => alert.cause === 'database' && alert.resolvedAt === null)
    if (!isKnown) await alertUnrecorded(ctx, settings.alertsWebhook, to)
  }
}

/** Sends the alert about a database that cannot record it. */
async function alertUnrecorded(ctx: Ctx, webhook: string | null, owners: readonly AccountId[]) {
  ctx.memory.set(unrecordedKey, String(ctx.clock.now().getTime()), dayMilliseconds / 1_000)
  for (const job of jobsFor({ cause: 'database', isResolved: false }, webhook, owners))
    await ctx.jobs.send(job)
}

/** The alert that was sent and not recorded, if this isolate sent one. */
function unrecordedAlert({ memory }: Ctx): readonly Alert[] {
  const sentAt = memory.get(unrecordedKey)
  if (sentAt === null) return []
  const at = new Date(Number(sentAt))
  return [{ cause: 'database', figure: 1, since: at, notifiedAt: at, resolvedAt: null }]
}

/** Problems worth an alert. Cron runs while this is checked, so work delayed by a stop is being done. */
function alertable(problems: readonly HealthProblem[]): readonly HealthProblem[] {
  return problems.filter((problem) => problem === 'database' || !problems.includes('cron'))
}

/** A test alert that was queued. */
export interface TestAlert {
  /** Number of its recipients. */
  readonly count: number
  /** Whether the settings want mail, and the server sends none. */
  readonly lacksMail: boolean
}

/** Queues a test alert to the addresses that the settings name. */
export async function sendTestAlert(ctx: Ctx): Promise<TestAlert> {
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
  return { count: jobs.length, lacksMail: settings.alertsEmail && ctx.mailer === null }
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
