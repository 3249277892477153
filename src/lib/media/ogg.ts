import {
  has,
  type Playback,
  ratio,
  u8,
  u16be,
  u16le,
  u24be,
  u32be,
  u32le,
  u64le,
  unknownPlayback,
} from './bytes'

// A page holds at most 65,307 bytes, so this much of the end contains a whole last page of two streams.
const TAIL_BYTES = 131_072
const MAX_STREAMS = 16

interface Stream {
  readonly serial: number
  readonly isVideo: boolean
  readonly width: number | null
  readonly height: number | null
  readonly frameRate: number | null
  /** Turns a page's granule position into seconds from the start. */
  readonly secondsAt: (granule: number) => number | null
}

/** Reads Ogg files of Vorbis, Opus, FLAC, Speex and Theora; nulls for other codecs. */
export function readOgg(bytes: Uint8Array): Playback {
  const streams = readStreams(bytes)
  if (streams.length === 0) return unknownPlayback
  const picture = streams.find((stream) => stream.isVideo)
  return {
    durationSeconds: readDuration(bytes, streams),
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    frameRate: picture?.frameRate ?? null,
    hasVideo: picture !== undefined,
    hasAudio: streams.some((stream) => !stream.isVideo),
  }
}

/** Every stream is described by a first page of its own before any other page. */
function readStreams(bytes: Uint8Array): Stream[] {
  const streams: Stream[] = []
  let at = 0
  for (let page = 0; page < MAX_STREAMS && has(bytes, at, 'OggS'); page++) {
    const isFirstPage = (u8(bytes, at + 5) & 2) !== 0
    if (!isFirstPage) break
    const segments = u8(bytes, at + 26)
    const body = at + 27 + segments
    const stream = readStream(bytes, { serial: u32le(bytes, at + 14), at: body })
    if (stream) streams.push(stream)
    at = body + bytes.subarray(at + 27, body).reduce((sum, length) => sum + length, 0)
  }
  return streams
}

function readStream(bytes: Uint8Array, { serial, at }: { serial: number; at: number }): Stream | null {
  if (has(bytes, at, '\x80theora')) return readTheora(bytes, { serial, at })
  const clock = readSampleClock(bytes, at)
  if (!clock) return null
  const secondsAt = (granule: number) => ratio(granule - clock.skip, clock.rate)
  return { serial, isVideo: false, width: null, height: null, frameRate: null, secondsAt }
}

function readSampleClock(bytes: Uint8Array, at: number): { rate: number; skip: number } | null {
  if (has(bytes, at, '\x01vorbis')) return { rate: u32le(bytes, at + 12), skip: 0 }
  // Opus always counts at 48 kHz, and includes the encoder's pre-skip that players drop.
  if (has(bytes, at, 'OpusHead')) return { rate: 48_000, skip: u16le(bytes, at + 10) }
  if (has(bytes, at, '\x7fFLAC')) return { rate: u24be(bytes, at + 27) >> 4, skip: 0 }
  if (has(bytes, at, 'Speex   ')) return { rate: u32le(bytes, at + 36), skip: 0 }
  return null
}

function readTheora(bytes: Uint8Array, { serial, at }: { serial: number; at: number }): Stream {
  const frameRate = ratio(u32be(bytes, at + 22), u32be(bytes, at + 26))
  const shift = 2 ** ((u16be(bytes, at + 40) >> 5) & 31)
  return {
    serial,
    isVideo: true,
    width: u24be(bytes, at + 14) || null,
    height: u24be(bytes, at + 17) || null,
    frameRate,
    // The upper part numbers the last key frame, the lower part the frames since.
    secondsAt: (granule) => ratio(Math.floor(granule / shift) + (granule % shift), frameRate ?? 0),
  }
}

/** The latest time any stream reaches on its last page. */
function readDuration(bytes: Uint8Array, streams: readonly Stream[]): number | null {
  let latest = 0
  const first = Math.max(0, bytes.length - TAIL_BYTES)
  for (let at = bytes.indexOf(0x4f, first); at !== -1; at = bytes.indexOf(0x4f, at + 1)) {
    if (!has(bytes, at, 'OggS')) continue
    const granule = u64le(bytes, at + 6)
    const stream = streams.find(({ serial }) => serial === u32le(bytes, at + 14))
    // A granule of all ones marks a page on which no packet ends.
    if (stream && granule < 2 ** 63) latest = Math.max(latest, stream.secondsAt(granule) ?? 0)
  }
  return latest || null
}
