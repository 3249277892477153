import { isBlurhashValid } from 'blurhash'
import { describe, expect, it } from 'vitest'
import { blurhashOf, decodePng } from '../../../src/lib/media/png'
import { bytesOf, mediaFile } from '../../support/media'

// SHA-256 of the RGBA pixels as ImageMagick decodes them, first eight bytes.
const digests: ReadonlyArray<readonly [string, string]> = [
  ['rgb.png', '94090a6f15cd6580'],
  ['deep.png', '94090a6f15cd6580'],
  ['rgba.png', '2a931bd01ae07c34'],
  ['gray.png', 'b583d3a6f064bc9f'],
  ['gray-alpha.png', '3386028394a28e0e'],
  ['palette.png', '375d0918c131a69e'],
  ['bilevel.png', '34ec5f05345af247'],
]

async function digestOf(pixels: Uint8ClampedArray): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(pixels))
  return Buffer.from(digest).toString('hex', 0, 8)
}

function withByte(name: string, at: number, value: number): Uint8Array {
  const bytes = mediaFile(name).slice()
  bytes[at] = value
  return bytes
}

describe('decodePng', () => {
  it.each(digests)('decodes %s to the very pixels another decoder finds', async (name, digest) => {
    const picture = decodePng(mediaFile(name))

    expect(picture).toMatchObject({ width: 40, height: 30 })
    expect(await digestOf(picture?.rgba ?? new Uint8ClampedArray())).toBe(digest)
  })

  it('refuses more pixels than the caller allows', () => {
    expect(decodePng(mediaFile('rgb.png'), 1200)).toMatchObject({ width: 40 })
    expect(decodePng(mediaFile('rgb.png'), 1199)).toBeNull()
  })

  it('refuses a header of 100,000 × 100,000 before unpacking anything', () => {
    const header = bytesOf('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\x01\x86\xa0\0\x01\x86\xa0\x08\x06\0\0\0')

    expect(decodePng(header)).toBeNull()
  })

  it('refuses data that unpacks to more than the header claims', () => {
    const [heightAt, smaller] = [23, 2]

    expect(decodePng(withByte('rgb.png', heightAt, smaller))).toBeNull()
  })

  it.each([
    ['data that unpacks to less', withByte('rgb.png', 23, 31)],
    ['interlacing', mediaFile('interlaced.png')],
    ['an unknown colour type', withByte('rgb.png', 25, 5)],
    ['a bit depth its colour type lacks', withByte('rgb.png', 24, 4)],
    ['damaged data', withByte('rgb.png', 60, 0)],
    ['a cut file', mediaFile('rgb.png').subarray(0, 500)],
    ['another format', mediaFile('upright.jpg')],
  ])('decodePng refuses %s', (_, bytes) => {
    expect(decodePng(bytes)).toBeNull()
  })
})

describe('blurhashOf', () => {
  it('hashes in 4 × 3 components', () => {
    const hash = blurhashOf(mediaFile('rgb.png'))

    expect(hash).toBe('LFG*+*9t4n00|DT1RkRj009F_2~q')
    expect(isBlurhashValid(hash ?? '')).toEqual({ result: true })
  })

  it('returns no hash for an undecodable picture', () => {
    expect(blurhashOf(mediaFile('upright.jpg'))).toBeNull()
  })
})
