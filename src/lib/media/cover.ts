import { type Box, boxesIn, findBox, has, text, u8, u16be, u32be, wholeFile } from './bytes'

/**
 * Extracts the embedded cover of an audio or video file: MP3 (ID3v2.3 and 2.4), FLAC and MP4. Null without one.
 * Its format is not checked.
 */
export function coverIn(bytes: Uint8Array): Uint8Array | null {
  if (has(bytes, 0, 'ID3')) return coverInId3(bytes)
  if (has(bytes, 0, 'fLaC')) return coverInFlac(bytes)
  return has(bytes, 4, 'ftyp') ? coverInMp4(bytes) : null
}

const mostParts = 1_000

/** Tags that are unsynchronised, compressed or encrypted as a whole are rare, and skipped. */
function coverInId3(bytes: Uint8Array): Uint8Array | null {
  const version = u8(bytes, 3)
  if ((version !== 3 && version !== 4) || u8(bytes, 5) !== 0) return null
  const end = Math.min(bytes.length, 10 + synchsafeInteger(bytes, 6))
  let at = 10
  for (let seen = 0; seen < mostParts && at + 10 <= end; seen++) {
    const size = version === 4 ? synchsafeInteger(bytes, at + 4) : u32be(bytes, at + 4)
    if (size === 0 || at + 10 + size > end) return null
    if (has(bytes, at, 'APIC') && u16be(bytes, at + 8) === 0)
      return pictureOfFrame(bytes.slice(at + 10, at + 10 + size))
    at += 10 + size
  }
  return null
}

/** Encoding, media type, kind, description, picture. In UTF-16 a zero has two bytes. */
function pictureOfFrame(frame: Uint8Array): Uint8Array | null {
  const isWide = u8(frame, 0) === 1 || u8(frame, 0) === 2
  const mimeEnd = frame.indexOf(0, 1)
  if (mimeEnd === -1) return null
  const start = mimeEnd + 2
  const end = isWide ? wideZero(frame, start) : frame.indexOf(0, start)
  return end === -1 ? null : frame.slice(end + (isWide ? 2 : 1))
}

function wideZero(frame: Uint8Array, start: number): number {
  for (let at = start; at + 1 < frame.length; at += 2) if (u16be(frame, at) === 0) return at
  return -1
}

/** Four bytes of seven bits each. */
function synchsafeInteger(bytes: Uint8Array, at: number): number {
  return [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (u8(bytes, at + index) & 0x7f), 0)
}

const flacPicture = 6

function coverInFlac(bytes: Uint8Array): Uint8Array | null {
  let at = 4
  for (let seen = 0; seen < mostParts && at + 4 <= bytes.length; seen++) {
    const [first, start] = [u8(bytes, at), at + 4]
    const size = u32be(bytes, at) & 0xffffff
    if ((first & 0x7f) === flacPicture) return pictureOfBlock(bytes.slice(start, start + size))
    if (first >= 0x80) return null
    at = start + size
  }
  return null
}

/** Kind, media type, description, four numbers about its form, picture. */
function pictureOfBlock(block: Uint8Array): Uint8Array | null {
  const afterMime = 8 + u32be(block, 4)
  const afterDescription = afterMime + 4 + u32be(block, afterMime)
  const length = u32be(block, afterDescription + 16)
  const start = afterDescription + 20
  return length === 0 || start + length > block.length ? null : block.slice(start, start + length)
}

function coverInMp4(bytes: Uint8Array): Uint8Array | null {
  const meta = findBox(bytes, wholeFile(bytes), ['moov', 'udta', 'meta'])
  if (meta === null) return null
  const data = findBox(bytes, contentOfMeta(bytes, meta), ['ilst', 'covr', 'data'])
  if (data === null || data.end - data.start <= 8) return null
  return bytes.slice(data.start + 8, data.end)
}

/** Content of `meta`, after its version and flags, which QuickTime omits. */
function contentOfMeta(bytes: Uint8Array, meta: Box): Omit<Box, 'type'> {
  const [first] = boxesIn(bytes, meta)
  const isQuickTime = first !== undefined && text(bytes, meta.start + 4, 4) === 'hdlr'
  return { start: meta.start + (isQuickTime ? 0 : 4), end: meta.end }
}
