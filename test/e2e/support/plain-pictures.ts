import { png } from '../../../scripts/demo/png.mjs'

interface Size {
  readonly size?: number
  readonly width?: number
  readonly height?: number
}

const known = new Map<string, Buffer>()

/** A picture of one colour; drawing those of the demonstration takes nine seconds. */
function plain({ size = 1, width = size, height = size }: Size): Buffer {
  const key = `${width} × ${height}`
  const picture = known.get(key) ?? png(width, height, () => [120, 150, 130])
  known.set(key, picture)
  return picture
}

/** Pictures for `fillDemo` in the sizes that it asks for. */
export const plainPictures = { songbird: plain, landscape: plain, flowers: plain, loaf: plain }
