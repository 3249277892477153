import { has, u32be } from './bytes'

const SIGNATURE_BYTES = 8
const CHUNK_BYTES = 12
const [animationControl, frameControl, frameData, imageData, end] = [
  'acTL',
  'fcTL',
  'fdAT',
  'IDAT',
  'IEND',
].map((name) => u32be(Buffer.from(name), 0))

/**
 * Whether a PNG is animated: it says so before its picture, as is required, and has at least two frames. Others are shown
 * as still pictures.
 */
export function isMovingPng(bytes: Uint8Array): boolean {
  if (!has(bytes, 0, '\x89PNG')) return false
  let frames = 0
  let isAnnounced = false
  for (const { type, start } of chunksIn(bytes)) {
    if (type === animationControl) isAnnounced = u32be(bytes, start + 8) > 1
    if (type === imageData && !isAnnounced) return false
    if (type === frameControl) frames += 1
    if (frames > 1 && isAnnounced) return true
  }
  return false
}

/** Still form of an animated PNG: the picture that software without animations shows. Null for a broken file. */
export function stillPng(bytes: Uint8Array): Uint8Array | null {
  const still = new Uint8Array(bytes.length)
  still.set(bytes.subarray(0, SIGNATURE_BYTES))
  let length = SIGNATURE_BYTES
  for (const { type, start, to } of chunksIn(bytes)) {
    if (type === animationControl || type === frameControl || type === frameData) continue
    still.set(bytes.subarray(start, to), length)
    length += to - start
    if (type === end) return still.subarray(0, length)
  }
  return null
}

/** The whole chunks of a PNG; one that claims to be longer than the file ends the list. */
function* chunksIn(bytes: Uint8Array) {
  for (let start = SIGNATURE_BYTES; start + CHUNK_BYTES <= bytes.length; ) {
    const to = start + CHUNK_BYTES + u32be(bytes, start)
    if (to > bytes.length) return
    yield { type: u32be(bytes, start + 4), start, to }
    start = to
  }
}
