import type { AudioVideo } from '../lib/media/av'
import type { Dimensions } from '../lib/media/dimensions'

export interface Focus {
  readonly x: number
  readonly y: number
}

export interface PictureMeta {
  readonly width: number
  readonly height: number
  /** `WIDTHxHEIGHT` */
  readonly size: string
  readonly aspect: number
}

export interface PlaybackMeta {
  readonly width?: number
  readonly height?: number
  /** A fraction such as `30/1` or `30000/1001`. */
  readonly frame_rate?: string
  /** Seconds. */
  readonly duration?: number
  /** Bits a second. */
  readonly bitrate?: number
}

/** The `meta` of a MediaAttachment, in API form; unknown values are absent. */
export interface MediaMeta {
  readonly original?: PictureMeta | PlaybackMeta
  readonly small?: PictureMeta
  readonly focus?: Focus
}

interface Extras {
  readonly small?: Dimensions | null
  readonly focus?: Focus | null
}

/** Meta of an image; `small` is the size of its thumbnail. */
export function pictureMeta(original: Dimensions | null, extras: Extras = {}): MediaMeta {
  return { ...(original && { original: describePicture(original) }), ...describeExtras(extras) }
}

/** Meta of video, gifv and audio; `small` is the size of the preview image, if any. */
export function playbackMeta(av: AudioVideo, extras: Extras = {}): MediaMeta {
  const original: PlaybackMeta = {
    ...(av.width && av.height && { width: av.width, height: av.height }),
    ...(av.hasVideo && av.frameRate && { frame_rate: toFraction(av.frameRate) }),
    ...(av.durationSeconds && { duration: av.durationSeconds }),
    ...(av.bitrate && { bitrate: av.bitrate }),
  }
  return { original, ...describeExtras(extras) }
}

/** Parses `x,y`, each within -1 and 1 (0,0 is the middle, 1,1 the top right); null for anything else. */
export function parseFocus(value: string): Focus | null {
  const parts = value.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [x = Number.NaN, y = Number.NaN] = parts
  if (parts.length !== 2) return null
  return Math.abs(x) <= 1 && Math.abs(y) <= 1 ? { x, y } : null
}

function describeExtras({ small, focus }: Extras): Omit<MediaMeta, 'original'> {
  return { ...(small && { small: describePicture(small) }), ...(focus && { focus }) }
}

export function describePicture({ width, height }: Dimensions): PictureMeta {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}

/** Broadcast rates are whole numbers over 1.001; players need them exact. */
function toFraction(rate: number): string {
  for (const divisor of [1, 1001]) {
    const dividend = Math.round(rate * divisor)
    if (Math.abs(dividend / divisor - rate) < 1e-6) return `${dividend}/${divisor}`
  }
  return `${Math.round(rate * 1000)}/1000`
}
