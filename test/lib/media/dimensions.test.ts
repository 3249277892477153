import { describe, expect, it } from 'vitest'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { bytesOf, mediaFile } from '../../support/media'

const pictures: ReadonlyArray<readonly [string, number, number]> = [
  ['upright.jpg', 60, 40],
  ['rgb.png', 40, 30],
  ['interlaced.png', 40, 30],
  ['still.gif', 32, 24],
  ['animated.gif', 32, 24],
  ['lossy.webp', 40, 30],
  ['lossless.webp', 40, 30],
  ['alpha.webp', 40, 30],
  ['animated.webp', 32, 24],
  ['photo.avif', 40, 30],
  ['photo.heic', 40, 30],
]

const u32 = (value: number) =>
  String.fromCharCode(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255)
const box = (type: string, content: string) => `${u32(content.length + 8)}${type}${content}`
const extent = (width: number, height: number) => box('ispe', `\0\0\0\0${u32(width)}${u32(height)}`)

const u16 = (value: number) => String.fromCharCode(value >> 8, value & 255)

/** A HEIC whose first picture is item 7, whose properties are those numbered (from 1) in `own`. */
function heicOf(properties: readonly string[], own: readonly number[]): Uint8Array {
  const association = `${u16(7)}${String.fromCharCode(own.length, ...own.map((index) => index | 0x80))}`
  const ipma = box('ipma', `\0\0\0\0${u32(2)}${u16(1)}\x01\x01${association}`)
  const iprp = box('iprp', box('ipco', properties.join('')) + ipma)
  const meta = box('meta', `\0\0\0\0${box('pitm', `\0\0\0\0${u16(7)}`)}${iprp}`)
  return bytesOf(box('ftyp', 'heic\0\0\0\0mif1heic') + meta)
}

function pngHeader(width: number, height: number): Uint8Array {
  return bytesOf(`\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR${u32(width)}${u32(height)}\x08\x06\0\0\0`)
}

describe('readDimensions', () => {
  it.each(pictures)('reads %s as %i × %i', (name, width, height) => {
    expect(readDimensions(mediaFile(name))).toEqual({ width, height })
  })

  it('swaps the sides of a JPEG whose EXIF has a quarter turn', () => {
    expect(readDimensions(mediaFile('turned.jpg'))).toEqual({ width: 40, height: 60 })
  })

  it('reads the primary picture of a HEIC and not its tiles or thumbnail, rotated as stated', () => {
    const properties = [extent(512, 512), extent(4032, 3024), extent(8000, 9000), box('irot', '\x03')]

    expect(readDimensions(heicOf(properties, [2, 4]))).toEqual({ width: 3024, height: 4032 })
  })

  it('keeps the width of a HEIC turned upside down', () => {
    const properties = [extent(400, 300), box('irot', '\x02'), box('irot', '\x01')]

    expect(readDimensions(heicOf(properties, [1, 2]))).toEqual({ width: 400, height: 300 })
  })

  it('subtracts the padding that an encoder added to a HEIC', () => {
    const aperture = box('clap', [390, 1, 291, 1, 0, 1, 0, 1].map(u32).join(''))

    expect(readDimensions(heicOf([extent(400, 300), aperture], [1, 2]))).toEqual({ width: 390, height: 291 })
  })

  it('reports an enormous claim unchanged, for the caller to refuse', () => {
    expect(readDimensions(pngHeader(100_000, 100_000))).toEqual({ width: 100_000, height: 100_000 })
  })

  it('finds no size of a picture without area, a cut header or sound', () => {
    expect(readDimensions(pngHeader(0, 30))).toBeNull()
    expect(readDimensions(mediaFile('upright.jpg').subarray(0, 20))).toBeNull()
    expect(readDimensions(heicOf([], [1]))).toBeNull()
    expect(readDimensions(mediaFile('sound.wav'))).toBeNull()
  })

  it('ignores EXIF that points outside the file', () => {
    const jpeg = mediaFile('turned.jpg').slice()
    const tiff = 6 + jpeg.indexOf('E'.charCodeAt(0))
    jpeg.fill(0xff, tiff + 4, tiff + 8)

    expect(readDimensions(jpeg)).toEqual({ width: 60, height: 40 })
  })
})
