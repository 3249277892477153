import { Hono } from 'hono'
import * as z from 'zod'
import { execute } from '../db/query'
import { backupStart } from '../domain/backups/names'
import { deleteBackup, requestBackup } from '../domain/backups/run'
import {
  type BackupRow,
  findBackup,
  listBackups,
  openBackupFile,
  openListedObject,
  type StoredBackups,
} from '../domain/backups/state'
import { NotFound } from '../errors'
import type { StoredFile } from '../ports/files'
import type { OperatorEnv } from './env'
import { readInput } from './input'

const Named = z.object({ name: z.string() })
const File = Named.extend({ file: z.string() })
const Key = z.object({ key: z.string().min(1).max(1_024) })

/** Backups of the instance, and their files. For owners and the operator: they hold everything. */
export function backupRoutes(): Hono<OperatorEnv> {
  const app = new Hono<OperatorEnv>()
  app.post('/setup/backups/list', async (c) => {
    const { known, unknown } = await listBackups(c.get('ctx'))
    return c.json({ backups: [...known.map(present), ...unknown.map(presentStored)] })
  })
  app.post('/setup/backups/create', async (c) =>
    c.json(present(await requestBackup(c.get('ctx'), c.get('moderator')))),
  )
  app.post('/setup/backups/show', async (c) => {
    const ctx = c.get('ctx')
    const { name } = await readInput(c, Named)
    const found = await execute(ctx.db, findBackup(ctx, name))
    if (found === null) throw new NotFound('no_backup')
    return c.json(present(found))
  })
  app.post('/setup/backups/delete', async (c) => {
    const { name } = await readInput(c, Named)
    if (!(await deleteBackup(c.get('ctx'), c.get('moderator'), name))) throw new NotFound('no_backup')
    return c.json({})
  })
  app.post('/setup/backups/file', async (c) =>
    answer(await openBackupFile(c.get('ctx'), c.get('moderator'), await readInput(c, File))),
  )
  app.post('/setup/backups/media', async (c) =>
    answer(await openListedObject(c.get('ctx'), c.get('moderator'), (await readInput(c, Key)).key)),
  )
  return app
}

/** Bytes of a stored file, as a download. */
function answer(stored: StoredFile | null): Response {
  if (stored === null) throw new NotFound('no_backup_file')
  return new Response(stored.body, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(stored.sizeBytes),
      'Content-Disposition': 'attachment',
      'Cache-Control': 'no-store',
    },
  })
}

function present(row: BackupRow) {
  return {
    name: row.name,
    state: row.state,
    requested: row.requested,
    started_at: row.startedAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
    schema: row.schema === '' ? null : row.schema,
    rows: row.rows,
    parts: row.parts,
    bytes: row.bytes,
    media_objects: row.mediaObjects,
    media_bytes: row.mediaBytes,
    phase: row.state === 'running' ? row.position.phase : null,
    error: row.error,
  }
}

/** A backup that only the bucket knows: its manifest says more. */
function presentStored({ name, hasManifest }: StoredBackups['unknown'][number]) {
  return {
    name,
    state: hasManifest ? 'stored' : 'incomplete',
    requested: false,
    started_at: backupStart(name).toISOString(),
    finished_at: null,
    schema: null,
    rows: 0,
    parts: 0,
    bytes: 0,
    media_objects: 0,
    media_bytes: 0,
    phase: null,
    error: null,
  }
}
