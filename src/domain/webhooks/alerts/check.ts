import { eq, sql } from 'drizzle-orm'
import { combineQueries, constant, execute, first, jsonRows, type Query, rows } from '../../../db/query'
import { alerts } from '../../../db/schema'
import { dayMilliseconds } from '../../../lib/days'
import type { AccountId } from '../../../lib/ids'
import { plainText } from '../../../lib/mail'
import type { TranslateText } from '../../../lib/translate'
import type { Job } from '../../../messages/jobs'
import type { Ctx } from '../../../ports/ctx'
import { Changes, commit, done, ignored, type Outcome, retry } from '../../core/changes'
import { translateFor } from '../../core/translate'
import { findProblems, type HealthProblem, wasWriteRefused } from '../../health/health'
import { derivedWebhookSecret } from '../../instance/keys'
import { pickSettings } from '../../instance/settings'
import { findMemberById, staffWithPermission } from '../../users/find'
import { postToWebhook } from '../post'
import { type Alert, loadCauses, planAlerts, sentenceOf } from './causes'

const alertSettings = ['alertsWebhook', 'alertsEmail'] as const
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
interface TestAlert {
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

/** The queue tries nine times: two hours. */
const retrySeconds = 900

/** Webhook of alerts, for the secret that is derived for it: ids of others are above 0. */
const ownWebhook = { id: 0, secretVersion: 0, sealedSecret: null, template: '' }

/** An alert to send: to the webhook of alerts, or by mail to an owner. */
interface AlertOrder {
  readonly cause: string
  readonly isResolved: boolean
  readonly accountId: AccountId | null
}

/** Secret that requests to the webhook of alerts are signed with. It changes with the secret of the server. */
export function alertsSecret({ config }: Pick<Ctx, 'config'>): Promise<string> {
  return derivedWebhookSecret(config.secrets, ownWebhook)
}

/** Causes whose alerts are sent without a row on record: tests, and a database that takes none. */
const unstoredCauses: readonly string[] = ['test', 'database']

/** Sends an alert, if it still holds as ordered: handles `send-alert`. */
export async function sendAlert(ctx: Ctx, { cause, isResolved, accountId }: AlertOrder): Promise<Outcome> {
  const { stored, settings, member } = await execute(
    ctx.db,
    combineQueries({
      stored: first(ctx.db.select().from(alerts).where(eq(alerts.cause, cause))),
      settings: pickSettings(ctx, ['alertsWebhook', 'alertsEmail']),
      member: accountId === null ? constant(null) : findMemberById(ctx, accountId),
    }),
  )
  const isAsOrdered = stored !== null && (stored.resolvedAt !== null) === isResolved
  const isUnstored = unstoredCauses.includes(cause) && !isResolved
  const alert = isAsOrdered ? stored : isUnstored ? unstoredAlert(ctx, cause) : null
  if (alert === null) return ignored('the alert changed meanwhile')
  if (ctx.clock.now().getTime() - alert.notifiedAt.getTime() > 2 * dayMilliseconds && !isResolved)
    return ignored('the alert is old')
  if (accountId !== null) {
    if (ctx.mailer === null || member === null || !settings.alertsEmail) return ignored('no mail is wanted')
    const t = await translateFor(ctx, member.locale)
    await ctx.mailer.send({ to: member.email, ...mailOf(ctx, t, alert) })
    return done
  }
  if (settings.alertsWebhook === null) return ignored('no webhook is set')
  const webhook = { ...ownWebhook, url: settings.alertsWebhook }
  const { error } = await postToWebhook(
    ctx,
    webhook,
    payloadOf(ctx, await translateFor(ctx, 'en'), alert),
    null,
  )
  return error === null ? done : retry(retrySeconds)
}

function unstoredAlert({ clock }: Ctx, cause: string): Alert {
  const now = clock.now()
  return { cause, figure: 0, since: now, notifiedAt: now, resolvedAt: null }
}

function payloadOf({ config, clock }: Ctx, t: TranslateText, alert: Alert) {
  const { cause, figure, since, resolvedAt } = alert
  return {
    event: 'alert',
    created_at: clock.now().toISOString(),
    server: config.domain,
    object: {
      cause,
      state: resolvedAt === null ? 'firing' : 'resolved',
      since: since.toISOString(),
      resolved_at: resolvedAt?.toISOString() ?? null,
      figure,
      text: resolvedAt === null ? sentenceOf(t, alert) : `Over: ${cause}`,
    },
  }
}

function mailOf({ config: { domain } }: Ctx, t: TranslateText, alert: Alert) {
  const { cause, since, resolvedAt } = alert
  const moment = since.toISOString()
  if (resolvedAt !== null)
    return {
      subject: t('mail.alert.domainOverCause', { domain, cause }),
      text: plainText(t('mail.alert.whatReportedAboutDomain', { domain, cause, moment })),
    }
  return {
    subject: t('mail.alert.domainNeedsCause', { domain, cause }),
    text: plainText(
      sentenceOf(t, alert),
      `${t('mail.alert.serverDomain', { domain })}\n${t('mail.alert.sinceMoment', { moment })}`,
      t('mail.alert.whileLastsMailedOnce'),
      'npx fieldfare settings set alertsEmail=false',
    ),
  }
}
