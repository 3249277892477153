import { has, type Playback, ratio, soundOf, u8, u24be, u32be, u32le, unknownPlayback } from './bytes'
import { readMp4 } from './mp4'
import { readMpegAudio } from './mpeg-audio'
import { readOgg } from './ogg'
import { readAsf, sniffMedia } from './sniff'
import { readWebm } from './webm'

export interface AudioVideo extends Playback {
  /** Bits a second over the whole file, headers and tags included, as ffprobe counts. */
  readonly bitrate: number | null
}

/**
 * Reads the metadata of an audio or video file, without decoding any of it.
 *
 * Missing or broken metadata and other file types give nulls; no input throws. `hasVideo` true with `hasAudio`
 * false is a silent video, which Mastodon calls gifv.
 */
export function readAudioVideo(bytes: Uint8Array): AudioVideo {
  const playback = readPlayback(bytes)
  const bitrate = ratio(bytes.length * 8, playback.durationSeconds ?? 0)
  return { ...playback, bitrate: Math.round(bitrate ?? 0) || null }
}

function readPlayback(bytes: Uint8Array): Playback {
  switch (sniffMedia(bytes)?.mime) {
    case 'video/mp4':
    case 'video/quicktime':
    case 'audio/mp4':
    case 'audio/3gpp':
      return readMp4(bytes)
    case 'video/webm':
    case 'audio/webm':
      return readWebm(bytes)
    case 'video/ogg':
    case 'audio/ogg':
      return readOgg(bytes)
    case 'audio/mpeg':
    case 'audio/aac':
      return readMpegAudio(bytes)
    case 'audio/wav':
      return readWav(bytes)
    case 'audio/flac':
      return readFlac(bytes)
    case 'video/x-ms-asf':
      return readAsf(bytes)
    default:
      return unknownPlayback
  }
}

const MAX_CHUNKS = 256

/** Reads WAV: the bytes of audio divided by the bytes a second takes. */
function readWav(bytes: Uint8Array): Playback {
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
function readFlac(bytes: Uint8Array): Playback {
  const rate = u24be(bytes, 18) >> 4
  const samples = (u8(bytes, 21) & 15) * 2 ** 32 + u32be(bytes, 22)
  return soundOf(ratio(samples, rate))
}
