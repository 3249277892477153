import { mediaLimits } from '../../contract/limits'
import { mediaAttachments } from '../../db/schema'
import { Invalid } from '../../errors'
import { type AudioVideo, readAudioVideo } from '../../lib/media/av'
import { coverIn } from '../../lib/media/cover'
import { pictureMeta, playbackMeta } from '../../lib/media/meta'
import { blankMovieTags } from '../../lib/media/mp4'
import { type SupportedMimeType, sniffMedia } from '../../lib/media/sniff'
import type { Ctx } from '../../ports/ctx'
import { Changes, commit } from '../core/changes'
import type { Viewer } from '../core/viewer'
import { freshFolder, type NewFile, withFiles } from './files'
import type { MediaRow } from './find'
import { contentTypeError } from './picture-files'
import { type Preview, pictureAreas, processPicture, processThumbnail, tooManyBytes } from './pictures'
import { type MediaDescription, parseMediaDescription } from './update'

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
