import { crc32 } from 'node:zlib'
import { encodePng } from '../../src/lib/media/png'

/** Animated pictures of a size and colour for each frame, made up in a test. */

type Colour = readonly [red: number, green: number, blue: number]
type Chunk = readonly [type: string, content: Uint8Array]

const defaults: readonly Colour[] = [
  [255, 0, 0],
  [0, 0, 255],
]

/** Chunks of a PNG, from its bytes. */
export function pngChunks(bytes: Uint8Array): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = view.getUint32(at)
    chunks.push([
      Buffer.from(bytes.subarray(at + 4, at + 8)).toString('latin1'),
      bytes.subarray(at + 8, at + 8 + size),
    ])
    at += 12 + size
  }
  return chunks
}

export function pngOf(chunks: readonly Chunk[]): Uint8Array {
  const parts = chunks.map(([type, content]) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const part = Buffer.alloc(named.length + 8)
    part.writeUInt32BE(content.length)
    named.copy(part, 4)
    part.writeUInt32BE(crc32(named), named.length + 4)
    return part
  })
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]))
}

/** Chunks of an animated PNG of 8 by 6 pixels, with its first frame as the picture others show. */
export function movingPngChunks(colours = defaults): Chunk[] {
  const [width, height] = [8, 6]
  const pictures = colours.map((colour) => {
    const rgb = Uint8Array.from({ length: width * height * 3 }, (_, at) => colour[at % 3] ?? 0)
    return pngChunks(encodePng({ width, height, rgb }))
  })
  const [first = []] = pictures
  let sequence = 0
  const control = (): Chunk => ['fcTL', u32(sequence++, width, height, 0, 0, 0x0001_000a, 0).subarray(0, 26)]
  const frames = pictures.flatMap((picture, index): Chunk[] => {
    const data = picture.flatMap(([type, content]) => (type === 'IDAT' ? [content] : []))
    const before = control()
    if (index === 0) return [before, ...data.map((content): Chunk => ['IDAT', content])]
    return [before, ...data.map((content): Chunk => ['fdAT', joined(u32(sequence++), content)])]
  })
  const header = first.filter(([type]) => type === 'IHDR')
  return [...header, ['acTL', u32(colours.length, 0)], ...frames, ['IEND', new Uint8Array(0)]]
}

/** An animated PNG of 8 by 6 pixels. */
export function movingPng(): Uint8Array {
  return pngOf(movingPngChunks())
}

function u32(...numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4)
  return new Uint8Array(bytes)
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
