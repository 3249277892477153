import { type Box, boxesIn, findBox, wholeFile } from './boxes'
import { text, u8, u16be, u32be, u64be } from './bytes'
import { readFragmentedSeconds } from './mp4-fragments'
import { type Playback, ratio, unknownPlayback } from './playback'

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
