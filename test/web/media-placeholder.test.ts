import { describe, expect, it } from 'vitest'
import { MediaAttachment, Status } from '../../src/contract/entities/status'
import type { Attachment } from '../../src/db/values'
import { plainBlurhash } from '../../src/lib/media/placeholder'
import { decodePng } from '../../src/lib/media/png'
import { anonymous } from '../support/as'
import { given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { fetchApp } from '../support/test-app'

const get = async (path: string) =>
  (await fetchApp(new Request(new URL(path, 'https://fieldfare.test')))).response

const named = (blurhash: string) => Buffer.from(blurhash).toString('base64url')
const wren = 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'

/** A remote file as the API presents it. */
async function shown(file: Partial<Attachment>) {
  const { id: accountId } = await given.remoteAccount()
  const attachment: Attachment = {
    id: 1,
    type: 'video',
    file: { remote: 'https://far.test/film.mp4' },
    preview: null,
    description: null,
    blurhash: null,
    meta: {},
    ...file,
  }
  const id = await storedStatus({ accountId, local: false, attachments: [attachment] })
  const { media_attachments: media } = Status.parse((await anonymous.get(`/api/v1/statuses/${id}`)).body)
  return MediaAttachment.parse(media[0])
}

describe('a remote video without a preview', () => {
  it('shows the colours of its blurhash, in its proportions', async () => {
    const meta = { original: { width: 1080, height: 1920 } }
    const film = await shown({ blurhash: wren, meta })
    expect(film).toMatchObject({
      blurhash: wren,
      preview_url: expect.stringContaining(`/media/field/90x160/${named(wren)}.png`),
      meta: { ...meta, small: { width: 90, height: 160, size: '90x160', aspect: 0.5625 } },
    })
    const picture = await get(film.preview_url ?? '')
    expect(decodePng(await picture.bytes())).toMatchObject({ width: 90, height: 160 })
  })

  it('shows a plain field without a blurhash', async () => {
    for (const type of ['video', 'gifv'] as const)
      expect(await shown({ type })).toMatchObject({
        blurhash: plainBlurhash,
        preview_url: `https://fieldfare.test/media/field/160x90/${named(plainBlurhash)}.png`,
        meta: { small: { size: '160x90' } },
      })
  })

  it('shows the preview of a video, a picture itself, and nothing for sound', async () => {
    const preview = { remote: 'https://far.test/cover.jpg' }
    const film = await shown({ preview })
    expect(film.preview_url).toContain('/media/proxy/')
    expect(film.preview_url).not.toBe(film.url)
    const gif = await shown({ type: 'image', file: { remote: 'https://far.test/moving.gif' } })
    expect(gif.preview_url).toBe(gif.url)
    expect((await shown({ type: 'audio' })).preview_url).toBeNull()
    expect((await shown({ type: 'unknown' })).preview_url).toBeNull()
  })
})

describe('GET /media/field', () => {
  it('serves a picture that is cached permanently', async () => {
    const response = await get(`/media/field/160x90/${named(wren)}.png`)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
  })

  it.each([
    ['a size that is none', `160/${named(wren)}.png`],
    ['a size that is too large', `9999x9999/${named(wren)}.png`],
    ['colours that are none', `160x90/${named('wren')}.png`],
    ['another form', `160x90/${named(wren)}.svg`],
  ])('GET /media/field answers 404 for %s', async (_what, path) => {
    expect((await get(`/media/field/${path}`)).status).toBe(404)
  })
})
