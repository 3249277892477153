import { readAsf } from './asf'
import { readMp4 } from './mp4'
import { readMpegAudio } from './mpeg-audio'
import { readOgg } from './ogg'
import { readFlac, readWav } from './pcm'
import { type Playback, ratio, unknownPlayback } from './playback'
import { sniffMedia } from './sniff'
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
