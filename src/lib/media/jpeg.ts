import { has, u8, u16be, u16le, u32be, u32le } from './bytes'

const MAX_SEGMENTS = 1024
const MAX_TAGS = 512
const ORIENTATION = 0x0112

/** Displayed sides: a camera held upright notes a quarter turn in EXIF and stores the picture in landscape. */
export function findJpegFrame(bytes: Uint8Array): { width: number; height: number } | null {
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
