import { has, u8, u16le, u24le, u32be } from './bytes'
import { readHeifSides } from './heif'
import { findJpegFrame } from './jpeg'
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
