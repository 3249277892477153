import { has, u8, u16le } from './bytes'

const IMAGE = 0x2c
const EXTENSION = 0x21
const HEADER_BYTES = 13
const IMAGE_BYTES = 10
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff
const LOOP_BYTES = 19

/** Counts frames in a GIF, stopping at `enough`; broken data ends the count. */
export function countGifFrames(bytes: Uint8Array, enough: number): number {
  let at = HEADER_BYTES + colourTableBytes(u8(bytes, 10))
  let frames = 0
  while (at < bytes.length && frames < enough) {
    const block = u8(bytes, at)
    if (block === EXTENSION) {
      at = skipSubBlocks(bytes, at + 2)
    } else if (block === IMAGE) {
      frames += 1
      // Skip one byte between colours and picture data: the width of a code.
      at = skipSubBlocks(bytes, at + IMAGE_BYTES + colourTableBytes(u8(bytes, at + 9)) + 1)
    } else {
      break
    }
  }
  return frames
}

function colourTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}

function skipSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (u8(bytes, at) !== 0) at += 1 + u8(bytes, at)
  return at + 1
}

/**
 * Strips a GIF to what is shown: frames, their timing, and the loop count. Comments, XMP, application blocks
 * and bytes after the end are removed. Null without one whole frame.
 */
export function cleanGif(bytes: Uint8Array): Uint8Array | null {
  const cleaned = new Uint8Array(bytes.length + 1)
  let [end, frames] = [0, 0]
  for (const { from, to, isFrame } of shownParts(bytes)) {
    cleaned.set(bytes.subarray(from, to), end)
    end += to - from
    if (isFrame) frames += 1
  }
  cleaned[end] = TRAILER
  return frames === 0 ? null : cleaned.subarray(0, end + 1)
}

/** First frame of a GIF as a still one; null without a whole frame. */
export function firstGifFrame(bytes: Uint8Array): Uint8Array | null {
  const parts: Part[] = []
  for (const part of shownParts(bytes)) {
    if (!isLoop(bytes, part.from)) parts.push(part)
    if (!part.isFrame) continue
    const still = new Uint8Array(parts.reduce((sum, { from, to }) => sum + to - from, 1))
    let end = 0
    for (const { from, to } of parts) {
      still.set(bytes.subarray(from, to), end)
      end += to - from
    }
    still[end] = TRAILER
    return still
  }
  return null
}

interface Part {
  readonly from: number
  readonly to: number
  readonly isFrame: boolean
}

/** The parts to keep, in order; a part cut off by the end of the data ends the list. */
function* shownParts(bytes: Uint8Array): Generator<Part> {
  let from = HEADER_BYTES + colourTableBytes(u8(bytes, 10))
  if (from <= bytes.length) yield { from: 0, to: from, isFrame: false }
  while (from < bytes.length) {
    const isFrame = u8(bytes, from) === IMAGE
    if (!isFrame && u8(bytes, from) !== EXTENSION) return
    const data = isFrame ? from + IMAGE_BYTES + colourTableBytes(u8(bytes, from + 9)) + 1 : from + 2
    const to = skipSubBlocks(bytes, data)
    if (to > bytes.length) return
    if (isFrame || u8(bytes, from + 1) === GRAPHIC_CONTROL) yield { from, to, isFrame }
    // Keep the loop block only: more could be hidden behind it.
    else if (isLoop(bytes, from)) yield { from, to: from + LOOP_BYTES, isFrame }
    from = to
  }
}

function isLoop(bytes: Uint8Array, from: number): boolean {
  const isNamed = has(bytes, from + 3, 'NETSCAPE2.0') || has(bytes, from + 3, 'ANIMEXTS1.0')
  const isWhole = u16le(bytes, from + 14) === 0x0103 && u8(bytes, from + LOOP_BYTES - 1) === 0
  return u8(bytes, from + 1) === APPLICATION && u8(bytes, from + 2) === 11 && isNamed && isWhole
}
