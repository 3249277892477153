import { type SQL, sql } from 'drizzle-orm'
import { both, execute } from '../../db/query'
import { backups } from '../../db/schema'
import { Conflict } from '../../errors'
import { backupName } from '../../lib/backups'
import type { Ctx } from '../../ports/ctx'
import { recordAudit } from '../core/audit'
import { Changes, commit } from '../core/changes'
import type { Moderator } from '../core/viewer'
import { requirePermission } from '../policy/permissions'
import { adopt } from './adopt'
import { type BackupRow, currentSchema, findBackup, isNextDue, runningBackup } from './state'
import { unknownNames } from './stored'
import { dumpedTables } from './tables'

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
export async function beginBackup(ctx: Ctx, schema: string): Promise<void> {
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
