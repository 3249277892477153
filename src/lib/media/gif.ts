import { u8 } from './bytes'

const IMAGE = 0x2c
const EXTENSION = 0x21
const HEADER_BYTES = 13
const IMAGE_BYTES = 10

/** Counts pictures in a GIF, stopping at `enough`; broken data ends the count. */
export function countGifFrames(bytes: Uint8Array, enough: number): number {
  let at = HEADER_BYTES + colourTableBytes(u8(bytes, 10))
  let frames = 0
  while (at < bytes.length && frames < enough) {
    const block = u8(bytes, at)
    if (block === EXTENSION) {
      at = skipSubBlocks(bytes, at + 2)
    } else if (block === IMAGE) {
      frames += 1
      // One byte between colours and picture data gives the width of a code.
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
