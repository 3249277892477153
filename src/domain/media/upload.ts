import { eq, type SQL, sql } from 'drizzle-orm'
import { mediaLimits } from '../../contract/limits'
import { describePicture, type Focus, parseFocus, pictureMeta, playbackMeta } from '../../contract/media-meta'
import { execute } from '../../db/query'
import { mediaAttachments } from '../../db/schema'
import type { AttachmentMeta } from '../../db/values'
import { Conflict, Invalid, NotFound } from '../../errors'
import type { MediaId, ScheduledId } from '../../lib/ids'
import { type AudioVideo, readAudioVideo } from '../../lib/media/av'
import { coverIn } from '../../lib/media/cover'
import { blankMovieTags } from '../../lib/media/mp4'
import { type SupportedMimeType, sniffMedia } from '../../lib/media/sniff'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { deleteFiles } from './delete-files'
import { freshFolder, type NewFile, withFiles } from './files'
import { areFree, fileKeysOf, findUnattachedMedia, isUnattached, type MediaRow, mediaById } from './find'
import { contentTypeError } from './picture-files'
import { type Preview, pictureAreas, processPicture, processThumbnail, tooManyBytes } from './pictures'

export interface Upload extends MediaDescription {
  readonly file?: Uint8Array | undefined
  /** Preview of a video or audio file; ignored for pictures, which make their own. */
  readonly thumbnail?: Uint8Array | undefined
}

const movies: readonly SupportedMimeType[] = ['video/mp4', 'video/quicktime', 'audio/mp4', 'audio/3gpp']

/** The processed file of an upload, before it has a name and an owner. */
interface Processed extends Pick<MediaRow, 'type' | 'mime' | 'blurhash' | 'meta'> {
  readonly original: { readonly bytes: Uint8Array; readonly extension: string }
  readonly small: { readonly bytes: Uint8Array; readonly mime: string; readonly extension: string } | null
}

/**
 * Stores an upload of `viewer`, ready to be attached to a status.
 *
 * The type is detected from the bytes; file name and declared type are not trusted. Pictures are re-encoded, audio
 * and video are kept as sent except for tags that may reveal a place. `Invalid` before anything is stored: no file,
 * one that is too large, of no supported type, or unreadable; a description over 10,000 characters; a bad focus.
 * `counted` makes changes for the same batch from the bytes that are stored.
 */
export async function uploadMedia(
  ctx: Ctx,
  viewer: Viewer,
  upload: Upload,
  counted: (bytes: number) => Changes = () => new Changes(),
): Promise<MediaRow> {
  const { description, focus } = parseMediaDescription(upload)
  if (upload.file === undefined) throw new Invalid('blank', { field: 'file' })
  const processed = await processUpload(ctx, upload.file, upload.thumbnail)
  const { original, small, ...facts } = processed
  const id = ctx.ids.next()
  const folder = freshFolder(ctx, 'attachments', id)
  const file = { key: `${folder}/original.${original.extension}`, bytes: original.bytes, mime: facts.mime }
  const preview = small === null ? null : { ...small, key: `${folder}/small.${small.extension}` }
  const row: MediaRow = {
    ...facts,
    id,
    accountId: viewer.id,
    statusId: null,
    scheduledStatusId: null,
    releasedFrom: null,
    createdAt: ctx.clock.now(),
    fileKey: file.key,
    previewKey: preview?.key ?? null,
    sizeBytes: original.bytes.length,
    description: description ?? null,
    meta: { ...facts.meta, ...(focus && { focus }) },
  }
  const files: readonly NewFile[] = preview === null ? [file] : [file, preview]
  const bytes = files.reduce((sum, stored) => sum + stored.bytes.length, 0)
  const changes = counted(bytes).add(ctx.db.insert(mediaAttachments).values(row))
  await withFiles(ctx, files, () => commit(ctx, changes))
  return row
}

async function processUpload(
  ctx: Ctx,
  bytes: Uint8Array,
  thumbnail: Uint8Array | undefined,
): Promise<Processed> {
  const { videoBytes } = ctx.config.limits
  const sniffed = sniffMedia(bytes)
  if (sniffed === null) throw contentTypeError('file')
  if (sniffed.kind === 'image' || sniffed.kind === 'gifv-candidate') return processImage(ctx, bytes)
  if (bytes.length > videoBytes) throw tooManyBytes('file', videoBytes)
  return processPlayback(ctx, { bytes, mime: sniffed.mime, thumbnail })
}

/**
 * An animated GIF, PNG or WebP is an `image` here; Mastodon converts GIFs to silent videos, and shows the others still.
 * Clients show `gifv` in a video element, which plays no picture, and this platform cannot encode video. As an image it is animated in every
 * client.
 */
async function processImage(ctx: Ctx, bytes: Uint8Array): Promise<Processed> {
  const { original, small, blurhash } = await processPicture(ctx, bytes)
  const meta = pictureMeta(original, { small: small ?? original })
  return { type: 'image', mime: original.mime, blurhash, meta, original, small }
}

async function processPlayback(
  ctx: Ctx,
  given: {
    readonly bytes: Uint8Array
    readonly mime: SupportedMimeType
    readonly thumbnail: Uint8Array | undefined
  },
): Promise<Processed> {
  const { bytes, mime, thumbnail } = given
  const playback = readAudioVideo(bytes)
  refuseUnplayable(playback)
  const cover = thumbnail === undefined ? coverIn(bytes) : null
  if (movies.includes(mime)) blankMovieTags(bytes)
  const preview =
    thumbnail === undefined ? await previewOfCover(ctx, cover) : await processThumbnail(ctx, thumbnail)
  return {
    type: typeOf(playback),
    mime,
    blurhash: preview?.blurhash ?? null,
    meta: playbackMeta(playback, { small: preview?.small ?? null }),
    original: { bytes, extension: extensions[mime] ?? 'bin' },
    small: preview?.small ?? null,
  }
}

/** A cover that cannot be rendered is no reason to refuse the recording. */
async function previewOfCover(ctx: Ctx, cover: Uint8Array | null): Promise<Preview | null> {
  if (cover === null) return null
  try {
    return await processThumbnail(ctx, cover)
  } catch (failure) {
    if (failure instanceof Invalid) return null
    throw failure
  }
}

/** A file with a video header but neither picture nor sound is something else in disguise, or broken. */
function refuseUnplayable({ hasVideo, hasAudio, width, height, frameRate }: AudioVideo): void {
  if (hasVideo !== true && hasAudio !== true) throw new Invalid('unreadable_media', { field: 'file' })
  if (width !== null && height !== null && width * height > pictureAreas.moving)
    throw new Invalid('too_many_pixels', { field: 'file', width, height })
  if (frameRate !== null && frameRate > mediaLimits.framesPerSecond)
    throw new Invalid('too_many_frames', { field: 'file', rate: Math.round(frameRate) })
}

function typeOf({ hasVideo, hasAudio }: AudioVideo): MediaRow['type'] {
  if (hasVideo !== true) return 'audio'
  return hasAudio === false ? 'gifv' : 'video'
}

const extensions: Readonly<Partial<Record<SupportedMimeType, string>>> = {
  'video/webm': 'webm',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/ogg': 'ogv',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
  'audio/3gpp': '3gp',
  'video/x-ms-asf': 'wma',
}

interface MediaPatch extends MediaDescription {
  readonly thumbnail?: Uint8Array | undefined
}

/**
 * Updates the metadata of the viewer's upload that is unattached, or held by the scheduled status `heldBy`, and the
 * preview of a video or audio file.
 *
 * `NotFound` for another account's and for attached ones, which are edited through their status; `Conflict` when
 * another change came in between. A replaced preview is deleted after the commit (`delete-files`).
 */
export async function updateMedia(
  ctx: Ctx,
  viewer: Viewer,
  {
    id,
    patch,
    heldBy = null,
  }: { readonly id: MediaId; readonly patch: MediaPatch; readonly heldBy?: ScheduledId | null },
): Promise<MediaRow> {
  const parsed = parseMediaDescription(patch)
  const row = await findUnattachedMedia(ctx, viewer, id, heldBy)
  const drawsPreview = patch.thumbnail !== undefined && row.type !== 'image'
  const drawn = drawsPreview && patch.thumbnail ? await renderPreview(ctx, row.id, patch.thumbnail) : null
  const changed = changedRow(row, parsed, drawn)
  const { description, blurhash, meta, previewKey } = changed
  const changes = new Changes()
    .require(areFree(viewer.id, [id], heldBy), new NotFound())
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
