import { describe, expect, it } from 'vitest'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { firstGifFrame } from '../../../src/lib/media/gif'
import { decodePng } from '../../../src/lib/media/png'
import { sniffMedia } from '../../../src/lib/media/sniff'
import { stripMetadata } from '../../../src/lib/media/strip'
import { bytesOf, imagesIn, mediaFile } from '../../support/media'
import { context } from '../../support/test-app'

const secret = 'at 52.5200 13.4050'
const latin = (bytes: Uint8Array | null) =>
  Array.from(bytes ?? [], (byte) => String.fromCharCode(byte)).join('')

function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  return bytesOf(parts.map((part) => (typeof part === 'string' ? part : latin(part))).join(''))
}

const be16 = (value: number) => String.fromCharCode(value >> 8, value & 0xff)
const be32 = (value: number) => be16(Math.floor(value / 0x10000)) + be16(value % 0x10000)
const le32 = (value: number) => [...be32(value)].toReversed().join('')
const segment = (marker: number, text: string) =>
  String.fromCharCode(0xff, marker) + be16(text.length + 2) + text

/** Files with the secret wherever a format keeps what is not shown. */
const files = {
  jpeg: (name: string) => {
    const whole = mediaFile(name)
    // The turned one has EXIF of its own, and a picture has one.
    const hidden = [
      ...(name === 'turned.jpg' ? [] : [segment(0xe1, `Exif\0\0MM ${secret}`)]),
      segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
      segment(0xed, `Photoshop 3.0\0${secret}`),
      segment(0xfe, secret),
    ]
    return joined(whole.subarray(0, 2), ...hidden, whole.subarray(2), secret)
  },
  png: () => {
    const whole = mediaFile('rgba.png')
    const chunk = (name: string) => `${be32(secret.length)}${name}${secret}CRC.`
    return joined(
      whole.subarray(0, 33),
      chunk('tEXt'),
      chunk('eXIf'),
      chunk('zzZz'),
      whole.subarray(33),
      secret,
    )
  },
  webp: () => {
    const whole = mediaFile('lossy.webp')
    const body = joined(
      whole.subarray(12),
      `EXIF${le32(secret.length)}${secret}`,
      `XMP ${le32(secret.length)}${secret}`,
    )
    return joined(`RIFF${le32(body.length + 4)}WEBP`, body, secret)
  },
  gif: () => joined(mediaFile('animated.gif'), secret),
}

describe('stripping a picture', () => {
  const cases = [
    ['JPEG', files.jpeg('upright.jpg')],
    ['a turned JPEG', files.jpeg('turned.jpg')],
    ['PNG', files.png()],
    ['WebP', files.webp()],
    ['GIF', files.gif()],
  ] as const
  for (const [what, bytes] of cases)
    it(`removes everything hidden from ${what}, and keeps the rest`, async () => {
      const stripped = stripMetadata(bytes)
      expect(latin(bytes)).toContain(secret)
      expect(latin(stripped)).not.toContain(secret)
      if (stripped === null) throw new Error('nothing is left')
      expect(sniffMedia(stripped)?.mime).toBe(sniffMedia(bytes)?.mime)
      expect(readDimensions(stripped)).toEqual(readDimensions(bytes))
      const order = { width: 40, height: 40, fit: 'scale-down', mime: 'image/png' } as const
      // Pixels alone: a drawn PNG also names a resolution.
      const draw = async (source: Uint8Array) =>
        decodePng((await imagesIn(context().images).render(source, order)).bytes)
      expect(await draw(stripped)).toEqual(await draw(bytes))
    })

  it('clears the flags of removed WebP chunks', () => {
    const stripped = stripMetadata(mediaFile('animated.webp'))
    expect((stripped?.[20] ?? 0xff) & 0x0c).toBe(0)
    expect(stripMetadata(mediaFile('alpha.webp'))).not.toBeNull()
  })

  it('refuses a truncated file, and one of another type', () => {
    const names = ['upright.jpg', 'rgb.png', 'lossy.webp'] as const
    for (const name of names) {
      const whole = mediaFile(name)
      expect(stripMetadata(whole.subarray(0, whole.length - 40))).toBeNull()
    }
    expect(stripMetadata(mediaFile('photo.avif'))).toBeNull()
    expect(stripMetadata(new Uint8Array(0))).toBeNull()
  })
})

it('makes a still picture of the first frame of a GIF', () => {
  const still = firstGifFrame(mediaFile('animated.gif'))
  expect(sniffMedia(still ?? new Uint8Array(0))).toEqual({ mime: 'image/gif', kind: 'image' })
  expect(readDimensions(still ?? new Uint8Array(0))).toEqual(readDimensions(mediaFile('animated.gif')))
})
