import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { execute, inList, limitTo, map, rows } from '../../db/query'
import { evidenceFiles, mediaAttachments } from '../../db/schema'
import type { MediaId, ScheduledId, StatusId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import { fileKeysOf, isUnattached, type MediaRow, publicKeysOf } from './find'
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

/** Uploads whose files one run moves: six calls to the store for each. */
const uploadsPerRun = 20

/** Adds that the files of the uploads that a deleted status releases are withheld (`settle-uploads`). */
export function withholdReleased(changes: Changes, id: StatusId): void {
  changes.enqueueWhere(sql`exists (select 1 from media_attachments where released_from = ${id})`, {
    kind: 'settle-uploads',
    statusId: id,
    after: 0,
  })
}

/** Adds that the files of uploads come back that the status `by`, published or scheduled, takes over (`settle-uploads`). */
export function restoreClaimed(changes: Changes, ids: readonly MediaId[], by: StatusId | ScheduledId): void {
  changes.enqueueWhere(
    sql`exists (select 1 from media_attachments where ${inList(sql`id`, ids)} and released_from is not null)`,
    { kind: 'settle-uploads', statusId: by, after: 0 },
  )
}

/**
 * Moves the files of uploads that the status released to where no address leads, and those that it took over back: some
 * at a time, a job continues after `after`. Runs may repeat. Files of suspended accounts stay withheld.
 *
 * The store has no permissions of single files, and an address once seen would continue working for a day.
 */
export async function settleUploads(ctx: Ctx, statusId: StatusId, after: MediaId): Promise<void> {
  const uploads = await execute(ctx.db, releasedUploads(ctx, statusId, after))
  for (const upload of uploads)
    if (isFree(upload)) await moveEach(ctx, upload, 'away')
    else if (!upload.isOfSuspended) await moveEach(ctx, upload, 'back')
  const found = await execute(ctx.db, byId(ctx, uploads))
  const now = new Map(found.map((upload) => [upload.id, upload]))
  for (const upload of uploads.filter(isFree)) {
    const later = now.get(upload.id)
    // Claimed or deleted in the meantime, and perhaps looked for where it was before.
    if (later === undefined) await ctx.files.delete(publicKeysOf(upload).map(withheldKey))
    else if (!isFree(later)) await moveEach(ctx, upload, 'back')
  }
  const settled = uploads.filter((upload) => !isFree(upload)).map(({ id }) => id)
  if (settled.length > 0) await commit(ctx, new Changes().add(clearRelease(ctx, settled)))
  const last = uploads.at(-1)
  if (uploads.length === uploadsPerRun && last !== undefined)
    await ctx.jobs.send({ kind: 'settle-uploads', statusId, after: last.id })
}

async function moveEach(ctx: Ctx, upload: MediaRow, direction: 'away' | 'back'): Promise<void> {
  for (const key of publicKeysOf(upload))
    await (direction === 'away' ? moveFile(ctx, key, withheldKey(key)) : moveFile(ctx, withheldKey(key), key))
}

function releasedUploads(ctx: Ctx, id: StatusId, after: MediaId) {
  const isOfSuspended = sql<number>`exists (select 1 from accounts
    where accounts.id = media_attachments.account_id and suspended_at is not null)`
  const found = ctx.db
    .select({
      ...getTableColumns(mediaAttachments),
      isOfSuspended: isOfSuspended.mapWith(Boolean).as('barred'),
    })
    .from(mediaAttachments)
    .where(
      sql`released_from is not null and (released_from = ${id} or status_id = ${id} or scheduled_status_id = ${id})
        and id > ${after} order by id ${limitTo(uploadsPerRun)}`,
    )
  return rows(found)
}

function byId(ctx: Ctx, uploads: readonly MediaRow[]) {
  const ids = uploads.map(({ id }) => id)
  return rows(ctx.db.select().from(mediaAttachments).where(inList(mediaAttachments.id, ids)))
}

function clearRelease(ctx: Ctx, ids: readonly MediaId[]) {
  return ctx.db
    .update(mediaAttachments)
    .set({ releasedFrom: null })
    .where(sql`${inList(mediaAttachments.id, ids)} and not ${isUnattached}`)
}

function isFree({ statusId, scheduledStatusId }: MediaRow): boolean {
  return statusId === null && scheduledStatusId === null
}
