/**
 * Reads integers from untrusted bytes. Bytes past the end read as zero, so no reader here throws; a parser must
 * therefore take a zero size as "stop".
 */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}

export function u16be(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x100 + u8(bytes, at + 1)
}

export function u24be(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) * 0x10000 + u16be(bytes, at + 1)
}

export function u32be(bytes: Uint8Array, at: number): number {
  return u16be(bytes, at) * 0x10000 + u16be(bytes, at + 2)
}

/** Exact below 2^53, which no honest size, duration or sample count exceeds. */
export function u64be(bytes: Uint8Array, at: number): number {
  return u32be(bytes, at) * 0x1_0000_0000 + u32be(bytes, at + 4)
}

export function u16le(bytes: Uint8Array, at: number): number {
  return u8(bytes, at) + u8(bytes, at + 1) * 0x100
}

export function u24le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u8(bytes, at + 2) * 0x10000
}

export function u32le(bytes: Uint8Array, at: number): number {
  return u16le(bytes, at) + u16le(bytes, at + 2) * 0x10000
}

export function u64le(bytes: Uint8Array, at: number): number {
  return u32le(bytes, at) + u32le(bytes, at + 4) * 0x1_0000_0000
}

/** The `length` bytes at `at` as Latin-1 text, shorter at the end of the data. */
export function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}

/** Whether `signature`, a Latin-1 string, stands at `at`. */
export function has(bytes: Uint8Array, at: number, signature: string): boolean {
  return at + signature.length <= bytes.length && text(bytes, at, signature.length) === signature
}

/** A box of an ISO media file (MP4, QuickTime, AVIF, HEIC): its four-letter type and the range of its content. */
export interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

// An honest file has a few dozen boxes at any level; a hostile one could hold millions of empty ones.
const MAX_SIBLINGS = 4096

/** The boxes between `start` and `end`, in file order. A box that claims to reach further is cut there. */
export function* boxesIn(
  bytes: Uint8Array,
  { start, end }: Omit<Box, 'type'>,
  mostSiblings = MAX_SIBLINGS,
): Generator<Box> {
  const limit = Math.min(end, bytes.length)
  let at = start
  for (let seen = 0; seen < mostSiblings && at + 8 <= limit; seen++) {
    const shortSize = u32be(bytes, at)
    const header = shortSize === 1 ? 16 : 8
    const size = shortSize === 0 ? limit - at : shortSize === 1 ? u64be(bytes, at + 8) : shortSize
    if (size < header) return
    yield { type: text(bytes, at + 4, 4), start: at + header, end: Math.min(at + size, limit) }
    at += size
  }
}

/** The first box reached by following `path` down from `parent`, or null. */
export function findBox(bytes: Uint8Array, parent: Omit<Box, 'type'>, path: readonly string[]): Box | null {
  const [type, ...rest] = path
  for (const box of boxesIn(bytes, parent)) {
    if (box.type !== type) continue
    return rest.length === 0 ? box : findBox(bytes, box, rest)
  }
  return null
}

export function wholeFile(bytes: Uint8Array): Omit<Box, 'type'> {
  return { start: 0, end: bytes.length }
}

/** Enough to detect every type. */
const sniffedBytes = 4_096

/** The beginning of a stream, and the complete stream again. */
export async function peek(body: ReadableStream): Promise<{ head: Uint8Array; whole: ReadableStream }> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < sniffedBytes) {
    const { done, value } = await reader.read()
    if (done) break
    if (!(value instanceof Uint8Array)) throw new TypeError('A body that is no bytes')
    chunks.push(value)
    length += value.byteLength
  }
  const whole = new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return { head: new Uint8Array(await new Blob(chunks).arrayBuffer()), whole }
}

/** Metadata of a container's audio and video; null if missing or implausible. */
export interface Playback {
  readonly durationSeconds: number | null
  /** As displayed: a rotated recording has its sides swapped. */
  readonly width: number | null
  readonly height: number | null
  /** Frames a second, averaged. */
  readonly frameRate: number | null
  readonly hasVideo: boolean | null
  readonly hasAudio: boolean | null
}

export const unknownPlayback: Playback = {
  durationSeconds: null,
  width: null,
  height: null,
  frameRate: null,
  hasVideo: null,
  hasAudio: null,
}

export function soundOf(durationSeconds: number | null): Playback {
  return { ...unknownPlayback, durationSeconds, hasVideo: false, hasAudio: true }
}

/** Divides `numerator / denominator`; null unless a positive finite number. */
export function ratio(numerator: number, denominator: number): number | null {
  const value = numerator / denominator
  return Number.isFinite(value) && value > 0 ? value : null
}
