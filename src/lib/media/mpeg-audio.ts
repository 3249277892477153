import { has, type Playback, ratio, soundOf, u8, u16be, u24be, u32be, unknownPlayback } from './bytes'

export type MpegAudioMime = 'audio/mpeg' | 'audio/aac'

interface Frame {
  readonly mime: MpegAudioMime
  readonly size: number
  readonly samples: number
  readonly rate: number
  readonly bitsPerSecond: number
  /** Bytes from the frame's start to the position of an encoder's Xing or Info header. */
  readonly noteAt: number
}

const layer3Rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
const layer2Rates = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 0]
const lowRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0]
const sampleRates = [44_100, 48_000, 32_000]
const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
]

// Taggers pad after the tag; more than this is another kind of file behind a tag.
const MAX_PADDING = 8192
// Over five hours of AAC at 48 kHz.
const MAX_AAC_FRAMES = 1_000_000

/** Detects MP3 (or MP2) or raw AAC, with or without an ID3 tag in front. */
export function sniffMpegAudio(bytes: Uint8Array): MpegAudioMime | null {
  return findFirstFrame(bytes)?.frame.mime ?? null
}

export function readMpegAudio(bytes: Uint8Array): Playback {
  const first = findFirstFrame(bytes)
  if (!first) return unknownPlayback
  return soundOf(first.frame.mime === 'audio/aac' ? aacSeconds(bytes, first.at) : mp3Seconds(bytes, first))
}

/**
 * The sync word is only eleven set bits, so a second frame has to follow the first (or the file end with it):
 * otherwise any text in UTF-16 would pass for music.
 */
function findFirstFrame(bytes: Uint8Array): { at: number; frame: Frame } | null {
  const tag = id3Size(bytes)
  const last = tag === 0 ? 0 : tag + MAX_PADDING
  for (let at = tag; at <= last && at < bytes.length; at++) {
    const frame = frameAt(bytes, at)
    if (!frame) continue
    const next = at + frame.size
    if (next === bytes.length || frameAt(bytes, next)?.mime === frame.mime) return { at, frame }
  }
  return null
}

function id3Size(bytes: Uint8Array): number {
  if (!has(bytes, 0, 'ID3')) return 0
  const footer = (u8(bytes, 5) & 0x10) !== 0 ? 10 : 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (u8(bytes, at) & 0x7f), 0)
  return 10 + size + footer
}

function frameAt(bytes: Uint8Array, at: number): Frame | null {
  const sync = u16be(bytes, at)
  if ((sync & 0xfff6) === 0xfff0) return aacFrameAt(bytes, at)
  return (sync & 0xffe0) === 0xffe0 ? mp3FrameAt(bytes, at) : null
}

function aacFrameAt(bytes: Uint8Array, at: number): Frame | null {
  const rate = aacRates[(u8(bytes, at + 2) >> 2) & 15]
  const size = (u24be(bytes, at + 3) >> 5) & 0x1fff
  if (rate === undefined || size < 7) return null
  return { mime: 'audio/aac', size, samples: 1024, rate, bitsPerSecond: 0, noteAt: 0 }
}

function mp3FrameAt(bytes: Uint8Array, at: number): Frame | null {
  const [second, third, fourth] = [u8(bytes, at + 1), u8(bytes, at + 2), u8(bytes, at + 3)]
  const version = (second >> 3) & 3
  const layer = 4 - ((second >> 1) & 3)
  if (version === 1 || (layer !== 2 && layer !== 3)) return null
  const isFull = version === 3
  const kilobits = (isFull ? (layer === 3 ? layer3Rates : layer2Rates) : lowRates)[third >> 4] ?? 0
  const rate = (sampleRates[(third >> 2) & 3] ?? 0) / (isFull ? 1 : version === 2 ? 2 : 4)
  if (kilobits === 0 || rate === 0) return null
  const samples = layer === 3 && !isFull ? 576 : 1152
  const size = Math.floor((samples * kilobits * 125) / rate) + ((third >> 1) & 1)
  const isMono = fourth >> 6 === 3
  const noteAt = isFull ? (isMono ? 21 : 36) : isMono ? 13 : 21
  return { mime: 'audio/mpeg', size, samples, rate, bitsPerSecond: kilobits * 1000, noteAt }
}

function mp3Seconds(bytes: Uint8Array, { at, frame }: { at: number; frame: Frame }): number | null {
  const frames = countedFrames(bytes, { at, frame })
  if (frames > 0) return ratio(frames * frame.samples, frame.rate)
  const trailer = has(bytes, bytes.length - 128, 'TAG') ? 128 : 0
  return ratio((bytes.length - at - trailer) * 8, frame.bitsPerSecond)
}

/** Frame count stated by the encoder (Xing, Info, VBRI), or 0 for a file of constant rate. */
function countedFrames(bytes: Uint8Array, { at, frame }: { at: number; frame: Frame }): number {
  const note = at + frame.noteAt
  const hasNote = has(bytes, note, 'Xing') || has(bytes, note, 'Info')
  if (hasNote && (u8(bytes, note + 7) & 1) !== 0) return u32be(bytes, note + 8)
  return has(bytes, at + 36, 'VBRI') ? u32be(bytes, at + 50) : 0
}

function aacSeconds(bytes: Uint8Array, start: number): number | null {
  let [at, frames, rate] = [start, 0, 0]
  for (; frames < MAX_AAC_FRAMES; frames++) {
    const frame = frameAt(bytes, at)
    if (frame?.mime !== 'audio/aac') break
    rate = frame.rate
    at += frame.size
  }
  return ratio(frames * 1024, rate)
}
