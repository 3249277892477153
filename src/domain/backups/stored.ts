import { both, execute, map, type Query, rows } from '../../db/query'
import { backups } from '../../db/schema'
import { Conflict } from '../../errors'
import {
  backupFileShape,
  backupKey,
  backupNameShape,
  backupsFolder,
  isBackupKey,
  manifestFile,
} from '../../lib/backups'
import type { StoredFile } from '../../lib/stored-file'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'
import { type BackupRow, findBackups } from './state'

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
