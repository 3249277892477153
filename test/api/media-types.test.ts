import { describe, expect, it } from 'vitest'
import { Instance, V1Instance } from '../../src/contract/entities/instance'
import { execute, first, oneRow } from '../../src/db/query'
import { isProbeDue, probePictureTypes } from '../../src/domain/media/picture-types'
import { prepareProfilePicture } from '../../src/domain/media/pictures'
import { Invalid, NoImageService, Unavailable } from '../../src/errors'
import { emojiMimes, profileMimes, sniffMedia, supportedMimeTypes } from '../../src/lib/media/sniff'
import type { Images } from '../../src/ports/services'
import { anonymous, as } from '../support/as'
import { given } from '../support/given'
import { formOf } from '../support/given-media'
import { bytesOf, imagesIn, mediaFile } from '../support/media'
import { movingPng } from '../support/media-moving'
import { clock, context } from '../support/test-app'

/** A file for each type that servers may take. Some types have several names. */
const files: Readonly<Record<(typeof supportedMimeTypes)[number], string>> = {
  'image/jpeg': 'upright.jpg',
  'image/png': 'rgb.png',
  'image/gif': 'still.gif',
  'image/heic': 'photo.heic',
  'image/heif': 'photo.heif',
  'image/webp': 'lossy.webp',
  'image/avif': 'photo.avif',
  'video/webm': 'sound.webm',
  'video/mp4': 'sound.mp4',
  'video/quicktime': 'turned.mov',
  'video/ogg': 'film.ogv',
  'audio/wave': 'sound.wav',
  'audio/wav': 'sound.wav',
  'audio/x-wav': 'sound.wav',
  'audio/x-pn-wave': 'sound.wav',
  'audio/vnd.wave': 'sound.wav',
  'audio/ogg': 'opus.ogg',
  'audio/vorbis': 'vorbis.ogg',
  'audio/mpeg': 'constant.mp3',
  'audio/mp3': 'variable.mp3',
  'audio/webm': 'voice.webm',
  'audio/flac': 'sound.flac',
  'audio/aac': 'sound.aac',
  'audio/m4a': 'sound.m4a',
  'audio/x-m4a': 'sound.m4a',
  'audio/mp4': 'sound-only.mp4',
  'audio/3gpp': 'sound.3gp',
  'video/x-ms-asf': 'sound.wma',
}

/** HEIC under the brands of HEIF, which name no codec. */
function fileOf(name: string): Uint8Array {
  if (name !== 'photo.heif') return mediaFile(name)
  const bytes = mediaFile('photo.heic')
  const brands = Buffer.from(bytes).readUInt32BE(0)
  for (let at = 8; at < brands; at += 4) if (at !== 12) bytes.set(bytesOf('mif1'), at)
  return bytes
}

/** Types that no server takes. */
const refused: readonly (readonly [string, Uint8Array])[] = [
  ['SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['TIFF', bytesOf('II*\0\x08\0\0\0\0\0\0\0\0\0')],
  ['BMP', bytesOf(`BM\x3a\0\0\0\0\0\0\0\x36\0\0\0${'\0'.repeat(44)}`)],
  ['PDF', bytesOf('%PDF-1.7\n%%EOF')],
  ['HTML', bytesOf('<!doctype html><script>alert(1)</script>')],
  ['Matroska', mediaFile('film.mkv')],
  ['WMV', mediaFile('film.wmv')],
  ['3GP with pictures', mediaFile('film.3gp')],
  ['JPEG XL', bytesOf('\0\0\0\x0cJXL \r\n\x87\n')],
]

const drawing = imagesIn(context().images)

/** Reads the formats of `mimes` as well, by drawing a photograph for each. */
const reading = (...mimes: readonly string[]): Images => ({
  render: async (source, order) => {
    const mime = sniffMedia(source)?.mime ?? ''
    if (['image/heic', 'image/heif', 'image/avif'].includes(mime)) {
      if (!mimes.includes(mime)) throw new Invalid('unreadable_picture', { field: 'file' })
      return drawing.render(mediaFile('upright.jpg'), order)
    }
    return drawing.render(source, order)
  },
})
const failing = (failure: Error): Images => ({ render: () => Promise.reject(failure) })

async function advertised(images: Images | null): Promise<readonly string[]> {
  const overrides = { images }
  const of = ({ configuration }: Pick<Instance, 'configuration'> | V1Instance) =>
    configuration.media_attachments.supported_mime_types
  const listed = of(Instance.parse((await anonymous.get('/api/v2/instance', { overrides })).body))
  expect(of(V1Instance.parse((await anonymous.get('/api/v1/instance', { overrides })).body))).toEqual(listed)
  return listed
}

const converted = (types: readonly string[]) => types.filter((mime) => /hei[cf]|avif/.test(mime))

const deployments: readonly (readonly [string, Images | null, readonly string[]])[] = [
  ['the service of a developer', drawing, ['image/avif']],
  ['Images of Cloudflare', reading('image/heic', 'image/heif'), ['image/heic', 'image/heif']],
  [
    'Images of an enterprise',
    reading('image/heic', 'image/heif', 'image/avif'),
    ['image/heic', 'image/heif', 'image/avif'],
  ],
  ['Images that is not enabled', failing(new NoImageService('no_image_service')), []],
  ['no image service', null, []],
]

const isDue = async (images: Images | null) => {
  const ctx = context({ images })
  const due = isProbeDue(ctx).mapWith(Number).as('due')
  return (await execute(ctx.db, first(ctx.db.select({ due }).from(oneRow))))?.due
}

describe('types that need conversion', () => {
  it('types that need conversion are not advertised before they are known', async () => {
    expect(converted(await advertised(drawing))).toEqual([])
    const form = formOf({ file: mediaFile('photo.avif') })
    expect((await as(await given.account()).post('/api/v2/media', form)).status).toBe(422)
    expect(await isDue(drawing)).toBe(1)
    expect(await isDue(null)).toBe(0)
  })
})

describe.each(deployments)('with %s', (_, images, expected) => {
  const upload = async (file: Uint8Array) => {
    const form = formOf({ file })
    return as(await given.account()).post('/api/v2/media', form, { overrides: { images } })
  }

  it('accepts each advertised type, and refuses others with Mastodon’s error text', async () => {
    await probePictureTypes(context({ images }))
    const listed = await advertised(images)
    expect([...converted(listed)].toSorted()).toEqual([...expected].toSorted())
    for (const mime of supportedMimeTypes) {
      const { status, body } = await upload(fileOf(files[mime]))
      if (listed.includes(mime)) expect([mime, status]).toEqual([mime, 200])
      else
        expect([mime, status, body]).toEqual([
          mime,
          422,
          { error: 'Validation failed: File content type is invalid, File is invalid' },
        ])
    }
  })

  it('refuses types that no server accepts', async () => {
    for (const [name, file] of refused) {
      const { status, body } = await upload(file)
      expect([name, status, body]).toEqual([
        name,
        422,
        { error: 'Validation failed: File content type is invalid, File is invalid' },
      ])
    }
  })

  it('accepts types that forms accept for avatars, also animated', async () => {
    const ctx = context({ images })
    for (const mime of profileMimes)
      for (const file of [
        fileOf(files[mime]),
        movingPng(),
        mediaFile('animated.gif'),
        mediaFile('animated.webp'),
      ]) {
        const { files: made } = await prepareProfilePicture(ctx, 7, { kind: 'avatar', file })
        expect(made.length).toBeGreaterThan(0)
      }
    expect(emojiMimes.every((mime) => profileMimes.includes(mime))).toBe(true)
  })
})

describe('types that the image service reads', () => {
  it('types that the image service reads are checked again after a week, and after a day where there were none', async () => {
    const day = 86_400_000
    await probePictureTypes(context())
    clock.advance(6 * day)
    expect(await isDue(drawing)).toBe(0)
    clock.advance(2 * day)
    expect(await isDue(drawing)).toBe(1)
    await probePictureTypes(context({ images: reading() }))
    expect(await isDue(drawing)).toBe(0)
    clock.advance(day + 1)
    expect(await isDue(drawing)).toBe(1)
  })

  it('types that the image service reads are unchanged while the service is unavailable', async () => {
    await probePictureTypes(context())
    await probePictureTypes(context({ images: failing(new Unavailable('images_unavailable')) }))
    expect(converted(await advertised(drawing))).toEqual(['image/avif'])
  })

  it('types that the image service reads are not derived from broken files', async () => {
    await probePictureTypes(context())
    const whole = mediaFile('photo.avif')
    for (const file of [
      whole.slice(0, 60),
      whole.slice(0, -100),
      bytesOf('\0\0\0\x18ftypavif\0\0\0\0avifmif1'),
    ]) {
      const answer = await as(await given.account()).post('/api/v2/media', formOf({ file }))
      expect(answer).toMatchObject({
        status: 422,
        body: { error: 'Validation failed: File could not be read as a picture' },
      })
    }
  })
})
