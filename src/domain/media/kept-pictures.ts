import { mediaLimits } from '../../contract/limits'
import { NoImageService } from '../../errors'
import { problem } from '../../errors/sentences'
import { type Dimensions, readDimensions } from '../../lib/media/dimensions'
import { sniffMedia } from '../../lib/media/sniff'
import { stripMetadata } from '../../lib/media/strip'
import type { Ctx } from '../../ports/ctx'
import type { Images } from '../../ports/services'
import { type PictureFile, pictureError } from './picture-files'

/**
 * Sides of pictures that are kept as uploaded, in pixels: nothing here can shrink them, and every page that shows an
 * account loads its avatar.
 */
const keptSides: Readonly<Record<string, number>> = {
  avatar: 1_024,
  header: 3_000,
  thumbnail: 2_400,
  logo: 512,
}

const extensions = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
])

/** Draws with the image service, or keeps pictures as they are where the operator's account has none. */
export async function withImages<T>(
  { images, log }: Pick<Ctx, 'images' | 'log'>,
  draw: (images: Images) => Promise<T>,
  keep: () => T,
): Promise<T> {
  if (images === null) return keep()
  try {
    return await draw(images)
  } catch (failure) {
    if (!(failure instanceof NoImageService)) throw failure
    log.info('The image service is not enabled: a picture was kept as it is', { cause: failure.detail })
    return keep()
  }
}

/**
 * A picture of untrusted bytes without being drawn again: stripped of metadata, upright by its own note. `Invalid` for
 * formats that cannot be stripped, or that not every browser shows, and for those that are too large to be served as
 * they are.
 */
export function keepPicture(bytes: Uint8Array, field: string): PictureFile {
  const mime = sniffMedia(bytes)?.mime ?? ''
  const extension = extensions.get(mime)
  if (extension === undefined) throw pictureError(problem('inconvertible_picture', { field }))
  const stripped = stripMetadata(bytes)
  const size = stripped === null ? null : readDimensions(stripped)
  if (stripped === null || size === null) throw pictureError(problem('unreadable_picture', { field }))
  refuseLarge(size, field)
  return { bytes: stripped, mime, extension, ...size }
}

function refuseLarge({ width, height }: Dimensions, field: string): void {
  const side = keptSides[field] ?? null
  const isLarge =
    side === null ? width * height > mediaLimits.keptImagePixels : Math.max(width, height) > side
  if (!isLarge) return
  const most = side === null ? `${mediaLimits.keptImagePixels} pixels` : `${side}x${side} pixels`
  throw pictureError(problem('unshrinkable_picture', { field, most, width, height }))
}
