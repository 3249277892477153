import {
  type Box,
  boxesIn,
  findBox,
  has,
  type Playback,
  ratio,
  text,
  u8,
  u16be,
  u32be,
  u64be,
  unknownPlayback,
  wholeFile,
} from './bytes'

const MAX_TRACKS = 64

interface Clock {
  readonly timescale: number
  readonly duration: number
}

interface Track {
  readonly handler: string
  readonly width: number
  readonly height: number
  readonly frameRate: number | null
}

/** Reads MP4, QuickTime, M4A and 3GP from their `moov` box, at any place in the file. */
export function readMp4(bytes: Uint8Array): Playback {
  const moov = findBox(bytes, wholeFile(bytes), ['moov'])
  if (!moov) return unknownPlayback
  const tracks = readTracks(bytes, moov)
  const picture = tracks.find((track) => track.handler === 'vide')
  return {
    durationSeconds: readDuration(bytes, moov),
    width: picture?.width || null,
    height: picture?.height || null,
    frameRate: picture?.frameRate ?? null,
    hasVideo: tracks.length === 0 ? null : picture !== undefined,
    hasAudio: tracks.length === 0 ? null : tracks.some((track) => track.handler === 'soun'),
  }
}

function readDuration(bytes: Uint8Array, moov: Box): number | null {
  const header = findBox(bytes, moov, ['mvhd'])
  if (!header) return null
  const clock = readClock(bytes, header)
  if (clock.duration > 0) return ratio(clock.duration, clock.timescale)
  // A fragmented file has no samples under `moov` and may keep its length here instead.
  const fragments = findBox(bytes, moov, ['mvex', 'mehd'])
  const read = fragments !== null && u8(bytes, fragments.start) === 1 ? u64be : u32be
  const stated = fragments === null ? 0 : read(bytes, fragments.start + 4)
  return ratio(stated, clock.timescale) ?? readFragmentedSeconds(bytes, moov)
}

/** `mvhd` and `mdhd` begin alike. A value of all ones stands for "unknown" and reads as zero. */
function readClock(bytes: Uint8Array, { start }: Box): Clock {
  const isLong = u8(bytes, start) === 1
  const duration = isLong ? u64be(bytes, start + 24) : u32be(bytes, start + 16)
  const isUnknown = duration >= (isLong ? 2 ** 63 : 2 ** 32 - 1)
  return { timescale: u32be(bytes, start + (isLong ? 20 : 12)), duration: isUnknown ? 0 : duration }
}

function readTracks(bytes: Uint8Array, moov: Box): Track[] {
  const tracks: Track[] = []
  for (const box of boxesIn(bytes, moov)) {
    if (box.type === 'trak' && tracks.length < MAX_TRACKS) tracks.push(readTrack(bytes, box))
  }
  return tracks
}

function readTrack(bytes: Uint8Array, trak: Box): Track {
  const handler = findBox(bytes, trak, ['mdia', 'hdlr'])
  return {
    handler: handler ? text(bytes, handler.start + 8, 4) : '',
    frameRate: readFrameRate(bytes, trak),
    ...readSides(bytes, trak),
  }
}

function readSides(bytes: Uint8Array, trak: Box): { width: number; height: number } {
  const header = findBox(bytes, trak, ['tkhd'])
  if (!header) return { width: 0, height: 0 }
  const matrix = header.start + (u8(bytes, header.start) === 1 ? 52 : 40)
  const width = u16be(bytes, matrix + 36)
  const height = u16be(bytes, matrix + 40)
  // Phones held upright store a landscape picture and a quarter turn: no x in x', no y in y'.
  const isQuarterTurn = u32be(bytes, matrix) === 0 && u32be(bytes, matrix + 16) === 0
  return isQuarterTurn ? { width: height, height: width } : { width, height }
}

function readFrameRate(bytes: Uint8Array, trak: Box): number | null {
  const media = findBox(bytes, trak, ['mdia', 'mdhd'])
  const sizes = findBox(bytes, trak, ['mdia', 'minf', 'stbl', 'stsz'])
  if (!media || !sizes) return null
  const clock = readClock(bytes, media)
  const frames = u32be(bytes, sizes.start + 8)
  return ratio(frames * clock.timescale, clock.duration)
}

/** A fragment is a second or more in most files, so these are a day; a hostile one could hold millions of empty boxes. */
const MAX_FRAGMENTS = 100_000

interface FragmentedTrack {
  readonly timescale: number
  /** Duration of a sample where neither it nor its fragment states one. */
  defaultDuration: number
  duration: number
}

/**
 * Duration in seconds of a fragmented MP4 whose header states none: that of the samples in its fragments, by the longest
 * track, or else by its index of segments. Null for other files. Time is linear in the bytes for any input.
 */
function readFragmentedSeconds(bytes: Uint8Array, moov: Box): number | null {
  const defaults = findBox(bytes, moov, ['mvex'])
  if (defaults === null) return null
  const tracks = readFragmentTracks(bytes, moov)
  for (const box of boxesIn(bytes, defaults)) {
    const track = box.type === 'trex' ? tracks.get(u32be(bytes, box.start + 4)) : undefined
    if (track !== undefined) track.defaultDuration = u32be(bytes, box.start + 12)
  }
  let indexed = 0
  for (const box of boxesIn(bytes, wholeFile(bytes), 2 * MAX_FRAGMENTS)) {
    if (box.type === 'moof') addFragment(bytes, box, tracks)
    if (box.type === 'sidx' && indexed === 0) indexed = readIndexedSeconds(bytes, box)
  }
  const seconds = [...tracks.values()].map(({ duration, timescale }) => ratio(duration, timescale) ?? 0)
  return ratio(Math.max(0, ...seconds) || indexed, 1)
}

function readFragmentTracks(bytes: Uint8Array, moov: Box): Map<number, FragmentedTrack> {
  const tracks = new Map<number, FragmentedTrack>()
  for (const box of boxesIn(bytes, moov)) {
    const header = box.type === 'trak' ? findBox(bytes, box, ['tkhd']) : null
    const media = box.type === 'trak' ? findBox(bytes, box, ['mdia', 'mdhd']) : null
    if (header === null || media === null || tracks.size >= MAX_TRACKS) continue
    const id = u32be(bytes, header.start + (u8(bytes, header.start) === 1 ? 20 : 12))
    const timescale = u32be(bytes, media.start + (u8(bytes, media.start) === 1 ? 20 : 12))
    tracks.set(id, { timescale, defaultDuration: 0, duration: 0 })
  }
  return tracks
}

function addFragment(bytes: Uint8Array, moof: Box, tracks: ReadonlyMap<number, FragmentedTrack>): void {
  for (const traf of boxesIn(bytes, moof)) {
    if (traf.type !== 'traf') continue
    const header = findBox(bytes, traf, ['tfhd'])
    const track = header === null ? undefined : tracks.get(u32be(bytes, header.start + 4))
    if (header === null || track === undefined) continue
    const usual = readUsualDuration(bytes, header) ?? track.defaultDuration
    for (const run of boxesIn(bytes, traf))
      if (run.type === 'trun') track.duration += readRun(bytes, run, usual)
  }
}

/** Duration of a sample of this fragment, unless it states its own; null where the fragment states none. */
function readUsualDuration(bytes: Uint8Array, { start }: Box): number | null {
  const flags = u8(bytes, start + 3)
  if ((flags & 0x08) === 0) return null
  return u32be(bytes, start + 8 + ((flags & 0x01) === 0 ? 0 : 8) + ((flags & 0x02) === 0 ? 0 : 4))
}

/** Summed durations of the samples of a run, in units of the track. */
function readRun(bytes: Uint8Array, { start, end }: Box, usual: number): number {
  const flags = u16be(bytes, start + 2)
  const samples = u32be(bytes, start + 4)
  const first = start + 8 + ((flags & 0x01) === 0 ? 0 : 4) + ((flags & 0x04) === 0 ? 0 : 4)
  const sampleBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter((field) => (flags & field) !== 0).length
  const held = sampleBytes === 0 ? samples : Math.min(samples, Math.floor((end - first) / sampleBytes))
  if ((flags & 0x100) === 0) return Math.max(0, held) * usual
  let sum = 0
  for (let sample = 0; sample < held; sample++) sum += u32be(bytes, first + sample * sampleBytes)
  return sum
}

/** Summed durations of the segments that an index lists, in seconds. */
function readIndexedSeconds(bytes: Uint8Array, { start, end }: Box): number {
  const timescale = u32be(bytes, start + 8)
  const count = start + (u8(bytes, start) === 0 ? 22 : 30)
  const held = Math.min(u16be(bytes, count), Math.floor((end - count - 2) / 12))
  let sum = 0
  for (let segment = 0; segment < held; segment++) sum += u32be(bytes, count + 2 + segment * 12 + 4)
  return ratio(sum, timescale) ?? 0
}

const tagBoxes: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid'])
const parents: ReadonlySet<string> = new Set(['moov', 'trak'])
const free = Uint8Array.from('free', (letter) => letter.charCodeAt(0))

/**
 * Blanks, in place, the boxes of an MP4 or QuickTime file in which cameras record location and device. They
 * become empty space of the same length: the rest of the file is found by offsets.
 *
 * Tracks of coordinates woven into the recording (action cameras) are kept: removing them takes rewriting the
 * file.
 */
export function blankMovieTags(bytes: Uint8Array): void {
  for (const box of boxesIn(bytes, wholeFile(bytes))) {
    if (box.type === 'uuid') blank(bytes, box)
    if (box.type === 'moov') blankIn(bytes, box)
  }
}

function blankIn(bytes: Uint8Array, parent: Box): void {
  for (const box of boxesIn(bytes, parent)) {
    if (tagBoxes.has(box.type) && !isSpherical(parent, box)) blank(bytes, box)
    if (parents.has(box.type)) blankIn(bytes, box)
  }
}

/** In a track `uuid` holds the projection of a 360° video, which cannot be watched without it. */
function isSpherical(parent: Box, { type }: Box): boolean {
  return parent.type === 'trak' && type === 'uuid'
}

function blank(bytes: Uint8Array, { type, start, end }: Box): void {
  // The type stands right before the content, or before a long form of the size.
  bytes.set(free, has(bytes, start - 4, type) ? start - 4 : start - 12)
  bytes.fill(0, start, end)
}
