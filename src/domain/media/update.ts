import { eq, type SQL, sql } from 'drizzle-orm'
import { execute } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { MediaId } from '../../lib/ids'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteFiles } from './delete-files'
import { type MediaDescription, parseMediaDescription } from './description'
import { withFiles } from './files'
import { fileKeysOf, findUnattachedMedia, isUnattached, type MediaRow, mediaById } from './find'
import { type RenderedPreview, renderPreview } from './render-preview'

export interface MediaPatch extends MediaDescription {
  readonly thumbnail?: Uint8Array | undefined
}

/**
 * Updates the metadata of the viewer's unattached upload, and the preview of a video or audio file.
 *
 * `NotFound` for another account's and for attached ones, which are edited through their status; `Conflict` when
 * another change came in between. A replaced preview is deleted after the commit (`delete-files`).
 */
export async function updateMedia(
  ctx: Ctx,
  viewer: Viewer,
  { id, patch }: { readonly id: MediaId; readonly patch: MediaPatch },
): Promise<MediaRow> {
  const parsed = parseMediaDescription(patch)
  const row = await findUnattachedMedia(ctx, viewer, id)
  const drawsPreview = patch.thumbnail !== undefined && row.type !== 'image'
  const drawn = drawsPreview && patch.thumbnail ? await renderPreview(ctx, row.id, patch.thumbnail) : null
  const changed = changedRow(row, parsed, drawn)
  const { description, blurhash, meta, previewKey } = changed
  const changes = new Changes()
    .require(isStillUnattached(id), new NotFound())
    .require(hasPreview(row), new Conflict('file_changed'))
    .add(
      ctx.db
        .update(mediaAttachments)
        .set({ description, blurhash, meta, previewKey })
        .where(eq(mediaAttachments.id, id)),
    )
  if (drawn !== null && row.previewKey !== null) deleteFiles(changes, [row.previewKey])
  await withFiles(ctx, drawn === null ? [] : [drawn.file], () => commit(ctx, changes))
  return changed
}

/**
 * Deletes an upload of `viewer` with its files (`delete-files`), for good.
 *
 * `NotFound` for another account's, `Invalid` for one attached to a status.
 */
export async function deleteMedia(ctx: Ctx, viewer: Viewer, id: MediaId): Promise<void> {
  const row = await execute(ctx.db, mediaById(ctx, id))
  if (row === null || row.accountId !== viewer.id) throw new NotFound()
  const attached = new Invalid('media_in_use')
  if (row.statusId !== null || row.scheduledStatusId !== null) throw attached
  const changes = new Changes()
    .require(isStillUnattached(id), attached)
    .require(hasPreview(row), new Conflict('file_changed'))
    .add(ctx.db.delete(mediaAttachments).where(eq(mediaAttachments.id, id)))
  deleteFiles(changes, fileKeysOf(row))
  await commit(ctx, changes)
}

/** A status may have claimed the upload since it was read. */
function isStillUnattached(id: MediaId): SQL {
  return sql`exists (select 1 from media_attachments where id = ${id} and ${isUnattached})`
}

/** Of two concurrent updates only one may replace a preview: the other would leave an orphaned file. */
function hasPreview({ id, previewKey }: MediaRow): SQL {
  return sql`exists (select 1 from media_attachments where id = ${id} and preview_key is ${previewKey})`
}

function changedRow(
  row: MediaRow,
  { description, focus }: ReturnType<typeof parseMediaDescription>,
  drawn: RenderedPreview | null,
): MediaRow {
  return {
    ...row,
    description: description === undefined ? row.description : description,
    meta: { ...row.meta, ...(drawn && { small: drawn.small }), ...(focus && { focus }) },
    ...(drawn && { previewKey: drawn.previewKey, blurhash: drawn.blurhash }),
  }
}
