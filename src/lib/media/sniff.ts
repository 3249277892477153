import { has, type Playback, ratio, soundOf, text, u8, u32be, u32le, u64le, unknownPlayback } from './bytes'
import { countGifFrames } from './gif'
import { readMp4 } from './mp4'
import { sniffMpegAudio } from './mpeg-audio'
import { readOgg } from './ogg'
import { readDocType, readWebm } from './webm'
import { isMovingWebp } from './webp'

export type MediaKind = 'image' | 'gifv-candidate' | 'video' | 'audio'

export interface SniffedMedia {
  /** A member of `supportedMimeTypes`: the media type to store and to serve the file under. */
  readonly mime: SupportedMimeType
  readonly kind: MediaKind
}

export type SupportedMimeType = (typeof supportedMimeTypes)[number]

/** Media types for upload, as `configuration.media_attachments.supported_mime_types` lists them where all are taken. */
export const supportedMimeTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/webp',
  'image/avif',
  'video/webm',
  'video/mp4',
  'video/quicktime',
  'video/ogg',
  'audio/wave',
  'audio/wav',
  'audio/x-wav',
  'audio/x-pn-wave',
  'audio/vnd.wave',
  'audio/ogg',
  'audio/vorbis',
  'audio/mpeg',
  'audio/mp3',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'audio/m4a',
  'audio/x-m4a',
  'audio/mp4',
  'audio/3gpp',
  'video/x-ms-asf',
] as const

/** Types of avatars, headers and pictures of the server. */
export const profileMimes: readonly SupportedMimeType[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
]

/** Types of custom emojis, as in Mastodon: other servers would not show others. */
export const emojiMimes: readonly SupportedMimeType[] = ['image/png', 'image/gif', 'image/webp']

/** Types of pictures that not every browser shows: they are refused where the image service cannot convert them. */
export const convertedMimes: readonly SupportedMimeType[] = ['image/heic', 'image/heif', 'image/avif']

const MAX_BRANDS = 32

const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'])
const avifBrands = new Set(['avif', 'avis'])
const heifBrands = new Set(['mif1', 'msf1'])
const mp4Brand = /^(iso[m2-9]|mp4[12]|avc1|M4V.|f4v |mmp4|dash|MSNV|XAVC|cmfc)$/
const m4aBrand = /^(M4A |M4B |F4A )$/
const thirdGenerationBrand = /^3g[pgers2]/
const oldQuickTimeAtoms = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/**
 * Detects the media type by the bytes alone; null for anything that may not be uploaded (documents, scripts,
 * archives, SVG, Matroska that is not WebM, 3GP and ASF with video).
 *
 * An animated GIF, PNG or WebP is a `gifv-candidate`. A silent video is one as well, which only `readAudioVideo` can tell.
 */
export function sniffMedia(bytes: Uint8Array): SniffedMedia | null {
  if (has(bytes, 0, '\xff\xd8\xff') && u8(bytes, 3) >= 0xc0) return { mime: 'image/jpeg', kind: 'image' }
  if (has(bytes, 0, '\x89PNG\r\n\x1a\n') && has(bytes, 12, 'IHDR'))
    return { mime: 'image/png', kind: isMovingPng(bytes) ? 'gifv-candidate' : 'image' }
  if (has(bytes, 0, 'GIF87a') || has(bytes, 0, 'GIF89a')) return sniffGif(bytes)
  if (has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBPVP8'))
    return { mime: 'image/webp', kind: isMovingWebp(bytes) ? 'gifv-candidate' : 'image' }
  if (has(bytes, 0, 'RIFF') && has(bytes, 8, 'WAVE')) return { mime: 'audio/wav', kind: 'audio' }
  if (has(bytes, 4, 'ftyp')) return sniffBrands(bytes)
  if (oldQuickTimeAtoms.has(text(bytes, 4, 4))) return sniffOldQuickTime(bytes)
  if (has(bytes, 0, '\x1a\x45\xdf\xa3')) return sniffWebm(bytes)
  if (has(bytes, 0, 'OggS')) return sniffOgg(bytes)
  if (has(bytes, 0, 'fLaC')) return { mime: 'audio/flac', kind: 'audio' }
  if (isAsf(bytes)) return readAsf(bytes).hasVideo ? null : { mime: 'video/x-ms-asf', kind: 'audio' }
  const mime = sniffMpegAudio(bytes)
  return mime && { mime, kind: 'audio' }
}

function sniffGif(bytes: Uint8Array): SniffedMedia {
  return { mime: 'image/gif', kind: countGifFrames(bytes, 2) > 1 ? 'gifv-candidate' : 'image' }
}

/** The major brand decides; generic ones leave it to the compatible brands listed after it. */
function sniffBrands(bytes: Uint8Array): SniffedMedia | null {
  const brands = readBrands(bytes)
  const [major = ''] = brands
  if (avifBrands.has(major)) return { mime: 'image/avif', kind: 'image' }
  if (heicBrands.has(major)) return { mime: 'image/heic', kind: 'image' }
  if (heifBrands.has(major)) return { mime: heifMime(brands), kind: 'image' }
  if (m4aBrand.test(major)) return { mime: 'audio/mp4', kind: 'audio' }
  if (major === 'qt  ') return soundOnly(bytes) ?? { mime: 'video/quicktime', kind: 'video' }
  if (thirdGenerationBrand.test(major)) return soundOnly(bytes) && { mime: 'audio/3gpp', kind: 'audio' }
  if (!brands.some((brand) => mp4Brand.test(brand))) return null
  return soundOnly(bytes) ?? { mime: 'video/mp4', kind: 'video' }
}

function readBrands(bytes: Uint8Array): string[] {
  const end = Math.min(u32be(bytes, 0), bytes.length, 16 + MAX_BRANDS * 4)
  const brands = [text(bytes, 8, 4)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text(bytes, at, 4))
  return brands
}

function heifMime(brands: readonly string[]): SupportedMimeType {
  if (brands.some((brand) => avifBrands.has(brand))) return 'image/avif'
  return brands.some((brand) => heicBrands.has(brand)) ? 'image/heic' : 'image/heif'
}

function soundOnly(bytes: Uint8Array): SniffedMedia | null {
  const { hasVideo, hasAudio } = readMp4(bytes)
  return hasAudio && !hasVideo ? { mime: 'audio/mp4', kind: 'audio' } : null
}

/** Cameras before 2005 wrote no brands; the first atom alone is too weak a sign, so a track is required. */
function sniffOldQuickTime(bytes: Uint8Array): SniffedMedia | null {
  return readMp4(bytes).hasVideo ? { mime: 'video/quicktime', kind: 'video' } : null
}

function sniffWebm(bytes: Uint8Array): SniffedMedia | null {
  if (readDocType(bytes) !== 'webm') return null
  const { hasVideo, hasAudio } = readWebm(bytes)
  const isSound = hasAudio && !hasVideo
  return isSound ? { mime: 'audio/webm', kind: 'audio' } : { mime: 'video/webm', kind: 'video' }
}

function sniffOgg(bytes: Uint8Array): SniffedMedia | null {
  const { hasVideo, hasAudio } = readOgg(bytes)
  if (hasVideo) return { mime: 'video/ogg', kind: 'video' }
  return hasAudio ? { mime: 'audio/ogg', kind: 'audio' } : null
}

const SIGNATURE_BYTES = 8
const CHUNK_BYTES = 12
const [animationControl, frameControl, frameData, imageData, end] = [
  'acTL',
  'fcTL',
  'fdAT',
  'IDAT',
  'IEND',
].map((name) => u32be(Buffer.from(name), 0))

/**
 * Whether a PNG is animated: it says so before its picture, as is required, and has at least two frames. Others are shown
 * as still pictures.
 */
function isMovingPng(bytes: Uint8Array): boolean {
  if (!has(bytes, 0, '\x89PNG')) return false
  let frames = 0
  let isAnnounced = false
  for (const { type, start } of chunksIn(bytes)) {
    if (type === animationControl) isAnnounced = u32be(bytes, start + 8) > 1
    if (type === imageData && !isAnnounced) return false
    if (type === frameControl) frames += 1
    if (frames > 1 && isAnnounced) return true
  }
  return false
}

/** Still form of an animated PNG: the picture that software without animations shows. Null for a broken file. */
export function stillPng(bytes: Uint8Array): Uint8Array | null {
  const still = new Uint8Array(bytes.length)
  still.set(bytes.subarray(0, SIGNATURE_BYTES))
  let length = SIGNATURE_BYTES
  for (const { type, start, to } of chunksIn(bytes)) {
    if (type === animationControl || type === frameControl || type === frameData) continue
    still.set(bytes.subarray(start, to), length)
    length += to - start
    if (type === end) return still.subarray(0, length)
  }
  return null
}

/** The whole chunks of a PNG; one that claims to be longer than the file ends the list. */
function* chunksIn(bytes: Uint8Array) {
  for (let start = SIGNATURE_BYTES; start + CHUNK_BYTES <= bytes.length; ) {
    const to = start + CHUNK_BYTES + u32be(bytes, start)
    if (to > bytes.length) return
    yield { type: u32be(bytes, start + 4), start, to }
    start = to
  }
}

const header = [0x75b22630, 0x11cf668e, 0xaa00d9a6, 0x6cce6200]
const fileProperties = [0x8cabdca1, 0x11cfa947, 0xc000e48e, 0x6553200c]
const streamProperties = [0xb7dc0791, 0x11cfa9b7, 0xc000e68e, 0x6553200c]
const videoStream = [0xbc19efc0, 0x11cf5b4d, 0x8000fda8, 0x2b445c5f]

const HEADER_BYTES = 30
const MAX_OBJECTS = 256

function isAsf(bytes: Uint8Array): boolean {
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
