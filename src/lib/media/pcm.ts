import { has, u8, u24be, u32be, u32le } from './bytes'
import { type Playback, ratio, soundOf } from './playback'

const MAX_CHUNKS = 256

/** Reads WAV: the bytes of audio divided by the bytes a second takes. */
export function readWav(bytes: Uint8Array): Playback {
  let [bytesPerSecond, at] = [0, 12]
  for (let seen = 0; seen < MAX_CHUNKS && at + 8 <= bytes.length; seen++) {
    const size = u32le(bytes, at + 4)
    if (has(bytes, at, 'fmt ')) bytesPerSecond = u32le(bytes, at + 16)
    if (has(bytes, at, 'data')) return soundOf(ratio(soundBytes(bytes, at, size), bytesPerSecond))
    at += 8 + size + (size % 2)
  }
  return soundOf(null)
}

/**
 * Size of the audio data. A recorder that wrote to a pipe could not go back to fill it in: it left 0 or all
 * ones.
 */
function soundBytes(bytes: Uint8Array, at: number, size: number): number {
  const rest = bytes.length - at - 8
  return size === 0 ? rest : Math.min(size, rest)
}

/** Reads FLAC from its first block, which always is STREAMINFO. */
export function readFlac(bytes: Uint8Array): Playback {
  const rate = u24be(bytes, 18) >> 4
  const samples = (u8(bytes, 21) & 15) * 2 ** 32 + u32be(bytes, 22)
  return soundOf(ratio(samples, rate))
}
