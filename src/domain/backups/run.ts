import { type SQL, sql } from 'drizzle-orm'
import { combineQueries, execute, limitTo, rows } from '../../db/query'
import { backupParts, backups } from '../../db/schema'
import { Conflict } from '../../errors'
import { backupKey, manifestFile } from '../../lib/backups'
import { softwareVersion } from '../../lib/version'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { adoptBackups } from './adopt'
import { beginBackup } from './start'
import { type BackupRow, currentSchema, deletedBackup, keptBackups, runningBackup } from './state'
import { leftOut } from './tables'
import { type TakenPart, takeDatabasePart, takeMediaPart } from './take-part'

/** Attempts at one part, a minute apart, after which a backup has failed. */
const mostFailures = 10

/** Another run took the part meanwhile. */
export class PartTaken extends Conflict {
  override readonly name = 'PartTaken'
}

/**
 * Cron: takes the next part of the backup that runs, begins one that is due, or deletes files of one that is not kept.
 * May run twice: position and part are committed together, and the name of a file states its contents.
 */
export async function backUp(ctx: Ctx): Promise<void> {
  const { running, deleted, schema } = await execute(
    ctx.db,
    combineQueries({ running: runningBackup(ctx), deleted: deletedBackup(ctx), schema: currentSchema(ctx) }),
  )
  if (running !== null) await attemptPart(ctx, running, schema)
  else if (deleted !== null) await deleteFilesOf(ctx, deleted)
  else await beginBackup(ctx, schema)
}

async function attemptPart(ctx: Ctx, row: BackupRow, schema: string): Promise<void> {
  try {
    await takeNext(ctx, row, schema)
  } catch (cause) {
    if (cause instanceof PartTaken) return
    const failures = row.failures + 1
    const hasFailed = failures >= mostFailures || cause instanceof SchemaChanged
    const change = {
      failures,
      error: cause instanceof Error ? cause.message.slice(0, 500) : 'unknown',
      ...(hasFailed ? { state: 'failed' as const, finishedAt: ctx.clock.now() } : {}),
    }
    await commit(ctx, new Changes().add(ctx.db.update(backups).set(change).where(isAt(row))))
    throw cause
  }
}

/** The database was migrated while it was backed up: parts have different columns. */
class SchemaChanged extends Error {
  override readonly name = 'SchemaChanged'
}

async function takeNext(ctx: Ctx, row: BackupRow, schema: string): Promise<void> {
  if (row.schema !== schema) throw new SchemaChanged('The database was migrated meanwhile')
  if (row.position.phase === 'manifest') return finish(ctx, row)
  const taken =
    row.position.phase === 'database'
      ? await takeDatabasePart(ctx, row, row.position)
      : await takeMediaPart(ctx, row, row.position)
  await commitPart(ctx, row, taken)
}

async function commitPart(ctx: Ctx, row: BackupRow, { part, next, media }: TakenPart): Promise<void> {
  const changes = new Changes().require(isUnchanged(row), new PartTaken('backup_part_taken'))
  const after = {
    position: next,
    failures: 0,
    error: null,
    mediaObjects: row.mediaObjects + media.objects,
    mediaBytes: row.mediaBytes + media.bytes,
  }
  if (part === null) changes.add(ctx.db.update(backups).set(after).where(isAt(row)))
  else {
    const { kind, contents, file, bytes, sha256 } = part
    const rows = kind === 'database' ? Object.values(contents).reduce((sum, count) => sum + count, 0) : 0
    const number = row.parts + 1
    const sums = { parts: number, rows: row.rows + rows, bytes: row.bytes + bytes }
    changes.add(
      ctx.db.insert(backupParts).values({ backupId: row.id, number, file, kind, bytes, sha256, contents }),
      ctx.db
        .update(backups)
        .set({ ...after, ...sums })
        .where(isAt(row)),
    )
  }
  await commit(ctx, changes)
}

/** Stores the manifest, which makes a backup complete, and deletes those that are not kept any more. */
async function finish(ctx: Ctx, row: BackupRow): Promise<void> {
  await adoptBackups(ctx)
  const keep = await execute(ctx.db, keptBackups(ctx))
  const finishedAt = ctx.clock.now()
  await storeManifest(ctx, row, finishedAt)
  const complete = { state: 'complete' as const, failures: 0, error: null, finishedAt }
  await commit(
    ctx,
    new Changes()
      .require(isUnchanged(row), new PartTaken('backup_completed'))
      .add(ctx.db.update(backups).set(complete).where(isAt(row)))
      .add(
        ctx.db
          .update(backups)
          .set({ state: 'deleting' })
          .where(isNotKept(Math.max(1, keep))),
      ),
  )
}

/** Complete backups behind the newest `keep`, and failed ones that a complete one followed. */
function isNotKept(keep: number): SQL {
  return sql`(state = 'complete' and id not in (select id from backups where state = 'complete'
      order by id desc ${limitTo(keep)}))
    or (state = 'failed' and id < (select max(id) from backups where state = 'complete'))`
}

function isAt({ id, position }: BackupRow): SQL {
  return sql`id = ${id} and state = 'running' and position = ${JSON.stringify(position)}`
}

/** Condition of a batch: no other run has taken the part. */
function isUnchanged(row: BackupRow): SQL {
  return sql`exists (select 1 from backups where ${isAt(row)})`
}

/** Version of the form of backups; scripts/lib/backups/read-backup.mjs reads it. */
const formVersion = 1

/** Stores the list of the parts of a backup: what has one is complete. */
async function storeManifest(ctx: Ctx, row: BackupRow, finishedAt: Date): Promise<void> {
  const found = ctx.db
    .select()
    .from(backupParts)
    .where(sql`${backupParts.backupId} = ${row.id} order by ${backupParts.number}`)
  const parts = await execute(ctx.db, rows(found))
  const { config } = ctx
  const tables: Record<string, number> = {}
  for (const { kind, contents } of parts)
    if (kind === 'database')
      for (const [table, count] of Object.entries(contents)) tables[table] = (tables[table] ?? 0) + count
  const manifest = {
    format: 'fieldfare-backup',
    version: formVersion,
    name: row.name,
    origin: config.origin,
    domain: config.domain,
    software: softwareVersion,
    schema: row.schema,
    // The secret is not in the backup. Without it no private key that is opens.
    secret_version: config.secrets.current.version,
    accepted_secret_versions: config.secrets.accepted.map(({ version }) => version),
    started_at: row.startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    rows: row.rows,
    tables,
    left_out: leftOut,
    media: { objects: row.mediaObjects, bytes: row.mediaBytes },
    parts: parts.map(({ file, kind, bytes, sha256, contents }) => ({ file, kind, bytes, sha256, contents })),
  }
  const text = JSON.stringify(manifest, null, 1)
  await ctx.files.put(backupKey(row.name, manifestFile), new TextEncoder().encode(text), 'application/json')
}

/** Files and rows deleted by one run. */
const deletedAtOnce = 500

/** Deletes the next files of a backup that is not kept, and its rows once there are none. */
async function deleteFilesOf(ctx: Ctx, { id, name }: BackupRow): Promise<void> {
  const listed = await ctx.files.list(backupKey(name, ''), '', deletedAtOnce)
  if (listed.length > 0) await ctx.files.delete(listed.map(({ key }) => key))
  const some = sql`number in (select number from backup_parts where backup_id = ${id} ${limitTo(deletedAtOnce)})`
  const changes = new Changes().add(ctx.db.delete(backupParts).where(sql`backup_id = ${id} and ${some}`))
  if (listed.length < deletedAtOnce)
    changes.add(
      ctx.db
        .delete(backups)
        .where(sql`id = ${id} and not exists (select 1 from backup_parts where backup_id = ${id})`),
    )
  await commit(ctx, changes)
}
