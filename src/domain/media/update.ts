import { eq, type SQL, sql } from 'drizzle-orm'
import { mediaLimits } from '../../contract/limits'
import { execute } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import type { AttachmentMeta } from '../../db/values'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { MediaId } from '../../lib/ids'
import { describePicture, type Focus, parseFocus } from '../../lib/media/meta'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteFiles } from './delete-files'
import { freshFolder, type NewFile, withFiles } from './files'
import { fileKeysOf, findUnattachedMedia, isUnattached, type MediaRow, mediaById } from './find'
import { processThumbnail } from './pictures'

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

/** Description and focus of an upload; undefined keys were not sent. */
export interface MediaDescription {
  readonly description?: string | null | undefined
  /** `x,y`, each within -1 and 1. */
  readonly focus?: string | undefined
}

const maxDescriptionCharacters = mediaLimits.descriptionCharacters

/** The stored form; blank descriptions become null. `Invalid` for a description too long or a bad focus. */
export function parseMediaDescription({ description, focus }: MediaDescription): {
  readonly description: string | null | undefined
  readonly focus: Focus | undefined
} {
  const trimmed = description === undefined ? undefined : description?.trim() || null
  if (trimmed && [...trimmed].length > maxDescriptionCharacters)
    throw new Invalid('too_long', { field: 'description', max: maxDescriptionCharacters })
  if (focus === undefined) return { description: trimmed, focus }
  const point = parseFocus(focus)
  if (point === null) throw new Invalid('no_focus', { field: 'focus' })
  return { description: trimmed, focus: point }
}

/** A rendered preview to be stored: its file, and the columns of the upload's row. */
interface RenderedPreview {
  readonly file: NewFile
  readonly previewKey: string
  readonly blurhash: string | null
  readonly small: NonNullable<AttachmentMeta['small']>
}

/** Renders the preview of a video or audio file from an uploaded picture; `Invalid` if it is no picture. */
export async function renderPreview(ctx: Ctx, id: MediaId, thumbnail: Uint8Array): Promise<RenderedPreview> {
  const { small, blurhash } = await processThumbnail(ctx, thumbnail)
  const previewKey = `${freshFolder(ctx, 'attachments', id)}/small.${small.extension}`
  return { file: { ...small, key: previewKey }, previewKey, blurhash, small: describePicture(small) }
}
