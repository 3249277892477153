import { type Box, boxesIn, findBox, has, u8, u16be, u16le, u24le, u32be, u32le, wholeFile } from './bytes'
import { sniffMedia } from './sniff'

export interface Dimensions {
  readonly width: number
  readonly height: number
}

/**
 * The displayed size of an image, read from its headers alone; null if they do not contain it.
 *
 * The header may lie, so this decides what to refuse, not how much memory a decoder needs.
 */
export function readDimensions(bytes: Uint8Array): Dimensions | null {
  const found = readClaimed(bytes)
  return found && found.width > 0 && found.height > 0 ? found : null
}

function readClaimed(bytes: Uint8Array): Dimensions | null {
  switch (sniffMedia(bytes)?.mime) {
    case 'image/png':
      return { width: u32be(bytes, 16), height: u32be(bytes, 20) }
    case 'image/gif':
      return { width: u16le(bytes, 6), height: u16le(bytes, 8) }
    case 'image/jpeg':
      return findJpegFrame(bytes)
    case 'image/webp':
      return readWebp(bytes)
    case 'image/avif':
    case 'image/heic':
    case 'image/heif':
      return readHeifSides(bytes)
    default:
      return null
  }
}

function readWebp(bytes: Uint8Array): Dimensions | null {
  if (has(bytes, 12, 'VP8X')) return { width: u24le(bytes, 24) + 1, height: u24le(bytes, 27) + 1 }
  if (has(bytes, 12, 'VP8 ')) return { width: u16le(bytes, 26) & 0x3fff, height: u16le(bytes, 28) & 0x3fff }
  if (!has(bytes, 12, 'VP8L') || u8(bytes, 20) !== 0x2f) return null
  const packed = u16le(bytes, 21) + u24le(bytes, 23) * 0x10000
  return { width: (packed % 0x4000) + 1, height: (Math.floor(packed / 0x4000) % 0x4000) + 1 }
}

const MAX_SEGMENTS = 1024
const MAX_TAGS = 512
const ORIENTATION = 0x0112

/** Displayed sides: a camera held upright notes a quarter turn in EXIF and stores the picture in landscape. */
function findJpegFrame(bytes: Uint8Array): { width: number; height: number } | null {
  const found = findFrame(bytes)
  if (found === null) return null
  const { width, height, orientation } = found
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** Orientation that EXIF notes, 1 to 8; 1 (upright) without one. */
export function findJpegOrientation(bytes: Uint8Array): number {
  return findFrame(bytes)?.orientation ?? 1
}

function findFrame(bytes: Uint8Array): { width: number; height: number; orientation: number } | null {
  let [at, orientation] = [2, 1]
  for (let seen = 0; seen < MAX_SEGMENTS && u8(bytes, at) === 0xff; seen++) {
    const marker = u8(bytes, at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xe1 && has(bytes, at + 4, 'Exif\0\0')) orientation = readOrientation(bytes, at + 10)
    if (isFrameHeader(marker)) {
      const [height, width] = [u16be(bytes, at + 5), u16be(bytes, at + 7)]
      return { width, height, orientation }
    }
    at += 2 + u16be(bytes, at + 2)
  }
  return null
}

/** Baseline, progressive and other frame headers; C4, C8 and CC are tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** EXIF is a small TIFF file in the byte order its first two letters name; 1 (upright) if absent. */
function readOrientation(bytes: Uint8Array, tiff: number): number {
  const isLittle = has(bytes, tiff, 'II')
  const [read16, read32] = isLittle ? [u16le, u32le] : [u16be, u32be]
  const directory = tiff + read32(bytes, tiff + 4)
  const tags = Math.min(read16(bytes, directory), MAX_TAGS)
  for (let tag = 0; tag < tags; tag++) {
    const entry = directory + 2 + tag * 12
    if (read16(bytes, entry) !== ORIENTATION) continue
    const value = read16(bytes, entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

const MAX_ITEMS = 4096

interface Sides {
  readonly width: number
  readonly height: number
}

/**
 * Displayed sides of the primary picture of an AVIF or HEIC. The file may hold others: tiles (padded beyond the
 * edge), a thumbnail, transparency, each pointing into one shared list of properties.
 */
function readHeifSides(bytes: Uint8Array): Sides | null {
  const meta = findBox(bytes, wholeFile(bytes), ['meta'])
  if (!meta) return null
  // Unlike other parents, `meta` opens with a version.
  const items = { start: meta.start + 4, end: meta.end }
  const primary = findBox(bytes, items, ['pitm'])
  const associations = findBox(bytes, items, ['iprp', 'ipma'])
  const properties = findBox(bytes, items, ['iprp', 'ipco'])
  if (!primary || !associations || !properties) return null
  const own = propertiesOf(bytes, { associations, item: readPrimaryId(bytes, primary) })
  const all = [...boxesIn(bytes, properties)]
  return combine(
    bytes,
    own.flatMap((index) => all[index - 1] ?? []),
  )
}

function readPrimaryId(bytes: Uint8Array, { start }: Box): number {
  return u8(bytes, start) === 0 ? u16be(bytes, start + 4) : u32be(bytes, start + 4)
}

/** Numbers, from 1, of the properties that belong to `item`. */
function propertiesOf(
  bytes: Uint8Array,
  { associations, item }: { associations: Box; item: number },
): number[] {
  const isLongId = u8(bytes, associations.start) > 0
  const isLongIndex = (u8(bytes, associations.start + 3) & 1) === 1
  const entries = Math.min(u32be(bytes, associations.start + 4), MAX_ITEMS)
  let at = associations.start + 8
  for (let entry = 0; entry < entries && at < associations.end; entry++) {
    const id = isLongId ? u32be(bytes, at) : u16be(bytes, at)
    at += isLongId ? 4 : 2
    const count = u8(bytes, at)
    at += 1
    // Mask the highest bit: it says whether a reader must understand the property.
    const read = (index: number) =>
      isLongIndex ? u16be(bytes, at + index * 2) & 0x7fff : u8(bytes, at + index) & 0x7f
    if (id === item) return Array.from({ length: count }, (_, index) => read(index))
    at += count * (isLongIndex ? 2 : 1)
  }
  return []
}

/** `clap` cuts off padding that an encoder added to fill whole blocks, `irot` turns the rest by quarters. */
function combine(bytes: Uint8Array, properties: readonly Box[]): Sides | null {
  let sides: Sides | null = null
  for (const { type, start } of properties) {
    if (type === 'ispe') sides = { width: u32be(bytes, start + 4), height: u32be(bytes, start + 8) }
    if (type === 'clap') sides = readCleanAperture(bytes, start)
    const isQuarterTurn = type === 'irot' && u8(bytes, start) % 2 === 1
    if (isQuarterTurn && sides) sides = { width: sides.height, height: sides.width }
  }
  return sides
}

function readCleanAperture(bytes: Uint8Array, start: number): Sides | null {
  const width = Math.round(u32be(bytes, start) / u32be(bytes, start + 4))
  const height = Math.round(u32be(bytes, start + 8) / u32be(bytes, start + 12))
  return Number.isFinite(width) && Number.isFinite(height) ? { width, height } : null
}
