import { type SQL, sql } from 'drizzle-orm'
import type { Plan } from '../../config'
import { softwareVersion } from '../../contract/version'
import { both, combineQueries, execute, limitTo, rows } from '../../db/query'
import { backupParts, backups } from '../../db/schema'
import { Conflict } from '../../errors'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { loadPlan } from '../instance/settings'
import { requirePermission } from '../policy/permissions'
import { backupKey, backupName, manifestFile } from './names'
import {
  adopt,
  adoptBackups,
  type BackupRow,
  currentSchema,
  deletedBackup,
  findBackup,
  isNextDue,
  keptBackups,
  runningBackup,
  unknownNames,
} from './state'
import { dumpedTables, leftOut } from './tables'
import { type TakenPart, takeDatabasePart, takeMediaPart } from './take-part'

/** Attempts at one part, a minute apart, after which a backup has failed. */
const mostFailures = 10

/** Another run took the part meanwhile. */
class PartTaken extends Conflict {
  override readonly name = 'PartTaken'
}

/**
 * Cron: takes the next part of the backup that runs, begins one that is due, or deletes files of one that is not kept.
 * May run twice: position and part are committed together, and the name of a file states its contents.
 */
export async function backUp(ctx: Ctx): Promise<void> {
  const { running, deleted, schema, plan } = await execute(
    ctx.db,
    combineQueries({
      running: runningBackup(ctx),
      deleted: deletedBackup(ctx),
      schema: currentSchema(ctx),
      plan: loadPlan(ctx),
    }),
  )
  if (running !== null) await attemptPart(ctx, running, { schema, plan })
  else if (deleted !== null) await deleteFilesOf(ctx, deleted)
  else await beginBackup(ctx, schema)
}

/** State of the database, and the plan whose invocation takes a part. */
interface Circumstances {
  readonly schema: string
  readonly plan: Plan
}

async function attemptPart(ctx: Ctx, row: BackupRow, { schema, plan }: Circumstances): Promise<void> {
  try {
    await takeNext(ctx, row, { schema, plan })
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

async function takeNext(ctx: Ctx, row: BackupRow, { schema, plan }: Circumstances): Promise<void> {
  if (row.schema !== schema) throw new SchemaChanged('The database was migrated meanwhile')
  if (row.position.phase === 'manifest') return finish(ctx, row)
  const taken =
    row.position.phase === 'database'
      ? await takeDatabasePart(ctx, { row, position: row.position, plan })
      : await takeMediaPart(ctx, { row, position: row.position, plan })
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

/** Name of the task that takes a part of a backup. */
export const backupTask = 'back-up'

const partsAtOnce = 60

class BackupRuns extends Conflict {
  override readonly name = 'BackupRuns'
}

/** Begins a backup now, and queues its first parts; the one that runs already where there is one. Needs `administrator`. */
export async function requestBackup(ctx: Ctx, moderator: Moderator): Promise<BackupRow> {
  requirePermission(moderator, 'administrator')
  const [running, schema] = await execute(ctx.db, both(runningBackup(ctx), currentSchema(ctx)))
  if (running !== null) return running
  const row = newBackup(ctx, schema, true)
  const changes = new Changes()
    .require(sql`not exists (select 1 from backups where state = 'running')`, new BackupRuns('backup_runs'))
    .add(ctx.db.insert(backups).values(row))
    .enqueue({ kind: 'run-task', task: backupTask, partsLeft: partsAtOnce })
  recordAudit(ctx, changes, moderator, {
    action: 'create',
    target: { type: 'backup', id: row.id, label: timeOf(row) },
  })
  await commit(ctx, changes)
  return row
}

/** Begins the backup that is due, unless another run was quicker. */
async function beginBackup(ctx: Ctx, schema: string): Promise<void> {
  const { name, ...row } = newBackup(ctx, schema, false)
  const position = JSON.stringify(row.position)
  const due: SQL = sql`not exists (select 1 from backups where state = 'running') and (${isNextDue(ctx)})`
  await commit(
    ctx,
    new Changes().add(
      ctx.db.run(sql`insert into ${backups} (id, name, schema, position, started_at)
        select ${row.id}, ${name}, ${schema}, ${position}, ${row.startedAt.getTime()} where ${due}`),
    ),
  )
}

/** Deletes a backup with its files, on schedule. One that runs is given up. Needs `administrator`. */
export async function deleteBackup(ctx: Ctx, moderator: Moderator, name: string): Promise<boolean> {
  requirePermission(moderator, 'administrator')
  const found = (await execute(ctx.db, findBackup(ctx, name))) ?? (await adopted(ctx, name))
  if (found === null) return false
  const changes = new Changes()
    .add(ctx.db.update(backups).set({ state: 'deleting' }).where(sql`${backups.id} = ${found.id}`))
    .enqueue({ kind: 'run-task', task: backupTask, partsLeft: partsAtOnce })
  recordAudit(ctx, changes, moderator, {
    action: 'delete',
    target: { type: 'backup', id: found.id, label: timeOf(found) },
  })
  await commit(ctx, changes)
  return true
}

async function adopted(ctx: Ctx, name: string): Promise<BackupRow | null> {
  if (!(await unknownNames(ctx)).includes(name)) return null
  await adopt(ctx, [name])
  return execute(ctx.db, findBackup(ctx, name))
}

function newBackup(ctx: Ctx, schema: string, requested: boolean): BackupRow {
  const startedAt = ctx.clock.now()
  return {
    id: ctx.ids.next(),
    name: backupName(startedAt, ctx.random.token()),
    state: 'running',
    requested,
    schema,
    position: { phase: 'database', table: dumpedTables()[0]?.name ?? '', after: null },
    failures: 0,
    error: null,
    parts: 0,
    rows: 0,
    bytes: 0,
    mediaObjects: 0,
    mediaBytes: 0,
    startedAt,
    finishedAt: null,
  }
}

/** Time of a backup, which names it to readers: the rest of its name is secret. */
function timeOf({ startedAt }: BackupRow): string {
  return startedAt.toISOString()
}
