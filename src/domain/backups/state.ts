import { type SQL, sql } from 'drizzle-orm'
import { first, limitTo, map, type Query, rows } from '../../db/query'
import { backups } from '../../db/schema'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import { areBackupsOn, backupInterval, pickSettings } from '../instance/settings'

export type BackupRow = typeof backups.$inferSelect

/** Time after which a failed backup is followed by another. */
const retryMilliseconds = 60 * 60_000

/** Condition: a backup is running, due, or being deleted. A few rows. */
export const isBackupDue = (ctx: Ctx): SQL => sql`exists (select 1 from backups where state = 'running')
  or exists (select 1 from backups where state = 'deleting') or (${isNextDue(ctx)})`

/** Condition: the next backup is to begin. The first comes a day after the first account. */
export function isNextDue({ clock, config }: Ctx): SQL {
  const now = clock.now().getTime()
  const interval = backupInterval(config)
  const latest = sql`(select max(started_at) from (select started_at from backups where state <> 'deleting'
    order by id desc limit 1))`
  const failed = sql`(select max(finished_at) from (select state, finished_at from backups where state <> 'deleting'
    order by id desc limit 1) where state = 'failed')`
  const founded = sql`(select created_at from users order by account_id limit 1)`
  return sql`${areBackupsOn} and case
    when ${failed} is not null then ${failed} <= ${now - retryMilliseconds}
    when ${latest} is not null then ${latest} + ${interval} <= ${now}
    else ${founded} <= ${now - dayMilliseconds} end`
}

/** Latest backup that is not being deleted; null if missing. For alerts: `state`, `error`, `finishedAt`. */
export function latestBackup(ctx: Ctx): Query<BackupRow | null> {
  return first(newest(ctx, sql`${backups.state} <> 'deleting'`, 1))
}

export function runningBackup(ctx: Ctx): Query<BackupRow | null> {
  return first(newest(ctx, sql`${backups.state} = 'running'`, 1))
}

/** The backup to be deleted next. */
export function deletedBackup(ctx: Ctx): Query<BackupRow | null> {
  return first(newest(ctx, sql`${backups.state} = 'deleting'`, 1))
}

/** Backups kept at most; those of commands count. */
const mostListed = 400

/** Backups that are not being deleted, newest first. */
export function findBackups(ctx: Ctx): Query<readonly BackupRow[]> {
  return rows(newest(ctx, sql`${backups.state} <> 'deleting'`, mostListed))
}

export function findBackup(ctx: Ctx, name: string): Query<BackupRow | null> {
  return first(newest(ctx, sql`${backups.name} = ${name} and ${backups.state} <> 'deleting'`, 1))
}

function newest(ctx: Ctx, condition: SQL, most: number) {
  return ctx.db
    .select()
    .from(backups)
    .where(sql`${condition} order by ${backups.id} desc ${limitTo(most)}`)
}

/** Complete backups that are kept. */
export function keptBackups(ctx: Ctx): Query<number> {
  return map(pickSettings(ctx, ['keepBackups']), ({ keepBackups }) => keepBackups)
}

/** Name of the last migration that the database has. */
export function currentSchema(ctx: Ctx): Query<string> {
  const found = ctx.db
    .select({ name: sql<string>`name`.as('name') })
    .from(sql`d1_migrations`)
    .where(sql`true order by name desc limit 1`)
  return map(first(found), (row) => row?.name ?? '')
}
