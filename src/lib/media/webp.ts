import { has, text, u8, u32le } from './bytes'

const FILE_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const FRAME_HEADER_BYTES = 16
const EXTENDED_BYTES = 10
const flags = { animation: 0x02, alpha: 0x10, profile: 0x20 }
const pictureChunks: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L'])

/** A chunk: its content without padding, and where it begins and ends with its head and padding. */
interface Chunk {
  readonly type: string
  readonly start: number
  readonly content: number
  readonly contentEnd: number
  readonly end: number
}

/** Whether a WebP is animated: its extended header says so, and it has at least two frames. */
export function isMovingWebp(bytes: Uint8Array): boolean {
  if (!has(bytes, 8, 'WEBPVP8X') || (u8(bytes, 20) & flags.animation) === 0) return false
  let frames = 0
  for (const { type } of chunksIn(bytes)) {
    if (type === 'ANMF') frames += 1
    if (frames > 1) return true
  }
  return false
}

/** Whether frames have nothing but a picture: players skip other chunks in them, and metadata could hide there. */
export function haveFramesOnlyPictures(bytes: Uint8Array): boolean {
  for (const frame of chunksIn(bytes)) {
    if (frame.type !== 'ANMF') continue
    for (const { type } of picturesIn(bytes, frame)) if (!pictureChunks.has(type)) return false
  }
  return true
}

/** First frame of an animated WebP as a still one, with its colour profile; null without a whole frame. */
export function firstWebpFrame(bytes: Uint8Array): Uint8Array | null {
  let profile: Chunk | null = null
  for (const chunk of chunksIn(bytes)) {
    if (chunk.type === 'ICCP') profile = chunk
    if (chunk.type === 'ANMF') return stillOf(bytes, chunk, profile)
  }
  return null
}

function stillOf(bytes: Uint8Array, frame: Chunk, profile: Chunk | null): Uint8Array | null {
  let alpha: Chunk | null = null
  let picture: Chunk | null = null
  for (const chunk of picturesIn(bytes, frame)) {
    if (chunk.type === 'ALPH') alpha ??= chunk
    else if (pictureChunks.has(chunk.type)) picture ??= chunk
  }
  if (picture === null) return null
  const kept = [profile, alpha, picture].filter((chunk) => chunk !== null)
  const header = FILE_HEADER_BYTES + CHUNK_HEADER_BYTES + EXTENDED_BYTES
  const still = new Uint8Array(kept.reduce((sum, { start, end }) => sum + end - start, header))
  const view = new DataView(still.buffer)
  still.set(Buffer.from('RIFF    WEBPVP8X'))
  view.setUint32(4, still.length - 8, true)
  view.setUint32(16, EXTENDED_BYTES, true)
  // Without an alpha chunk, a lossless picture may have transparency of its own.
  still[20] = (u8(bytes, 20) & flags.alpha) | (profile === null ? 0 : flags.profile)
  // Width and height less one, 24 bits each, are those of the frame.
  still.set(bytes.subarray(frame.content + 6, frame.content + 12), 24)
  let at = header
  for (const { start, end } of kept) {
    still.set(bytes.subarray(start, end), at)
    at += end - start
  }
  return still
}

function picturesIn(bytes: Uint8Array, { content, contentEnd }: Chunk): Generator<Chunk> {
  return chunksIn(bytes, content + FRAME_HEADER_BYTES, contentEnd)
}

/** The whole chunks between two places; one that claims to be longer ends the list. */
function* chunksIn(
  bytes: Uint8Array,
  from = FILE_HEADER_BYTES,
  to = Math.min(bytes.length, 8 + u32le(bytes, 4)),
): Generator<Chunk> {
  for (let start = from; start + CHUNK_HEADER_BYTES <= to; ) {
    const size = u32le(bytes, start + 4)
    const content = start + CHUNK_HEADER_BYTES
    const contentEnd = content + size
    if (contentEnd > to) return
    const end = Math.min(contentEnd + (size % 2), to)
    yield { type: text(bytes, start, 4), start, content, contentEnd, end }
    start = end
  }
}
