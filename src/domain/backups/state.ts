import { type SQL, sql } from 'drizzle-orm'
import { both, execute, first, limitTo, map, type Query, rows } from '../../db/query'
import { backups } from '../../db/schema'
import { Conflict } from '../../errors'
import { dayMilliseconds } from '../../lib/days'
import type { Ctx } from '../../ports/ctx'
import type { StoredFile } from '../../ports/files'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { areBackupsOn, backupInterval, pickSettings } from '../instance/settings'
import { requirePermission } from '../policy/permissions'
import {
  backupFileShape,
  backupKey,
  backupNameShape,
  backupStart,
  backupsFolder,
  isBackupKey,
  manifestFile,
} from './names'

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
function findBackups(ctx: Ctx): Query<readonly BackupRow[]> {
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

/** Backups taken over by one run. */
const adoptedAtOnce = 5

/** Takes over some of the backups of the bucket that the database does not know, as after a restore. */
export async function adoptBackups(ctx: Ctx): Promise<void> {
  await adopt(ctx, (await unknownNames(ctx)).slice(0, adoptedAtOnce))
}

/**
 * Takes over backups of the bucket: they are kept and deleted like others. One without a manifest was never complete,
 * and is deleted.
 */
export async function adopt(ctx: Ctx, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const found = await Promise.all(
    names.map(async (name) => ({ name, manifest: await ctx.files.head(backupKey(name, manifestFile)) })),
  )
  const values = found.map(({ name, manifest }) => {
    const startedAt = backupStart(name)
    return {
      id: ctx.ids.next(startedAt),
      name,
      state: manifest === null ? ('deleting' as const) : ('complete' as const),
      schema: '',
      position: { phase: 'manifest' as const },
      startedAt,
      finishedAt: manifest?.uploadedAt ?? startedAt,
    }
  })
  await commit(ctx, new Changes().add(ctx.db.insert(backups).values(values).onConflictDoNothing()))
}

/** Backups that the database knows, and those that only the bucket does, as after a restore. */
export interface StoredBackups {
  readonly known: readonly BackupRow[]
  /** Newest first. Without its manifest a backup was never complete, or is so no more. */
  readonly unknown: readonly { readonly name: string; readonly hasManifest: boolean }[]
}

/** Backups of the bucket whose manifests are looked for: a request each. */
const mostLookedFor = 40

export async function listBackups(ctx: Ctx): Promise<StoredBackups> {
  const [[known, names], stored] = await Promise.all([
    execute(ctx.db, both(findBackups(ctx), knownNames(ctx))),
    storedNames(ctx),
  ])
  const unknown = stored.filter((name) => !names.has(name)).toReversed()
  return {
    known,
    unknown: await Promise.all(
      unknown.map(async (name, index) => ({
        name,
        hasManifest: index >= mostLookedFor || (await ctx.files.head(backupKey(name, manifestFile))) !== null,
      })),
    ),
  }
}

/** Names of the backups that only the bucket knows, oldest first. */
export async function unknownNames(ctx: Ctx): Promise<readonly string[]> {
  const [names, stored] = await Promise.all([execute(ctx.db, knownNames(ctx)), storedNames(ctx)])
  return stored.filter((name) => !names.has(name))
}

/** Names of the backups that the database knows, also of those that are being deleted. */
function knownNames(ctx: Ctx): Query<ReadonlySet<string>> {
  const found = rows(ctx.db.select({ name: backups.name }).from(backups))
  return map(found, (all) => new Set(all.map(({ name }) => name)))
}

/** Names of the backups in the bucket, oldest first. */
async function storedNames(ctx: Ctx): Promise<readonly string[]> {
  return (await ctx.files.folders(backupsFolder)).filter((name) => backupNameShape.test(name))
}

/**
 * Opens a file of a backup; null if missing. `Conflict` for the manifest of a backup that has other files only.
 * Reading the manifest, without which no name is known, is audited.
 */
export async function openBackupFile(
  ctx: Ctx,
  moderator: Moderator,
  { name, file }: { readonly name: string; readonly file: string },
): Promise<StoredFile | null> {
  requirePermission(moderator, 'administrator')
  if (!backupNameShape.test(name) || !backupFileShape.test(file)) return null
  const stored = await ctx.files.get(backupKey(name, file))
  if (file !== manifestFile) return stored
  if (stored !== null) await recordDownload(ctx, moderator, name)
  else if ((await storedNames(ctx)).includes(name)) throw new Conflict('no_manifest')
  return stored
}

/** Opens an object that a backup lists; null if it was deleted. */
export async function openListedObject(
  ctx: Ctx,
  moderator: Moderator,
  key: string,
): Promise<StoredFile | null> {
  requirePermission(moderator, 'administrator')
  return isBackupKey(key) ? null : ctx.files.get(key)
}

async function recordDownload(ctx: Ctx, moderator: Moderator, name: string): Promise<void> {
  // The rest of the name is secret.
  const target = { type: 'backup' as const, id: null, label: name.slice(0, name.indexOf('-')) }
  await commit(ctx, recordAudit(ctx, new Changes(), moderator, { action: 'download', target }))
}
