import { eq, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '../../context'
import { ask } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { MediaId } from '../../lib/ids'
import { describePicture } from '../../lib/media/meta'
import { Changes, commit } from '../changes'
import { freshFolder, type NewFile, withFiles } from '../files'
import { type MediaWords, readWords } from '../media-words'
import { type Preview, processThumbnail } from '../pictures'
import type { Viewer } from '../viewer'
import { fileKeysOf, findLooseMedia, isLoose, type MediaRow, mediaById } from './find'

export interface MediaPatch extends MediaWords {
  readonly thumbnail?: Uint8Array | undefined
}

/**
 * Changes what `viewer` says about an upload that hangs on no status yet, and the preview of a video or sound.
 *
 * `NotFound` for somebody else's and for attached ones, which are edited through their status; `Conflict` when
 * another change came in between. A replaced preview is deleted after the commit (`files.unused`).
 */
export async function updateMedia(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: MediaId; readonly patch: MediaPatch },
): Promise<MediaRow> {
  const words = readWords(patch)
  const row = await findLooseMedia(ctx, viewer, id)
  const drawsPreview = patch.thumbnail !== undefined && row.type !== 'image'
  const preview = drawsPreview && patch.thumbnail ? await processThumbnail(ctx, patch.thumbnail) : null
  const file = preview === null ? null : previewFile(ctx, row.id, preview)
  const changed = changedRow(
    row,
    words,
    preview === null || file === null ? null : { ...preview, key: file.key },
  )
  const { description, blurhash, meta, previewKey } = changed
  const changes = new Changes()
    .require(isLooseStill(id), new NotFound())
    .require(hasPreview(row), new Conflict('This file was changed meanwhile'))
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ description, blurhash, meta, previewKey })
        .where(eq(mediaAttachments.id, id)),
    )
  if (file !== null && row.previewKey !== null) changes.emit({ kind: 'files.unused', keys: [row.previewKey] })
  await withFiles(ctx, file === null ? [] : [file], () => commit(ctx, changes))
  return changed
}

/**
 * Deletes an upload of `viewer` with its files (`files.unused`), for good.
 *
 * `NotFound` for somebody else's, `Invalid` for one that hangs on a status.
 */
export async function deleteMedia(ctx: Ctx, viewer: Viewer, id: MediaId): Promise<void> {
  const row = await ask(ctx.db, mediaById(ctx, id))
  if (row === null || row.accountId !== viewer.id) throw new NotFound()
  const attached = new Invalid('This file is part of a post')
  if (row.statusId !== null || row.scheduledStatusId !== null) throw attached
  const changes = new Changes()
    .require(isLooseStill(id), attached)
    .require(hasPreview(row), new Conflict('This file was changed meanwhile'))
    .add(ctx.db.delete(mediaAttachments).where(eq(mediaAttachments.id, id)))
    .emit({ kind: 'files.unused', keys: fileKeysOf(row) })
  await commit(ctx, changes)
}

/** A status may have claimed the upload since it was read. */
function isLooseStill(id: MediaId): SQL {
  return sql`exists (select 1 from media_attachments where id = ${id} and ${isLoose})`
}

/** Of two changes at once only one may replace a preview: the other would leave a file that nobody names. */
function hasPreview({ id, previewKey }: MediaRow): SQL {
  return sql`exists (select 1 from media_attachments where id = ${id} and preview_key is ${previewKey})`
}

function previewFile(ctx: Ctx, id: MediaId, { small }: Preview): NewFile {
  return { ...small, key: `${freshFolder(ctx, 'attachments', id)}/small.${small.extension}` }
}

function changedRow(
  row: MediaRow,
  { description, focus }: ReturnType<typeof readWords>,
  preview: (Preview & { readonly key: string }) | null,
): MediaRow {
  const small = preview === null ? {} : { small: describePicture(preview.small) }
  return {
    ...row,
    description: description === undefined ? row.description : description,
    meta: { ...row.meta, ...small, ...(focus && { focus }) },
    ...(preview && { previewKey: preview.key, blurhash: preview.blurhash }),
  }
}
