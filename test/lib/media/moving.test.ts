import { describe, expect, it } from 'vitest'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { firstFrameOf } from '../../../src/lib/media/first-frame'
import { decodePng } from '../../../src/lib/media/png'
import { sniffMedia } from '../../../src/lib/media/sniff'
import { stripMetadata } from '../../../src/lib/media/strip'
import { bytesOf, imagesIn, mediaFile } from '../../support/media'
import { movingPng, movingPngChunks, pngOf } from '../../support/media-moving'
import { context } from '../../support/test-app'

const le32 = (value: number) =>
  String.fromCharCode(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24)
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const webpChunk = (type: string, content: string) =>
  `${type}${le32(content.length)}${content}${content.length % 2 === 0 ? '' : '\0'}`
const webpOf = (...chunks: readonly string[]) => {
  const body = chunks.join('')
  return bytesOf(`RIFF${le32(body.length + 4)}WEBP${body}`)
}
/** Frame of an animated WebP with the picture of a still one. */
const frameOf = (name: string, more = '') =>
  `${'\0'.repeat(6)}\x1f\0\0\x17\0\0\x0a\0\0\0${latin(mediaFile(name).subarray(12))}${more}`
const head = (flags = 2) => webpChunk('VP8X', `${String.fromCharCode(flags)}\0\0\0\x1f\0\0\x17\0\0`)
const loop = webpChunk('ANIM', '\0'.repeat(6))
const frame = webpChunk('ANMF', frameOf('lossy.webp'))
const kindOf = (bytes: Uint8Array) => sniffMedia(bytes)?.kind

/** Pixels of a picture, drawn by the image service: what a browser shows of it. */
async function pixelsOf(bytes: Uint8Array) {
  const order = { width: 40, height: 40, fit: 'scale-down', mime: 'image/png' } as const
  return decodePng((await imagesIn(context().images).render(bytes, order)).bytes)
}

describe('an animated picture', () => {
  it('distinguishes an animated picture from a still one by its chunks', () => {
    expect(kindOf(movingPng())).toBe('gifv-candidate')
    expect(kindOf(mediaFile('animated.webp'))).toBe('gifv-candidate')
    expect(kindOf(webpOf(head(), loop, frame, frame))).toBe('gifv-candidate')
    for (const name of ['rgb.png', 'rgba.png', 'palette.png', 'lossy.webp', 'lossless.webp', 'alpha.webp'])
      expect(kindOf(mediaFile(name))).toBe('image')
  })

  const chunks = movingPngChunks()
  const [ihdr, actl, ...rest] = chunks
  if (ihdr === undefined || actl === undefined) throw new Error('no chunks')
  const one = new Uint8Array([0, 0, 0, 1, 0, 0, 0, 0])
  const lying = movingPng()
  new DataView(lying.buffer).setUint32(8 + 25, 0xfffffff0)
  it.each([
    [
      'a PNG that announces its animation behind its picture',
      pngOf([ihdr, ...rest.slice(0, 2), actl, ...rest.slice(2)]),
    ],
    ['a PNG of one frame', pngOf([ihdr, ['acTL', one], ...rest])],
    [
      'a PNG that announces frames it does not have',
      pngOf([ihdr, actl, ...rest.filter(([type]) => !type.startsWith('f'))]),
    ],
    ['a PNG whose announcement claims to be longer than the file', lying],
    [
      'a PNG of endless empty chunks',
      bytesOf(`${latin(pngOf([ihdr]))}${'\0\0\0\0zzZz\0\0\0\0'.repeat(300_000)}`),
    ],
    ['a WebP of one frame', webpOf(head(), loop, frame)],
    ['a WebP that does not say so', webpOf(head(0), loop, frame, frame)],
    ['a WebP that only says so', webpOf(head(), latin(mediaFile('lossy.webp').subarray(12)))],
    [
      'a WebP whose frames claim to be longer than the file',
      webpOf(head(), loop, `ANMF${le32(0x7fffffff)}`, frame),
    ],
    ['a WebP of endless empty chunks', webpOf(head(), loop, webpChunk('zzzz', '').repeat(300_000))],
  ])('does not treat it as animated: %s', (_, bytes) => {
    expect(kindOf(bytes)).toBe('image')
    expect(firstFrameOf(bytes)).toBeNull()
  })

  it.each([
    ['PNG', movingPng()],
    ['WebP', mediaFile('animated.webp')],
    ['GIF', mediaFile('animated.gif')],
  ])(
    'keeps an animated picture moving without its metadata, and makes a static form: %s',
    async (_, bytes) => {
      const stripped = stripMetadata(bytes)
      if (stripped === null) throw new Error('nothing is left')
      expect(kindOf(stripped)).toBe('gifv-candidate')
      const still = firstFrameOf(stripped)
      if (still === null) throw new Error('no frame')
      expect(sniffMedia(still)).toEqual({ mime: sniffMedia(bytes)?.mime, kind: 'image' })
      expect(readDimensions(still)).toEqual(readDimensions(bytes))
      expect(stripMetadata(still)).not.toBeNull()
      const [shown, expected] = [await pixelsOf(still), await pixelsOf(bytes)]
      expect(shown).not.toBeNull()
      expect(shown).toEqual(expected)
    },
  )

  it('removes metadata in any place, and refuses it inside a frame', () => {
    const secret = 'at 52.5200 13.4050'
    const [last] = rest.slice(-1)
    const text = ['tEXt', bytesOf(secret)] as const
    const png = pngOf([ihdr, text, actl, ...rest.slice(0, -1), text, ...(last === undefined ? [] : [last])])
    const webp = webpOf(head(0x0e), loop, webpChunk('EXIF', secret), frame, frame, webpChunk('XMP ', secret))
    for (const bytes of [png, webp]) {
      expect(latin(bytes)).toContain(secret)
      const stripped = stripMetadata(bytes) ?? new Uint8Array(0)
      expect(kindOf(stripped)).toBe('gifv-candidate')
      expect(latin(stripped)).not.toContain(secret)
    }
    const hidden = webpChunk('ANMF', frameOf('lossy.webp', webpChunk('EXIF', secret)))
    expect(stripMetadata(webpOf(head(), loop, frame, hidden))).toBeNull()
  })

  it('refuses an animated picture with too many separate parts', () => {
    const parts = Array.from({ length: 9_000 }, (_, at) => [at % 2 === 0 ? 'tEXt' : 'pHYs', one] as const)
    expect(stripMetadata(pngOf([ihdr, actl, ...parts, ...rest]))).toBeNull()
    expect(
      stripMetadata(pngOf([ihdr, actl, ...parts.filter(([type]) => type === 'pHYs'), ...rest])),
    ).not.toBeNull()
  })

  it('makes no static form without a whole frame', () => {
    const empty = webpChunk('ANMF', '\0'.repeat(16))
    const alone = webpChunk('ANMF', `${'\0'.repeat(16)}${webpChunk('ALPH', 'x')}`)
    const lie = webpChunk('ANMF', `${'\0'.repeat(16)}VP8 ${le32(99_999)}`)
    for (const first of [empty, alone, lie])
      expect(firstFrameOf(webpOf(head(), loop, first, frame))).toBeNull()
    const cut = pngOf(chunks.filter(([type]) => type !== 'IEND'))
    expect(firstFrameOf(cut)).toBeNull()
  })
})
