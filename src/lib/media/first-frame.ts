import { firstGifFrame } from './gif'
import { sniffMedia, stillPng } from './sniff'
import { firstWebpFrame } from './webp'

/** Still form of an animated picture, in its own format; null for a still picture, and for a broken one. */
export function firstFrameOf(bytes: Uint8Array): Uint8Array | null {
  const sniffed = sniffMedia(bytes)
  if (sniffed?.kind !== 'gifv-candidate') return null
  if (sniffed.mime === 'image/gif') return firstGifFrame(bytes)
  return sniffed.mime === 'image/png' ? stillPng(bytes) : firstWebpFrame(bytes)
}
