import { type Playback, ratio, text, u8, u16be } from './bytes'

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const TRACK_TYPE = 0x83
const DEFAULT_DURATION = 0x23e383
const VIDEO = 0xe0
const PIXEL_WIDTH = 0xb0
const PIXEL_HEIGHT = 0xba
const CLUSTER = 0x1f43b675
const CLUSTER_TIME = 0xe7
const SIMPLE_BLOCK = 0xa3
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1

const VIDEO_TRACK = 1
const AUDIO_TRACK = 2

// Containers are entered instead of skipped, so that one flat loop sees every element that matters; live
// recorders leave the size of segments and clusters open anyway.
const containers = new Set([SEGMENT, INFO, TRACKS, TRACK_ENTRY, VIDEO, CLUSTER, BLOCK_GROUP])

// About two hours of 30 frames and 50 audio packets a second.
const MAX_ELEMENTS = 600_000

interface Element {
  readonly id: number
  readonly start: number
  readonly end: number
}

/** The EBML document type (`webm`, `matroska`), or null for anything else. */
export function readDocType(bytes: Uint8Array): string | null {
  const header = elementAt(bytes, 0)
  if (header?.id !== EBML) return null
  let at = header.start
  while (at < header.end) {
    const element = elementAt(bytes, at)
    if (!element) return null
    if (element.id === DOC_TYPE) return text(bytes, element.start, Math.min(element.end - element.start, 16))
    at = element.end
  }
  return null
}

/** Reads WebM and Matroska. A live recording states no duration; the time of its last block is used instead. */
export function readWebm(bytes: Uint8Array): Playback {
  const found = collect(bytes)
  const isKnown = found.trackTypes.size > 0
  return {
    durationSeconds: ratio((found.duration || found.lastTime) * found.scale, 1e9),
    width: found.width || null,
    height: found.height || null,
    frameRate: ratio(1e9, found.frameNanoseconds),
    hasVideo: isKnown ? found.trackTypes.has(VIDEO_TRACK) : null,
    hasAudio: isKnown ? found.trackTypes.has(AUDIO_TRACK) : null,
  }
}

function collect(bytes: Uint8Array) {
  const found = { scale: 1_000_000, duration: 0, lastTime: 0, width: 0, height: 0, frameNanoseconds: 0 }
  const trackTypes = new Set<number>()
  let [trackType, clusterTime] = [0, 0]
  for (const element of elementsOf(bytes)) {
    switch (element.id) {
      case TIMESTAMP_SCALE:
        found.scale = unsigned(bytes, element)
        break
      case DURATION:
        found.duration = float(bytes, element)
        break
      case TRACK_TYPE:
        trackType = unsigned(bytes, element)
        trackTypes.add(trackType)
        break
      case DEFAULT_DURATION:
        if (trackType === VIDEO_TRACK) found.frameNanoseconds = unsigned(bytes, element)
        break
      case PIXEL_WIDTH:
        found.width ||= unsigned(bytes, element)
        break
      case PIXEL_HEIGHT:
        found.height ||= unsigned(bytes, element)
        break
      case CLUSTER:
        if (found.duration > 0) return { ...found, trackTypes }
        break
      case CLUSTER_TIME:
        clusterTime = unsigned(bytes, element)
        break
      case SIMPLE_BLOCK:
      case BLOCK:
        found.lastTime = Math.max(found.lastTime, clusterTime + blockTime(bytes, element))
    }
  }
  return { ...found, trackTypes }
}

function* elementsOf(bytes: Uint8Array): Generator<Element> {
  let at = 0
  for (let seen = 0; seen < MAX_ELEMENTS; seen++) {
    const element = elementAt(bytes, at)
    if (!element) return
    yield element
    at = containers.has(element.id) ? element.start : element.end
  }
}

function elementAt(bytes: Uint8Array, at: number): Element | null {
  const idLength = lengthOfNumber(bytes, at)
  const sizeAt = at + idLength
  const sizeLength = lengthOfNumber(bytes, sizeAt)
  const start = sizeAt + sizeLength
  if (idLength === 0 || idLength > 4 || sizeLength === 0 || start > bytes.length) return null
  // The length marker bit is removed first: kept, it would push an eight-byte size past 2^53.
  const highest = u8(bytes, sizeAt) - 2 ** (8 - sizeLength)
  const size = highest * 256 ** (sizeLength - 1) + unsigned(bytes, { start: sizeAt + 1, end: start })
  return { id: unsigned(bytes, { start: at, end: sizeAt }), start, end: Math.min(start + size, bytes.length) }
}

/** Zero leading bits plus one give the length; a first byte of zero, or no byte at all, gives 0. */
function lengthOfNumber(bytes: Uint8Array, at: number): number {
  const first = u8(bytes, at)
  return first === 0 ? 0 : Math.clz32(first) - 23
}

function unsigned(bytes: Uint8Array, { start, end }: Omit<Element, 'id'>): number {
  let value = 0
  for (let at = start; at < Math.min(end, start + 8); at++) value = value * 256 + u8(bytes, at)
  return value
}

function float(bytes: Uint8Array, { start, end }: Element): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, end - start)
  const value = view.byteLength === 8 ? view.getFloat64(0) : view.byteLength === 4 ? view.getFloat32(0) : 0
  return Number.isFinite(value) && value > 0 ? value : 0
}

/** A block opens with its track number and a signed 16-bit time relative to its cluster. */
function blockTime(bytes: Uint8Array, { start }: Element): number {
  const time = u16be(bytes, start + lengthOfNumber(bytes, start))
  return time >= 0x8000 ? time - 0x10000 : time
}
