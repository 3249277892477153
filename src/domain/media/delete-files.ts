import { type SQL, sql } from 'drizzle-orm'
import { execute, inList, map, rows } from '../../db/query'
import { evidenceFiles, mediaAttachments } from '../../db/schema'
import type { Ctx } from '../../ports/ctx'
import type { Changes } from '../core/changes'
import { fileKeysOf, type MediaRow } from './find'
import { evidenceKey, withheldKey } from './pictures'

/**
 * Adds that files of statuses are deleted after the commit (`delete-files`). Where evidence shows one of them, a job
 * sorts them (`retire-files`).
 */
export function deleteFiles(changes: Changes, keys: readonly string[]): void {
  if (keys.length === 0) return
  changes
    .enqueueWhere(sql`not ${isEvidence(keys)}`, { kind: 'delete-files', keys: [...keys] })
    .enqueueWhere(isEvidence(keys), { kind: 'retire-files', keys: [...keys] })
}

/** Adds that uploads are deleted with their files. */
export function deleteUploads(ctx: Ctx, changes: Changes, uploads: readonly MediaRow[]): void {
  if (uploads.length === 0) return
  const ids = uploads.map(({ id }) => id)
  changes.add(ctx.db.delete(mediaAttachments).where(inList(mediaAttachments.id, ids)))
  deleteFiles(changes, uploads.flatMap(fileKeysOf))
}

function isEvidence(keys: readonly string[]): SQL {
  return sql`exists (select 1 from evidence_files where ${inList(sql`file_key`, keys)})`
}

/**
 * Deletes files that are no longer used, and moves those that evidence shows to where no address leads: only staff reads
 * them there. Runs may repeat.
 */
export async function retireFiles(ctx: Ctx, keys: readonly string[]): Promise<void> {
  const found = ctx.db
    .selectDistinct({ key: evidenceFiles.fileKey })
    .from(evidenceFiles)
    .where(inList(evidenceFiles.fileKey, keys))
  const kept = await execute(
    ctx.db,
    map(rows(found), (all) => new Set(all.map(({ key }) => key))),
  )
  // Files of suspended accounts lie under other keys.
  for (const key of keys.filter((one) => kept.has(one)))
    for (const from of [key, withheldKey(key)]) await moveFile(ctx, from, evidenceKey(key))
  const unused = keys.filter((key) => !kept.has(key))
  if (unused.length > 0) await ctx.files.delete([...unused, ...unused.map(withheldKey)])
}

/**
 * Moves a file of the store; nothing happens where there is none. Copies first: a run that fails in between leaves two
 * files, and the next one deletes the first.
 */
export async function moveFile(ctx: Ctx, from: string, to: string): Promise<void> {
  const file = await ctx.files.get(from)
  if (file === null) return
  await ctx.files.put(to, file.body, file.mime)
  await ctx.files.delete([from])
}
