import { text, u32be, u64be } from './bytes'

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
