/** Metadata of a container's audio and video; null if missing or implausible. */
export interface Playback {
  readonly durationSeconds: number | null
  /** As displayed: a rotated recording has its sides swapped. */
  readonly width: number | null
  readonly height: number | null
  /** Frames a second, averaged. */
  readonly frameRate: number | null
  readonly hasVideo: boolean | null
  readonly hasAudio: boolean | null
}

export const unknownPlayback: Playback = {
  durationSeconds: null,
  width: null,
  height: null,
  frameRate: null,
  hasVideo: null,
  hasAudio: null,
}

export function soundOf(durationSeconds: number | null): Playback {
  return { ...unknownPlayback, durationSeconds, hasVideo: false, hasAudio: true }
}

/** Divides `numerator / denominator`; null unless a positive finite number. */
export function ratio(numerator: number, denominator: number): number | null {
  const value = numerator / denominator
  return Number.isFinite(value) && value > 0 ? value : null
}
