import { has, u8, u16be, u32be, u32le } from './bytes'
import { findJpegOrientation } from './dimensions'
import { cleanGif } from './gif'
import { sniffMedia } from './sniff'
import { haveFramesOnlyPictures } from './webp'

type Span = [from: number, to: number]

/**
 * Strips a picture to what is shown: no EXIF with the place and the camera, no XMP, no comments, no thumbnails, nothing
 * behind the end. Colour profiles and the turn of a photograph are kept. Null for other formats, and for broken files.
 */
export function stripMetadata(bytes: Uint8Array): Uint8Array | null {
  switch (sniffMedia(bytes)?.mime) {
    case 'image/jpeg':
      return stripJpeg(bytes)
    case 'image/png':
      return stripPng(bytes)
    case 'image/webp':
      return stripWebp(bytes)
    case 'image/gif':
      return cleanGif(bytes)
    default:
      return null
  }
}

const startOfScan = 0xda
const endOfImage = 0xd9
const quantizationTable = 0xdb

/** Phones append videos and further pictures behind the end of the first. */
function stripJpeg(bytes: Uint8Array): Uint8Array | null {
  const kept: Span[] = [[0, 2]]
  let at = 2
  while (at < bytes.length) {
    if (u8(bytes, at) !== 0xff) return null
    const marker = u8(bytes, at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === endOfImage) {
      keep(kept, at, at + 2)
      return cut(bytes, kept, turnedAs(findJpegOrientation(bytes)))
    }
    const length = u16be(bytes, at + 2)
    if (length < 2) return null
    const end = marker === startOfScan ? endOfScan(bytes, at + 2 + length) : at + 2 + length
    if (isShown(bytes, at, marker)) keep(kept, at, end)
    at = end
  }
  return null
}

/** Position of the first marker behind the data of a scan; zeros and restarts belong to the data. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = u8(bytes, at + 1)
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** Application segments with the colour profile. */
function isShown(bytes: Uint8Array, at: number, marker: number): boolean {
  if (marker === 0xe0) return has(bytes, at + 4, 'JFIF\0')
  if (marker === 0xe2) return has(bytes, at + 4, 'ICC_PROFILE\0')
  if (marker === 0xee) return has(bytes, at + 4, 'Adobe')
  return (marker >= 0xc0 && marker <= quantizationTable) || marker === 0xdd
}

/** EXIF with the orientation alone. */
function turnedAs(orientation: number): Uint8Array {
  if (orientation < 2 || orientation > 8) return new Uint8Array(0)
  const tiff = [
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    1,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ]
  return Uint8Array.of(0xff, 0xe1, 0, tiff.length + 8, 0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff)
}

const shownPngChunks = new Set(
  'IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs acTL fcTL fdAT'.split(' '),
)

function stripPng(bytes: Uint8Array): Uint8Array | null {
  const kept: Span[] = [[0, 8]]
  for (let at = 8; at + 12 <= bytes.length; ) {
    const [length, end] = [u32be(bytes, at), at + 12 + u32be(bytes, at)]
    const name = nameAt(bytes, at + 4)
    if (end > bytes.length) return null
    if (shownPngChunks.has(name)) keep(kept, at, end)
    if (name === 'IEND') return length === 0 ? cut(bytes, kept) : null
    at = end
  }
  return null
}

const shownWebpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
/** Flags of EXIF and XMP in the extended header. */
const metadataFlags = 0x0c

function stripWebp(bytes: Uint8Array): Uint8Array | null {
  if (!haveFramesOnlyPictures(bytes)) return null
  const kept: Span[] = [[0, 12]]
  const end = Math.min(bytes.length, 8 + u32le(bytes, 4))
  for (let at = 12; at + 8 <= end; ) {
    const size = u32le(bytes, at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) return null
    if (shownWebpChunks.has(nameAt(bytes, at))) keep(kept, at, Math.min(next, end))
    at = next
  }
  const stripped = cut(bytes, kept)
  if (stripped === null) return null
  new DataView(stripped.buffer).setUint32(4, stripped.length - 8, true)
  if (has(stripped, 12, 'VP8X')) stripped[20] = u8(stripped, 20) & ~metadataFlags
  return stripped
}

/** Adds a part to those that are kept; adjacent ones are one, as a hostile file may have millions. */
function keep(kept: Span[], from: number, to: number): void {
  const last = kept.at(-1)
  if (last?.[1] === from) last[1] = to
  else kept.push([from, to])
}

function nameAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

/** No honest picture has so many parts apart from each other. */
const mostParts = 4_096

/** The kept parts in one piece, with `inserted` behind the first two bytes; null where there are too many of them. */
function cut(
  bytes: Uint8Array,
  kept: readonly Span[],
  inserted: Uint8Array = new Uint8Array(0),
): Uint8Array | null {
  if (kept.length > mostParts) return null
  const whole = new Uint8Array(kept.reduce((sum, [from, to]) => sum + to - from, inserted.length))
  let at = 0
  for (const [from, to] of kept) {
    whole.set(bytes.subarray(from, to), at)
    at += to - from
  }
  if (inserted.length === 0) return whole
  whole.copyWithin(2 + inserted.length, 2, at)
  whole.set(inserted, 2)
  return whole
}
