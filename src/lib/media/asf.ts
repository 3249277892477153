import { u32le, u64le } from './bytes'
import { type Playback, ratio, soundOf, unknownPlayback } from './playback'

const header = [0x75b22630, 0x11cf668e, 0xaa00d9a6, 0x6cce6200]
const fileProperties = [0x8cabdca1, 0x11cfa947, 0xc000e48e, 0x6553200c]
const streamProperties = [0xb7dc0791, 0x11cfa9b7, 0xc000e68e, 0x6553200c]
const videoStream = [0xbc19efc0, 0x11cf5b4d, 0x8000fda8, 0x2b445c5f]

const HEADER_BYTES = 30
const MAX_OBJECTS = 256

export function isAsf(bytes: Uint8Array): boolean {
  return hasGuid(bytes, 0, header)
}

/** Reads WMA and WMV. The preload time, which the stated length includes, is subtracted. */
export function readAsf(bytes: Uint8Array): Playback {
  let [at, seconds, hasVideo] = [HEADER_BYTES, 0, false]
  const end = Math.min(u64le(bytes, 16), bytes.length)
  for (let seen = 0; seen < MAX_OBJECTS && at + 24 <= end; seen++) {
    const size = u64le(bytes, at + 16)
    if (hasGuid(bytes, at, fileProperties))
      seconds = u64le(bytes, at + 64) / 1e7 - u64le(bytes, at + 80) / 1e3
    if (hasGuid(bytes, at, streamProperties) && hasGuid(bytes, at + 24, videoStream)) hasVideo = true
    if (size < 24) break
    at += size
  }
  const durationSeconds = ratio(seconds, 1)
  return hasVideo ? { ...unknownPlayback, durationSeconds, hasVideo } : soundOf(durationSeconds)
}

/** GUIDs are compared as four little-endian words, the order in which they are stored. */
function hasGuid(bytes: Uint8Array, at: number, guid: readonly number[]): boolean {
  return guid.every((word, index) => u32le(bytes, at + index * 4) === word)
}
