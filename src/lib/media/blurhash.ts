import { encode } from 'blurhash'
import { decodePng } from './png'

const COMPONENTS_ACROSS = 4
const COMPONENTS_DOWN = 3

/** The blurhash of a small PNG, in the 4×3 components Mastodon uses; null if it cannot be decoded. */
export function blurhashOf(png: Uint8Array): string | null {
  const picture = decodePng(png)
  return picture && encode(picture.rgba, picture.width, picture.height, COMPONENTS_ACROSS, COMPONENTS_DOWN)
}
