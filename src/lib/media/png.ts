import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'blurhash'
import { inflateWithin } from '../inflate'
import { text, u8, u32be } from './bytes'
import type { Dimensions } from './dimensions'

export interface Picture {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel, row by row from the top. */
  readonly rgba: Uint8ClampedArray
}

interface Header {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
  readonly channels: number
}

interface Chunks {
  readonly palette: Uint8Array
  readonly transparency: Uint8Array
  readonly data: Uint8Array
}

const GRAY = 0
const PALETTE = 3
const channelsOf = new Map([
  [GRAY, 1],
  [2, 3],
  [PALETTE, 1],
  [4, 2],
  [6, 4],
])
const MAX_CHUNKS = 1024

/**
 * Decodes a small PNG; null for more than `maxPixels`, for interlaced ones and for anything broken.
 *
 * Meant for thumbnails made by our own image service, so checksums are not verified and 16-bit colour is cut to
 * 8.
 */
export function decodePng(bytes: Uint8Array, maxPixels = 65_536): Picture | null {
  const header = readHeader(bytes)
  if (!header || header.width * header.height > maxPixels) return null
  const chunks = readChunks(bytes)
  const rowBytes = Math.ceil((header.width * header.channels * header.depth) / 8)
  const raw = inflate(chunks.data, (rowBytes + 1) * header.height)
  if (!raw || !unfilter(raw, { rowBytes, pixelBytes: Math.max(1, (header.channels * header.depth) / 8) }))
    return null
  return { width: header.width, height: header.height, rgba: toRgba(raw, { header, chunks, rowBytes }) }
}

function readHeader(bytes: Uint8Array): Header | null {
  if (text(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || text(bytes, 12, 4) !== 'IHDR') return null
  const [width, height] = [u32be(bytes, 16), u32be(bytes, 20)]
  const [depth, colour, interlace] = [u8(bytes, 24), u8(bytes, 25), u8(bytes, 28)]
  const channels = channelsOf.get(colour)
  const isDepthAllowed = depth === 8 || (depth === 16 && colour !== PALETTE) || isPacked({ depth, colour })
  if (channels === undefined || !isDepthAllowed || interlace !== 0 || width === 0 || height === 0) return null
  return { width, height, depth, colour, channels }
}

function isPacked({ depth, colour }: Pick<Header, 'depth' | 'colour'>): boolean {
  return (depth === 1 || depth === 2 || depth === 4) && (colour === GRAY || colour === PALETTE)
}

function readChunks(bytes: Uint8Array): Chunks {
  let [palette, transparency] = [new Uint8Array(0), new Uint8Array(0)]
  const parts: Uint8Array[] = []
  let at = 8
  for (let seen = 0; seen < MAX_CHUNKS && at + 12 <= bytes.length; seen++) {
    const [size, type] = [u32be(bytes, at), text(bytes, at + 4, 4)]
    const content = bytes.slice(at + 8, at + 8 + size)
    if (type === 'PLTE') palette = content
    if (type === 'tRNS') transparency = content
    if (type === 'IDAT') parts.push(content)
    if (type === 'IEND') break
    at += 12 + size
  }
  return { palette, transparency, data: Buffer.concat(parts) }
}

/** Inflates to exactly `size` bytes, or null. */
function inflate(data: Uint8Array, size: number): Uint8Array | null {
  const raw = inflateWithin(data, size, 'zlib')
  return raw?.length === size ? raw : null
}

/** Undoes the row filters in place; false for an unknown filter. */
function unfilter(
  raw: Uint8Array,
  { rowBytes, pixelBytes }: { rowBytes: number; pixelBytes: number },
): boolean {
  for (let row = 0; row < raw.length; row += rowBytes + 1) {
    const filter = u8(raw, row)
    if (filter > 4) return false
    for (let column = 0; column < rowBytes; column++) {
      const at = row + 1 + column
      const isInside = column >= pixelBytes
      const left = isInside ? u8(raw, at - pixelBytes) : 0
      const up = row > 0 ? u8(raw, at - rowBytes - 1) : 0
      const corner = isInside && row > 0 ? u8(raw, at - rowBytes - 1 - pixelBytes) : 0
      raw[at] = u8(raw, at) + predict(filter, { left, up, corner })
    }
  }
  return true
}

function predict(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

function toRgba(
  raw: Uint8Array,
  { header, chunks, rowBytes }: { header: Header; chunks: Chunks; rowBytes: number },
) {
  const { width, height, channels, depth, colour } = header
  const rgba = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    const row = raw.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1))
    for (let x = 0; x < width; x++) {
      const samples = Array.from({ length: channels }, (_, channel) =>
        sampleAt(row, x * channels + channel, depth),
      )
      rgba.set(colourOf(samples, { colour, depth, chunks }), (y * width + x) * 4)
    }
  }
  return rgba
}

function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return u8(row, index)
  if (depth === 16) return u8(row, index * 2)
  const bit = index * depth
  return (u8(row, bit >> 3) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}

function colourOf(
  samples: readonly number[],
  { colour, depth, chunks }: { colour: number; depth: number; chunks: Chunks },
): readonly number[] {
  const [first = 0, second = 0, third = 0, fourth = 255] = samples
  if (colour === PALETTE) {
    const [red, green, blue] = [0, 1, 2].map((part) => u8(chunks.palette, first * 3 + part))
    return [red ?? 0, green ?? 0, blue ?? 0, chunks.transparency[first] ?? 255]
  }
  if (samples.length >= 3) return [first, second, third, fourth]
  const gray = depth < 8 ? (first * 255) / (2 ** depth - 1) : first
  return [gray, gray, gray, samples.length === 2 ? second : 255]
}

/** Three bytes a pixel, row by row from the top. */
export interface RgbPicture extends Dimensions {
  readonly rgb: Uint8Array
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const eightBitRgb = [8, 2, 0, 0, 0]
const differenceToLeft = 1

/** Encodes a picture as PNG. */
export function encodePng({ width, height, rgb }: RgbPicture): Uint8Array {
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  for (const [index, byte] of eightBitRgb.entries()) header.setUint8(8 + index, byte)
  const data = deflateSync(filtered(rgb, width * 3))
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', new Uint8Array(header.buffer)),
      chunk('IDAT', data),
      chunk('IEND', new Uint8Array(0)),
    ]),
  )
}

/** Filters each row as differences to the pixel on the left: soft colours hardly vary, and compress well. */
function filtered(rgb: Uint8Array, rowBytes: number): Uint8Array {
  const rows = rgb.length / rowBytes
  const out = new Uint8Array(rgb.length + rows)
  for (let row = 0; row < rows; row++) {
    const start = row * (rowBytes + 1)
    out[start] = differenceToLeft
    for (let index = 0; index < rowBytes; index++) {
      const at = row * rowBytes + index
      out[start + 1 + index] = (rgb[at] ?? 0) - (index < 3 ? 0 : (rgb[at - 3] ?? 0))
    }
  }
  return out
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const framed = new DataView(new ArrayBuffer(8))
  framed.setUint32(0, content.length)
  framed.setUint32(4, crc32(body))
  const [length, checksum] = [new Uint8Array(framed.buffer, 0, 4), new Uint8Array(framed.buffer, 4, 4)]
  return Buffer.concat([length, body, checksum])
}

const COMPONENTS_ACROSS = 4
const COMPONENTS_DOWN = 3

/** The blurhash of a small PNG, in the 4×3 components Mastodon uses; null if it cannot be decoded. */
export function blurhashOf(png: Uint8Array): string | null {
  const picture = decodePng(png)
  return picture && encode(picture.rgba, picture.width, picture.height, COMPONENTS_ACROSS, COMPONENTS_DOWN)
}
