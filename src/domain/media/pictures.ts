import { mediaLimits } from '../../contract/limits'
import { logoSides } from '../../contract/logo-files'
import { avatarKeys, smallAvatar } from '../../contract/small-avatars'
import type { FileRef } from '../../db/values'
import { problem } from '../../errors/sentences'
import type { AccountId } from '../../lib/ids'
import { type Dimensions, readDimensions } from '../../lib/media/dimensions'
import { firstFrameOf } from '../../lib/media/first-frame'
import { blurhashOf } from '../../lib/media/png'
import { profileMimes, type SniffedMedia, type SupportedMimeType, sniffMedia } from '../../lib/media/sniff'
import { stripMetadata } from '../../lib/media/strip'
import type { Ctx } from '../../ports/ctx'
import type { Images, PictureOrder } from '../../ports/services'
import { freshFolder, type NewFile } from './files'
import { keepPicture, withImages } from './kept-pictures'
import { contentTypeError, type PictureFile, pictureError } from './picture-files'
import { requireConvertible } from './picture-types'

/** Mastodon's areas in pixels: of the input, of the stored original, and of a preview. */
export const pictureAreas = {
  input: mediaLimits.imagePixels,
  moving: mediaLimits.videoPixels,
  original: 8_294_400,
  small: 230_400,
}

/** Documented limits of avatars and headers. */
const profileShapes = {
  avatar: { width: 400, height: 400, maxBytes: 8_388_608, folder: 'avatars' },
  header: { width: 1500, height: 500, maxBytes: 8_388_608, folder: 'headers' },
} as const

/** Small version of an avatar, as lists and timelines show it. */
const smallShape = { width: 88, height: 88, fit: 'cover', mime: 'image/webp' } as const

export interface Preview {
  readonly small: PictureFile
  readonly blurhash: string | null
}

/** `small` is null for a picture that is shown as it is: an animated one, or without an image service. */
export interface ProcessedPicture {
  readonly original: PictureFile
  readonly small: PictureFile | null
  readonly blurhash: string | null
}

/**
 * Makes an attachment of an untrusted picture: an original of at most 8.3 megapixels, a preview unless it is
 * animated, and a blurhash.
 *
 * Pictures are re-encoded, except animated ones: the image service writes no GIF and no animated PNG, and not everywhere
 * an animated WebP. Of these only the frames are kept. Without an image service pictures are kept without their metadata, and have no
 * preview. `Invalid` for a file that is no picture, is too large or cannot be read.
 */
export async function processPicture(ctx: Ctx, bytes: Uint8Array): Promise<ProcessedPicture> {
  const inspected = inspect(bytes, ctx.config.limits.imageBytes)
  await requireConvertible(ctx, inspected.sniffed.mime, 'file')
  return withImages(
    ctx,
    (images) => drawPicture(images, bytes, inspected),
    () => ({ original: keepPicture(bytes, 'file'), small: null, blurhash: null }),
  )
}

async function drawPicture(
  images: Images,
  bytes: Uint8Array,
  { sniffed, size }: Inspected,
): Promise<ProcessedPicture> {
  if (sniffed.kind === 'gifv-candidate') {
    const original = movingPicture(bytes, { sniffed, size })
    const { blurhash } = await previewOf(images, original)
    return { original, small: null, blurhash }
  }
  const box = fitArea(size, pictureAreas.original)
  const original = await draw(images, bytes, {
    ...box,
    fit: 'scale-down',
    mime: drawnAs(sniffed.mime),
  })
  const { small, blurhash } = await previewOf(images, original)
  return { original, small, blurhash }
}

/** The uploaded preview of a video or audio file. The same limits and errors as for a picture. */
export async function processThumbnail(ctx: Ctx, bytes: Uint8Array): Promise<Preview> {
  const { size, sniffed } = inspect(bytes, ctx.config.limits.imageBytes, 'thumbnail')
  await requireConvertible(ctx, sniffed.mime, 'thumbnail')
  return withImages(
    ctx,
    (images) => previewOf(images, { bytes, ...size }),
    () => ({ small: keepPicture(bytes, 'thumbnail'), blurhash: null }),
  )
}

/**
 * Makes an avatar or header of an uploaded file: the files to store (see `withFiles`) and the reference for the
 * account's row.
 *
 * Cropped to the documented shape, as WebP: a tenth of the size of PNG. An animated GIF or PNG stays as it is, an animated
 * WebP is cropped where the image service keeps it animated, each with a still version beside it. An avatar also gets a small
 * version. `Invalid` names the field: of another type than the API
 * lists, too large, or unreadable.
 */
export async function prepareProfilePicture(
  ctx: Ctx,
  accountId: AccountId,
  wanted: { readonly kind: 'avatar' | 'header'; readonly file: Uint8Array },
): Promise<{ readonly ref: FileRef & { readonly key: string }; readonly files: readonly NewFile[] }> {
  const { folder, width, height, maxBytes } = profileShapes[wanted.kind]
  const field = wanted.kind === 'avatar' ? 'avatar' : 'header'
  const bytes = wanted.file
  const inspected = inspect(bytes, maxBytes, field)
  if (!profileMimes.includes(inspected.sniffed.mime)) throw contentTypeError(field)
  const shape = { width, height, fit: 'cover', mime: 'image/webp' } as const
  const { still, small, moving } = await withImages(
    ctx,
    async (images): Promise<ProfilePicture> => {
      const drawn = await draw(images, bytes, shape)
      return {
        still: drawn,
        small: wanted.kind === 'avatar' ? await smallVersion(images, drawn) : null,
        moving: await animatedVersion(images, { bytes, ...inspected }, shape),
      }
    },
    () => keepProfilePicture(bytes, field),
  )
  const at = freshFolder(ctx, folder, accountId)
  const keys = avatarKeys(at)
  const stillKey = small === null ? `${at}/still.${still.extension}` : keys.large
  const stillFile = { key: stillKey, bytes: still.bytes, mime: still.mime }
  const files =
    small === null ? [stillFile] : [stillFile, { key: keys.small, bytes: small.bytes, mime: small.mime }]
  if (moving === null) return { ref: { key: stillFile.key }, files }
  const movingFile = { key: `${at}/moving.${moving.extension}`, bytes: moving.bytes, mime: moving.mime }
  return { ref: { key: movingFile.key, still: stillFile.key }, files: [movingFile, ...files] }
}

/** Null where the image service does not write WebP, by whose name pages find the small version. */
async function smallVersion(images: Images, drawn: PictureFile): Promise<PictureFile | null> {
  const small = drawn.extension === 'webp' ? await draw(images, drawn.bytes, smallShape) : null
  return small?.extension === 'webp' ? small : null
}

interface ProfilePicture {
  readonly still: PictureFile
  /** Null for headers, and without an image service. */
  readonly small: PictureFile | null
  /** Null for a picture that does not move. */
  readonly moving: PictureFile | null
}

/** The still version of an animated picture is its first frame. */
function keepProfilePicture(bytes: Uint8Array, field: string): ProfilePicture {
  const kept = keepPicture(bytes, field)
  const still = firstFrameOf(kept.bytes)
  return still === null
    ? { still: kept, small: null, moving: null }
    : { still: { ...kept, bytes: still }, small: null, moving: kept }
}

/** A WebP cropped, if the image service keeps it animated; other animated pictures as they are. Null for a still one. */
async function animatedVersion(
  images: Images,
  { bytes, ...inspected }: Inspected & { readonly bytes: Uint8Array },
  shape: PictureOrder,
): Promise<PictureFile | null> {
  if (inspected.sniffed.kind !== 'gifv-candidate') return null
  const kept = movingPicture(bytes, inspected)
  if (kept.mime !== 'image/webp') return kept
  const cropped = await draw(images, kept.bytes, { ...shape, moving: true })
  return sniffMedia(cropped.bytes)?.kind === 'gifv-candidate' ? cropped : kept
}

/** Sizes of the picture of a server. Source: Mastodon's `SiteUpload`. */
const siteShapes = {
  standard: { width: 1_200, height: 630 },
  large: { width: 2_400, height: 1_260 },
} as const
const siteMaxBytes = 8_388_608

/** Picture of a server in both sizes, and its blurhash. */
interface SitePicture {
  readonly standard: PictureFile
  readonly large: PictureFile
  readonly blurhash: string | null
}

/**
 * Picture of a server in both sizes, cropped, as JPEG: not every page that shows link previews reads WebP. Without an
 * image service, the picture as it is for both.
 */
export function processSitePicture(ctx: Ctx, bytes: Uint8Array): Promise<SitePicture> {
  const { sniffed } = inspect(bytes, Math.min(siteMaxBytes, ctx.config.limits.imageBytes), 'thumbnail')
  if (!profileMimes.includes(sniffed.mime)) throw contentTypeError('thumbnail')
  return withImages(
    ctx,
    async (images): Promise<SitePicture> => {
      const large = await draw(images, bytes, { ...siteShapes.large, fit: 'cover', mime: 'image/jpeg' })
      const standard = await draw(images, large.bytes, {
        ...siteShapes.standard,
        fit: 'cover',
        mime: 'image/jpeg',
      })
      const { blurhash } = await previewOf(images, standard)
      return { standard, large, blurhash }
    },
    () => {
      const kept = keepPicture(bytes, 'thumbnail')
      return { standard: kept, large: kept, blurhash: null }
    },
  )
}

/** Largest upload of a logo. */
const logoMaxBytes = 2_097_152

/** Logo of a server in both sizes; `small` is null where the picture was kept as it is. */
interface Logo {
  readonly large: PictureFile
  readonly small: PictureFile | null
}

/** Logo of a server, cropped to a square, as PNG: with its transparency, and as every device shows icons. Never animated. */
export function processLogo(ctx: Ctx, bytes: Uint8Array): Promise<Logo> {
  const { sniffed } = inspect(bytes, Math.min(logoMaxBytes, ctx.config.limits.imageBytes), 'logo')
  if (!profileMimes.includes(sniffed.mime)) throw contentTypeError('logo')
  const shape = (side: number) => ({ width: side, height: side, fit: 'cover', mime: 'image/png' }) as const
  return withImages(
    ctx,
    async (images): Promise<Logo> => {
      const large = await draw(images, bytes, shape(logoSides.large))
      const small = await draw(images, large.bytes, shape(logoSides.small))
      return large.extension === 'png' && small.extension === 'png'
        ? { large, small }
        : { large, small: null }
    },
    () => {
      const kept = keepPicture(bytes, 'logo')
      const still = firstFrameOf(kept.bytes)
      return { large: still === null ? kept : { ...kept, bytes: still }, small: null }
    },
  )
}

/** Every local file behind a reference: to be deleted when it is replaced. */
export function keysOfFile(file: FileRef | null): string[] {
  if (file === null || !('key' in file)) return []
  const stored = file.still === undefined ? [file.key] : [file.key, file.still]
  return [...new Set(stored.flatMap((key) => [key, smallAvatar(key)]))]
}

/** Key of a file while its account is suspended. No address leads there: the dot is in no key that is served. */
export function withheldKey(key: string): string {
  return `.withheld/${key}`
}

/** Key of a file that only evidence shows since its upload was deleted. No address leads there either. */
export function evidenceKey(key: string): string {
  return `.evidence/${key}`
}

export function tooManyBytes(field: string, maxBytes: number) {
  return pictureError(problem('over_megabytes', { field, max: Math.floor(maxBytes / 1_048_576) }))
}

interface Inspected {
  readonly sniffed: SniffedMedia
  readonly size: Dimensions
}

function inspect(bytes: Uint8Array, maxBytes: number, field = 'file'): Inspected {
  const sniffed = sniffMedia(bytes)
  const isPicture = sniffed?.kind === 'image' || sniffed?.kind === 'gifv-candidate'
  if (sniffed === null || !isPicture) throw contentTypeError(field)
  if (bytes.length > maxBytes) throw tooManyBytes(field, maxBytes)
  const size = readDimensions(bytes)
  if (size === null) throw pictureError(problem('unreadable_picture', { field }))
  const maxArea = sniffed.kind === 'gifv-candidate' ? pictureAreas.moving : pictureAreas.input
  if (size.width * size.height > maxArea)
    throw pictureError(problem('too_many_pixels', { field, width: size.width, height: size.height }))
  return { sniffed, size }
}

/** An animated picture as it is, but for its metadata. */
function movingPicture(bytes: Uint8Array, { sniffed: { mime }, size }: Inspected): PictureFile {
  const stripped = stripMetadata(bytes)
  const extension = extensions.get(mime)
  if (stripped === null || extension === undefined)
    throw pictureError(problem('unreadable_picture', { field: 'file' }))
  return { bytes: stripped, mime, extension, ...size }
}

async function previewOf(
  images: Images,
  source: Dimensions & { readonly bytes: Uint8Array },
): Promise<Preview> {
  const box = fitArea(source, pictureAreas.small)
  const small = await draw(images, source.bytes, { ...box, fit: 'scale-down', mime: 'image/webp' })
  const tiny = { width: 32, height: 32, fit: 'scale-down', mime: 'image/png' } as const
  const { bytes } = await images.render(small.bytes, tiny)
  return { small, blurhash: blurhashOf(bytes) }
}

async function draw(images: Images, source: Uint8Array, order: PictureOrder): Promise<PictureFile> {
  const { bytes, mime } = await images.render(source, order)
  const size = readDimensions(bytes)
  const extension = extensions.get(mime)
  if (size === null || extension === undefined)
    throw new Error(`the image service answered ${mime} of unknown size`)
  return { bytes, mime, extension, ...size }
}

const extensions = new Map([
  ['image/webp', 'webp'],
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
])

/** Photographs stay JPEG and formats with transparency keep it, in a type every client shows. */
function drawnAs(mime: SupportedMimeType): PictureOrder['mime'] {
  if (mime === 'image/jpeg' || mime === 'image/heic' || mime === 'image/heif') return 'image/jpeg'
  return mime === 'image/png' || mime === 'image/gif' ? 'image/png' : 'image/webp'
}

/** The largest box of the same shape with at most `area` pixels; never larger than `size`. */
function fitArea({ width, height }: Dimensions, area: number): Dimensions {
  const scale = Math.min(1, Math.sqrt(area / (width * height)))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
