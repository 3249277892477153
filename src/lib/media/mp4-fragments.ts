import { type Box, boxesIn, findBox, wholeFile } from './boxes'
import { u8, u16be, u32be } from './bytes'
import { ratio } from './playback'

/** A fragment is a second or more in most files, so these are a day; a hostile one could hold millions of empty boxes. */
const MAX_FRAGMENTS = 100_000
const MAX_TRACKS = 64

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
export function readFragmentedSeconds(bytes: Uint8Array, moov: Box): number | null {
  const defaults = findBox(bytes, moov, ['mvex'])
  if (defaults === null) return null
  const tracks = readTracks(bytes, moov)
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

function readTracks(bytes: Uint8Array, moov: Box): Map<number, FragmentedTrack> {
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
