import { decode, isBlurhashValid } from 'blurhash'
import type { Dimensions } from './dimensions'
import { encodePng, type RgbPicture } from './png'

/** Placeholder for videos without a blurhash: a dark field, lighter towards its top. */
export const plainBlurhash = 'I55h.C.At8'

const fieldPixels = 14_400
const mostSide = 1_024
/**
 * A blurhash is soft: computing fewer points and interpolating between them looks the same and takes a
 * hundredth of the time.
 */
const pixelsPerPoint = 5
/** Maximum number of components: far above common use, and each costs drawing time. */
const mostComponents = 36

/** Size of the placeholder for a video of this size; 16:9 if unknown. */
export function placeholderSize({ width = 16, height = 9 }: Partial<Dimensions>): Dimensions {
  const scale = Math.sqrt(fieldPixels / (width * height))
  const side = (length: number) => Math.min(mostSide, Math.max(1, Math.round(length * scale)))
  return { width: side(width), height: side(height) }
}

/** Draws a blurhash as a PNG; null for invalid ones, and for sizes that `placeholderSize` never returns. */
export function drawPlaceholder(blurhash: string, size: Dimensions): Uint8Array | null {
  const { width, height } = size
  const isSize = width > 0 && height > 0 && width <= mostSide && height <= mostSide
  // Rounding both sides up makes it a little larger.
  if (!isSize || width * height > fieldPixels + width + height) return null
  if (!isBlurhashValid(blurhash).result || componentsOf(blurhash) > mostComponents) return null
  const across = Math.max(1, Math.ceil(width / pixelsPerPoint))
  const down = Math.max(1, Math.ceil(height / pixelsPerPoint))
  const points = { width: across, height: down, rgba: decode(blurhash, across, down) }
  return encodePng(enlarge(points, size))
}

/** Component count by length: six characters, and two for each component but the first. */
function componentsOf(blurhash: string): number {
  return (blurhash.length - 4) / 2
}

interface Points extends Dimensions {
  readonly rgba: Uint8ClampedArray
}

/** Scales points to a larger picture, blending between neighbours. */
function enlarge(points: Points, { width, height }: Dimensions): RgbPicture {
  const rgb = new Uint8Array(width * height * 3)
  const columns = blends(points.width, width)
  const rows = blends(points.height, height)
  let at = 0
  for (const row of rows)
    for (const column of columns)
      for (let colour = 0; colour < 3; colour++) rgb[at++] = blended(points, { row, column, colour })
  return { width, height, rgb }
}

interface Blend {
  readonly from: number
  readonly to: number
  readonly share: number
}

/** The two points each pixel lies between, and the weight of the second. */
function blends(points: number, pixels: number): readonly Blend[] {
  return Array.from({ length: pixels }, (_, pixel) => {
    const at = pixels === 1 ? 0 : (pixel * (points - 1)) / (pixels - 1)
    const from = Math.floor(at)
    return { from, to: Math.min(points - 1, from + 1), share: at - from }
  })
}

function blended(
  { width, rgba }: Points,
  { row, column, colour }: { readonly row: Blend; readonly column: Blend; readonly colour: number },
): number {
  const of = (y: number, x: number) => rgba[(y * width + x) * 4 + colour] ?? 0
  const inRow = (y: number) => of(y, column.from) * (1 - column.share) + of(y, column.to) * column.share
  return Math.round(inRow(row.from) * (1 - row.share) + inRow(row.to) * row.share)
}
