import { sql } from 'drizzle-orm'
import { combineQueries, first, limitTo, map, oneRow, type Query } from '../../../db/query'
import type { alerts } from '../../../db/schema'
import { dayMilliseconds } from '../../../lib/days'
import { firstIdAt } from '../../../lib/ids'
import type { TranslateText } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { parseFailures, taskFailures } from '../../health/task-runs'
import { isBackupOverdue } from '../../instance/settings'
import { loadUsage } from '../../usage/read'

export type Alert = typeof alerts.$inferSelect

/** Causes of alerts that hold now, each with the number of what failed, or the percent of a quota. */
export type Causes = ReadonlyMap<string, number>

/** Share of a quota from which on there is an alert. */
const quotaShare = 0.8
/** Time and number of failures after which a periodic task is a cause: a single failure recovers by itself. */
const taskMilliseconds = 3_600_000
const taskFailureCount = 3
const mostLetters = 100
const mostHosts = 300

/** Alerts that cannot be sent are dead letters too, and no cause of another. */
const ownKind = 'send-alert'

/** Loads the causes that hold now. One round trip, some 500 rows where everything is wrong. */
export function loadCauses(ctx: Ctx): Query<Causes> {
  const now = ctx.clock.now().getTime()
  const yesterday = now - dayMilliseconds
  const letters = sql<number>`(select count(*) from (select 1 from dead_letters
    where id >= ${firstIdAt(new Date(yesterday))} and kind <> ${ownKind} ${limitTo(mostLetters)}))`
  const hosts = sql<number>`(select count(*) from (select failing_since, unreachable from failing_hosts
    ${limitTo(mostHosts)}) where failing_since <= ${yesterday} and unreachable = 0)`
  const backup = sql<string | null>`(select state from backups where state in ('complete', 'failed')
    order by id desc limit 1)`
  const found = ctx.db
    .select({
      letters: letters.as('letters'),
      hosts: hosts.as('hosts'),
      backup: backup.as('backup'),
      isBackupOverdue: sql<number>`(${isBackupOverdue(ctx)})`.as('is_backup_overdue'),
      failures: taskFailures.as('failures'),
    })
    .from(oneRow)
  return map(combineQueries({ row: first(found), usage: loadUsage(ctx) }), ({ row, usage }) => {
    const causes: (readonly [string, number])[] = [
      ['dead-letters', row?.letters ?? 0],
      ['hosts-failing', row?.hosts ?? 0],
      ['backup', row?.backup === 'failed' ? 1 : 0],
      ['backup-overdue', row?.isBackupOverdue === 1 ? 1 : 0],
      ...parseFailures(row?.failures ?? null).map(({ task, since, failures }) => {
        const isLasting = now - since.getTime() >= taskMilliseconds && failures >= taskFailureCount
        return [`task ${task}`, isLasting ? failures : 0] as const
      }),
      ...usage.quotas.map(({ name, isHard, share }) => {
        return [`quota ${name}`, isHard && share >= quotaShare ? Math.round(share * 100) : 0] as const
      }),
    ]
    return new Map(causes.filter(([, figure]) => figure > 0))
  })
}

/** Changes of alerts: rows to store, and those of them to send. */
export interface AlertPlan {
  readonly stored: readonly Alert[]
  readonly sent: readonly Alert[]
}

/**
 * Compares the causes that hold with the alerts on record. A cause is sent when it appears, again each day while it
 * lasts, and when it is over; one that comes back within a day of its last alert waits for that day to end. Pure.
 */
export function planAlerts(causes: Causes, known: readonly Alert[], now: Date): AlertPlan {
  const before = new Map(known.map((alert) => [alert.cause, alert]))
  const isDue = ({ notifiedAt }: Alert) => now.getTime() - notifiedAt.getTime() >= dayMilliseconds
  const holding = [...causes].map(([cause, figure]) => {
    const alert = before.get(cause)
    if (alert === undefined)
      return { isSent: true, alert: { cause, figure, since: now, notifiedAt: now, resolvedAt: null } }
    const since = alert.resolvedAt === null ? alert.since : now
    const isSent = isDue(alert)
    const notifiedAt = isSent ? now : alert.notifiedAt
    return { isSent, alert: { cause, figure, since, notifiedAt, resolvedAt: null } }
  })
  const over = known.flatMap((alert) => {
    if (alert.resolvedAt !== null || causes.has(alert.cause)) return []
    // A cause that came back quietly was not reported.
    return [{ isSent: alert.notifiedAt >= alert.since, alert: { ...alert, resolvedAt: now } }]
  })
  const changed = [...holding, ...over]
  return {
    stored: changed.map(({ alert }) => alert),
    sent: changed.filter(({ isSent }) => isSent).map(({ alert }) => alert),
  }
}

/** Sentence for operators: what is wrong, and where to look. Names no member, server or address. */
export function sentenceOf(t: TranslateText, { cause, figure }: Pick<Alert, 'cause' | 'figure'>): string {
  const [kind, subject = ''] = cause.split(' ')
  switch (kind) {
    case 'dead-letters':
      return t('alert.figureMessagesCouldNot', {
        figure,
      })
    case 'hosts-failing':
      return t('alert.figureServersHaveTaken', {
        figure,
      })
    case 'quota':
      return t('alert.figureQuotaSubjectUsed', { figure, subject })
    case 'task':
      return t('alert.periodicTaskSubjectHas', { subject, figure })
    case 'backup':
      return t('alert.lastBackupFailedNpx')
    case 'backup-overdue':
      return t('alert.thereNoBackupYounger')
    case 'database':
      return t('alert.databaseRefusesWritesDoes')
    case 'outbox':
      return t('alert.workDueQuarterHour')
    default:
      return t('alert.thisIsATest')
  }
}
