import { type SQL, sql } from 'drizzle-orm'
import type { Config, Plan } from '../../config'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { settingKey } from './settings'

/** Days between two backups: a backup of a full database of the free plan takes a third of the queue operations of a day. */
const daysBetween: Readonly<Record<Plan, number>> = { free: 7, paid: 1 }

const settingOf = (name: 'backups' | 'backupDays') =>
  sql`(select nullif(value, 'null') from settings where key = ${settingKey(name)})`

/** Condition: the operator wants backups. */
export const areBackupsOn = sql`coalesce(${settingOf('backups')}, 'true') <> 'false'`

/** Milliseconds between two backups. */
export function backupInterval({ plan }: Pick<Config, 'plan'>): SQL {
  return sql`coalesce(cast(${settingOf('backupDays')} as integer), ${daysBetween[plan]}) * ${dayMilliseconds}`
}

/**
 * Condition: backups are wanted, and the latest complete one, or the first account, is older than two intervals. Failed
 * backups do not count. A few rows.
 */
export function isBackupOverdue({ clock, config }: Ctx): SQL {
  const latest = sql`(select finished_at from backups where state = 'complete' order by id desc limit 1)`
  const founded = sql`(select created_at from users order by account_id limit 1)`
  return sql`${areBackupsOn}
    and coalesce(${latest}, ${founded}) + 2 * ${backupInterval(config)} <= ${clock.now().getTime()}`
}
