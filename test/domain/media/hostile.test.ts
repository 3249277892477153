import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { mediaAttachments } from '../../../src/db/schema'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { given } from '../../support/given'
import { formOf, pathOf, upload, uploaded } from '../../support/given-media'
import { bytesOf, mediaFile, mediaFileNames } from '../../support/media'
import { context, fetchApp } from '../../support/test-app'

const joined = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))
const script = '<script>alert(document.domain)</script>'
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

async function served(url: string | null) {
  const { response } = await fetchApp(new Request(`https://fieldfare.test${pathOf(url)}`))
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** The picture with a text chunk right after its header; checksums are not looked at for these. */
function pngWithText(said: string): Uint8Array {
  const png = mediaFile('rgb.png')
  const chunk = joined(bytesOf(`\0\0\0${String.fromCharCode(said.length)}tEXt${said}`), new Uint8Array(4))
  return joined(png.subarray(0, 33), chunk, png.subarray(33))
}

describe('metadata in a picture', () => {
  it('the uploaded file has metadata: a camera, a place and an orientation', () => {
    const sent = textOf(mediaFile('turned.jpg'))
    expect(sent).toContain('Exif')
    // The tag that leads to the GPS directory, in the byte order of this file.
    expect(sent).toContain('\x88\x25\x00\x04')
    expect(readDimensions(mediaFile('turned.jpg'))).toEqual({ width: 40, height: 60 })
  })

  it('the served files have no metadata and are upright', async () => {
    const { url, preview_url } = await uploaded(await given.account(), 'turned.jpg')
    for (const { bytes } of [await served(url), await served(preview_url)]) {
      for (const trace of ['Exif', 'GPS', 'Fieldfare', '\x88\x25\x00\x04'])
        expect(textOf(bytes)).not.toContain(trace)
      expect(readDimensions(bytes)).toEqual({ width: 40, height: 60 })
    }
  })

  it('removes metadata from PNGs, GIFs and videos as well', async () => {
    const place = 'N52.5163 E13.3777'
    const gif = joined(mediaFile('animated.gif').slice(0, -1), bytesOf(`!\xfe\x11${place}\0;`))
    const udta = bytesOf(`\0\0\0\x21udta\0\0\0\x19\xa9xyz${place}`)
    const film = mediaFile('silent.mp4')
    for (const bytes of [pngWithText(place), gif, withMovieBox(film, udta)]) {
      expect(textOf(bytes)).toContain(place)
      const { url } = await uploaded(await given.account(), bytes)
      expect(textOf((await served(url)).bytes)).not.toContain(place)
    }
  })
})

/** The film with one more box at the end of its `moov`, the last box of the file. */
function withMovieBox(film: Uint8Array, box: Uint8Array): Uint8Array {
  const longer = joined(film, box)
  const at = textOf(film).indexOf('moov') - 4
  const view = new DataView(longer.buffer)
  expect(at + view.getUint32(at)).toBe(film.length)
  view.setUint32(at, view.getUint32(at) + box.length)
  return longer
}

describe('a file whose name and type are wrong', () => {
  const refused: Readonly<Record<string, Uint8Array>> = {
    HTML: bytesOf(`<!doctype html>${script}`),
    SVG: bytesOf(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
    'SVG behind an XML declaration': bytesOf(`<?xml version="1.0"?><svg>${script}</svg>`),
    'JavaScript that begins like a GIF': bytesOf('GIF89a=1;alert(document.domain)//'),
    'HTML that begins like a PNG': joined(mediaFile('rgb.png').slice(0, 24), bytesOf(script)),
    'HTML that begins like a JPEG': joined(mediaFile('upright.jpg').slice(0, 20), bytesOf(script)),
    'HTML that begins like a WebP': joined(mediaFile('lossy.webp').slice(0, 30), bytesOf(script)),
    'HTML that begins like a film': bytesOf(`\0\0\0\x18ftypisom\0\0\0\0isommp42${script}`),
    'HTML that begins like WebM': joined(mediaFile('sound.webm').slice(0, 40), bytesOf(script)),
    'HTML that begins like Ogg': bytesOf(`OggS\0\x02${script}`),
    'a PDF': bytesOf('%PDF-1.7\n%\xe2\xe3\xcf\xd3'),
    'an archive': bytesOf('PK\x03\x04\x14\0'),
    'a program': bytesOf('\x7fELF\x02\x01\x01'),
    Matroska: mediaFile('film.mkv'),
  }
  for (const [what, bytes] of Object.entries(refused))
    it(`refuses ${what}, named and typed as a picture [T-639]`, async () => {
      const alice = await given.account()
      const file = new File([bytes], 'holiday.png', { type: 'image/png' })
      const answer = await upload(alice, 'rgb.png', formObject(file))
      expect(answer).toMatchObject({
        status: 422,
        body: { error: expect.stringMatching(/^Validation failed: File /) },
      })
      const own = eq(mediaAttachments.accountId, alice.id)
      expect(await context().db.select().from(mediaAttachments).where(own)).toEqual([])
    })

  it('serves a picture named and typed as a page as a picture [T-640]', async () => {
    const file = new File([mediaFile('rgb.png')], '../../evil.html', { type: 'text/html' })
    const { url } = await uploaded(await given.account(), 'rgb.png', { file })
    expect(url).toMatch(/\/original\.png$/)
    expect((await served(url)).headers.get('content-type')).toBe('image/png')
  })

  for (const name of ['rgb.png', 'upright.jpg', 'lossy.webp', 'animated.gif', 'still.gif'])
    it(`removes data after the end: ${name}`, async () => {
      const { url } = await uploaded(await given.account(), joined(mediaFile(name), bytesOf(script)))
      expect(textOf((await served(url)).bytes)).not.toContain('script')
    })

  it('serves a sound that contains markup as a sound', async () => {
    const tagged = joined(bytesOf(`ID3\x04\0\0\0\0\0\x27${script}`), mediaFile('constant.mp3'))
    const { url, type } = await uploaded(await given.account(), tagged)
    const { headers } = await served(url)
    expect(type).toBe('audio')
    expect(headers.get('content-type')).toBe('audio/mpeg')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

const formObject = (file: File) => ({ file })

describe('a decompression bomb', () => {
  /** A picture whose header claims these sides. */
  function claiming(name: string, at: readonly [number, number], sides: readonly [number, number]) {
    const bytes = mediaFile(name)
    const view = new DataView(bytes.buffer)
    for (const [index, offset] of at.entries())
      if (name.endsWith('.gif')) view.setUint16(offset, sides[index] ?? 0, true)
      else view.setUint32(offset, sides[index] ?? 0)
    return bytes
  }

  it('refuses a picture of more than 33 megapixels before decoding it', async () => {
    const alice = await given.account()
    const render = async () => {
      throw new Error('must not be asked')
    }
    const bytes = claiming('rgb.png', [16, 20], [60_000, 60_000])
    const form = formOf({ file: bytes })
    const { response } = await fetchApp(
      new Request('https://fieldfare.test/api/v2/media', {
        method: 'POST',
        headers: { Authorization: `Bearer ${alice.token}` },
        body: form,
      }),
      { images: { render } },
    )
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({
      error: 'Validation failed: File has too many pixels: 60000x60000',
    })
  })

  it('a decompression bomb refuses many large frames', async () => {
    const bytes = claiming('animated.gif', [6, 8], [4000, 3000])
    expect(await upload(await given.account(), bytes)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: File has too many pixels: 4000x3000' },
    })
  })

  it('refuses a picture that claims more data than it has while decoding it', async () => {
    const bytes = claiming('rgb.png', [16, 20], [5000, 5000])
    expect(await upload(await given.account(), bytes)).toMatchObject({ status: 422 })
  })
})

describe('truncated files', () => {
  it('accepts or refuses truncated files, and never fails with an exception', async () => {
    const alice = await given.account()
    const { throttle } = context()
    for (const name of mediaFileNames()) {
      const bytes = mediaFile(name)
      for (const share of [0.1, 0.5, 0.9]) {
        const form = formOf({ file: bytes.slice(0, Math.floor(bytes.length * share)) })
        const { response } = await fetchApp(
          new Request('https://fieldfare.test/api/v2/media', {
            method: 'POST',
            headers: { Authorization: `Bearer ${alice.token}` },
            body: form,
          }),
          { throttle: { ...throttle, take: async () => ({ limit: 1, remaining: 1, resetAt: new Date(0) }) } },
        )
        expect([200, 422], `${name} at ${share}`).toContain(response.status)
      }
    }
  })
})
