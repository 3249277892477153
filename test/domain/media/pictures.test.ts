import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { smallAvatar } from '../../../src/contract/small-avatars'
import { keysOfFile, prepareProfilePicture, processPicture } from '../../../src/domain/media/pictures'
import { Invalid, Unavailable } from '../../../src/errors'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { encodePng } from '../../../src/lib/media/png'
import { sniffMedia } from '../../../src/lib/media/sniff'
import { isMovingWebp } from '../../../src/lib/media/webp'
import type { Images } from '../../../src/ports/services'
import { wire } from '../../../src/wire'
import { bytesOf, imagesIn, mediaFile } from '../../support/media'
import { movingPng } from '../../support/media-moving'
import { context } from '../../support/test-app'

const ctx = context()
const drawing = imagesIn(ctx.images)
const prepare = (kind: 'avatar' | 'header', file: Uint8Array) => prepareProfilePicture(ctx, 7, { kind, file })
const facts = (bytes: Uint8Array) => ({ mime: sniffMedia(bytes)?.mime, ...readDimensions(bytes) })

/** Soft colours with the grain of a camera, the same each time. */
function photograph(side: number): Uint8Array {
  const rgb = new Uint8Array(side * side * 3)
  let grain = 1
  for (let at = 0; at < rgb.length; at++) {
    const [x, y] = [Math.floor(at / 3) % side, Math.floor(at / 3 / side)]
    grain = (grain * 48_271) % 0x7fffffff
    rgb[at] = 120 + 60 * Math.sin(x / 50) + 50 * Math.cos(y / 70) + (grain % 8)
  }
  return rgb
}

describe('prepareProfilePicture', () => {
  it('cuts an avatar to 400 by 400 with a small version, and a header to 1500 by 500', async () => {
    const avatar = await prepare('avatar', mediaFile('turned.jpg'))
    expect(avatar.ref.key).toMatch(/^avatars\/7\/[\w-]{16}\/still-400\.webp$/)
    expect(avatar.files.map(({ key }) => key)).toEqual([avatar.ref.key, smallAvatar(avatar.ref.key)])
    expect(keysOfFile(avatar.ref)).toEqual(avatar.files.map(({ key }) => key))
    expect(avatar.files.map(({ bytes }) => facts(bytes))).toEqual([
      { mime: 'image/webp', width: 400, height: 400 },
      { mime: 'image/webp', width: 88, height: 88 },
    ])
    const header = await prepare('header', mediaFile('rgba.png'))
    expect(header.ref.key).toMatch(/^headers\/7\/[\w-]{16}\/still\.webp$/)
    expect(header.files.map(({ bytes }) => facts(bytes))).toEqual([
      { mime: 'image/webp', width: 1500, height: 500 },
    ])
  })

  it('keeps an animated GIF moving, with a static form', async () => {
    const { ref, files } = await prepare('avatar', mediaFile('animated.gif'))
    expect(keysOfFile(ref)).toEqual(files.map(({ key }) => key))
    expect(files.map(({ bytes }) => facts(bytes).mime)).toEqual(['image/gif', 'image/webp', 'image/webp'])
  })

  it('keeps an animated PNG moving, with a static form', async () => {
    for (const kind of ['avatar', 'header'] as const) {
      const { ref, files } = await prepare(kind, movingPng())
      expect(keysOfFile(ref)).toEqual(files.map(({ key }) => key))
      expect(files.slice(0, 2).map(({ bytes }) => sniffMedia(bytes))).toEqual([
        { mime: 'image/png', kind: 'gifv-candidate' },
        { mime: 'image/webp', kind: 'image' },
      ])
    }
  })

  it('keeps an animated WebP as it is where the image service renders only its first frame', async () => {
    const { ref, files } = await prepare('avatar', mediaFile('animated.webp'))
    expect(ref).toEqual({ key: files[0]?.key, still: files[1]?.key })
    expect(files.map(({ bytes }) => ({ ...facts(bytes), isMoving: isMovingWebp(bytes) }))).toEqual([
      { mime: 'image/webp', width: 32, height: 24, isMoving: true },
      { mime: 'image/webp', width: 400, height: 400, isMoving: false },
      { mime: 'image/webp', width: 88, height: 88, isMoving: false },
    ])
  })

  it('cuts an animated WebP where the image service keeps it moving', async () => {
    const images: Images = {
      render: async (source, order) =>
        order.moving === true ? { bytes: source, mime: order.mime } : drawing.render(source, order),
    }
    const wanted = { kind: 'avatar', file: mediaFile('animated.webp') } as const
    const { ref, files } = await prepareProfilePicture({ ...ctx, images }, 7, wanted)
    expect(ref).toEqual({ key: files[0]?.key, still: files[1]?.key })
    const names = ['moving.webp', 'still-400.webp', 'still-88.webp']
    expect(files.map(({ key }) => key.split('/').at(-1))).toEqual(names)
    expect(files.map(({ bytes }) => isMovingWebp(bytes))).toEqual([true, false, false])
    expect((await prepare('avatar', mediaFile('lossy.webp'))).files.length).toBe(2)
  })

  it('stores a photograph at a tenth of the size of a PNG', async () => {
    const noisy = encodePng({ width: 400, height: 400, rgb: photograph(400) })
    const [file] = (await prepare('avatar', noisy)).files
    expect(noisy.length).toBeGreaterThan(100_000)
    expect(file?.bytes).toHaveProperty('length', expect.any(Number))
    expect(new Uint8Array(await new Response(file?.bytes).arrayBuffer()).length).toBeLessThan(
      noisy.length / 10,
    )
  })

  it('uses a new key each time, so that caches never show the previous picture', async () => {
    const [one, two] = [
      await prepare('avatar', mediaFile('rgb.png')),
      await prepare('avatar', mediaFile('rgb.png')),
    ]
    expect(one.ref.key).not.toBe(two.ref.key)
  })

  const refusals: readonly (readonly [string, Uint8Array, string])[] = [
    ['SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Avatar content type is invalid'],
    ['a type the API does not list', mediaFile('photo.avif'), 'Avatar content type is invalid'],
    ['an animated PNG that is cut off', movingPng().slice(0, -12), 'File could not be read as a picture'],
    ['a film', mediaFile('silent.mp4'), 'Avatar content type is invalid'],
    ['an empty file', new Uint8Array(0), 'Avatar content type is invalid'],
    ['more than 8 MB', withPadding(mediaFile('rgb.png'), 8_388_608), 'Avatar must be less than 8 MB'],
  ]
  for (const [what, file, sentence] of refusals)
    it(`prepareProfilePicture refuses ${what}`, async () => {
      await expect(prepare('avatar', file)).rejects.toThrow(`Validation failed: ${sentence}`)
    })
})

describe('processPicture', () => {
  it('renders at the sizes the API documents', async () => {
    const asked: string[] = []
    const images = {
      render: async (...[source, order]: Parameters<typeof drawing.render>) => {
        asked.push(`${order.mime} ${order.width}x${order.height}`)
        return drawing.render(source, order)
      },
    }
    const png = mediaFile('rgb.png')
    const view = new DataView(png.buffer)
    view.setUint32(16, 6000)
    view.setUint32(20, 4000)
    // The header promises more than there is: what was asked for is seen before the service refuses.
    await expect(processPicture({ ...ctx, images }, png)).rejects.toThrow('Validation failed')
    await processPicture({ ...ctx, images }, mediaFile('upright.jpg'))
    expect(asked).toEqual(['image/png 3527x2352', 'image/jpeg 60x40', 'image/webp 60x40', 'image/png 32x32'])
  })

  const failures = [
    [9422, Unavailable],
    [9423, Unavailable],
    [9412, Invalid],
  ] as const
  for (const [code, kind] of failures)
    it(`reports failure ${code} of the image service as ${kind.name}`, async () => {
      const failing = new Proxy(env.IMAGES, {
        get(target, key) {
          if (key !== 'input') return Reflect.get(target, key)
          return () => {
            throw Object.assign(new Error('no picture today'), { code })
          }
        },
      })
      const { images } = wire({ ...env, IMAGES: failing }, { waitUntil: () => undefined })
      await expect(processPicture({ ...ctx, images }, mediaFile('rgb.png'))).rejects.toThrow(kind)
    })
})

function withPadding(bytes: Uint8Array, more: number): Uint8Array {
  const longer = new Uint8Array(bytes.length + more)
  longer.set(bytes)
  return longer
}
