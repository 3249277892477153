import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { MediaAttachment } from '../../src/contract/entities/status'
import { mediaAttachments } from '../../src/db/schema'
import { readDimensions } from '../../src/lib/media/dimensions'
import { sniffMedia } from '../../src/lib/media/sniff'
import { anonymous, as } from '../support/as'
import { expectCosts } from '../support/expect-costs'
import { given, type TestAccount } from '../support/given'
import { formOf, upload, uploaded } from '../support/given-media'
import { mediaFile } from '../support/media'
import { withCover } from '../support/media-cover'
import { movingPng } from '../support/media-moving'
import { context, fetchApp } from '../support/test-app'

/** The upload as if a status had claimed it. */
async function attach(id: string): Promise<void> {
  const ctx = context()
  await ctx.db
    .update(mediaAttachments)
    .set({ statusId: ctx.ids.next() })
    .where(eq(mediaAttachments.id, Number(id)))
}

async function rowOf(id: string) {
  const [row] = await context()
    .db.select()
    .from(mediaAttachments)
    .where(eq(mediaAttachments.id, Number(id)))
  return row
}

const stored = async (by: TestAccount) =>
  (await context().db.select().from(mediaAttachments).where(eq(mediaAttachments.accountId, by.id))).length

describe('POST /api/v2/media', () => {
  it('returns the picture, its sizes and its blurhash, in three round trips [T-381]', async () => {
    const alice = await given.account()
    const answer = await upload(alice, 'upright.jpg', { description: ' A bird ', focus: '0.5,-0.25' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        type: 'image',
        remote_url: null,
        preview_remote_url: null,
        thumbnail_remote_url: null,
        description: 'A bird',
        blurhash: expect.stringMatching(/^\S{28}$/),
        meta: {
          original: { size: '60x40', aspect: 1.5 },
          small: { size: '60x40' },
          focus: { x: 0.5, y: -0.25 },
        },
      },
    })
    // The Worker and the object for uploads each ask who calls.
    expectCosts(answer.costs, { trips: 3, statements: 3 })
  })

  it('POST /api/v2/media has rate limit headers', async () => {
    const alice = await given.account()
    const { headers } = await upload(alice, 'rgb.png')
    expect(headers.get('x-ratelimit-limit')).toBe('30')
    expect(headers.get('x-ratelimit-remaining')).toBe('29')
  })

  const types = {
    'animated.gif': 'image',
    'still.gif': 'image',
    'animated.webp': 'image',
    'silent.mp4': 'gifv',
    'silent.webm': 'gifv',
    'sound.mp4': 'video',
    'film.ogv': 'video',
    'sound-only.mp4': 'audio',
    'constant.mp3': 'audio',
    'sound.flac': 'audio',
    'sound.wma': 'audio',
  }
  for (const [file, type] of Object.entries(types))
    it(`POST /api/v2/media accepts ${file} for ${type} [T-382]`, async () => {
      expect(await uploaded(await given.account(), file)).toMatchObject({ type })
    })

  it('reads length and size of a video, and resizes the preview sent with it', async () => {
    const thumbnail = mediaFile('turned.jpg')
    const film = await uploaded(await given.account(), 'sound.mp4', { thumbnail })
    expect(film).toMatchObject({
      preview_url: expect.stringMatching(/small\.webp$/),
      blurhash: expect.any(String),
      meta: {
        original: { width: 64, height: 48, frame_rate: '10/1', duration: 1.5, bitrate: 42_645 },
        small: { width: 40, height: 60 },
      },
    })
  })

  it('uses the embedded cover of a sound or video, unless a preview is sent with it', async () => {
    const picture = mediaFile('upright.jpg')
    const drawn = { preview_url: expect.stringMatching(/small\.webp$/), blurhash: expect.any(String) }
    for (const file of [withCover.id3(3, picture), withCover.flac(picture), withCover.mp4(picture)])
      expect(await uploaded(await given.account(), file)).toMatchObject({
        type: 'audio',
        ...drawn,
        meta: { small: { width: 60, height: 40 } },
      })
    const thumbnail = mediaFile('rgb.png')
    const chosen = await uploaded(await given.account(), withCover.id3(3, picture), { thumbnail })
    expect(chosen.meta?.small).not.toMatchObject({ width: 60, height: 40 })
  })

  it('accepts a sound with an invalid cover, without it', async () => {
    const sound = await uploaded(await given.account(), withCover.id3(3, mediaFile('sound.flac')))
    expect(sound).toMatchObject({ type: 'audio', preview_url: null, blurhash: null })
  })

  it('gives a video without a preview a field of its proportions', async () => {
    for (const file of ['sound.mp4', 'silent.webm', 'film.ogv']) {
      const { preview_url, blurhash, meta } = await uploaded(await given.account(), file)
      const { width = 0, height = 0 } = meta?.original ?? {}
      expect(meta?.small?.aspect).toBeCloseTo(width / height, 1)
      expect(blurhash).toMatch(/^.{6,}$/)
      const { response } = await fetchApp(new Request(preview_url ?? ''))
      expect(response.headers.get('content-type')).toBe('image/png')
      const { small } = meta ?? {}
      expect(readDimensions(await response.bytes())).toEqual({ width: small?.width, height: small?.height })
    }
  })

  it('keeps an animated GIF as it is, so that it moves in timelines', async () => {
    const moving = await uploaded(await given.account(), 'animated.gif')
    expect(moving).toMatchObject({ type: 'image', blurhash: expect.any(String) })
    expect(moving.preview_url).toBe(moving.url)
    expect(moving.meta?.small).toEqual(moving.meta?.original)
    const still = await uploaded(await given.account(), 'still.gif')
    expect(still.preview_url).toMatch(/small\.webp$/)
  })

  it.each([
    ['PNG', movingPng(), 'image/png', { width: 8, height: 6 }],
    ['WebP', mediaFile('animated.webp'), 'image/webp', { width: 32, height: 24 }],
  ])('keeps an animated %s as it is, so that it moves in timelines', async (_, file, mime, size) => {
    for (const overrides of [{}, { images: null }]) {
      const alice = await given.account()
      const { body } = await as(alice).post('/api/v2/media', formOf({ file }), { overrides })
      const moving = MediaAttachment.parse(body)
      expect(moving).toMatchObject({ type: 'image', meta: { original: size, small: size } })
      expect(moving.preview_url).toBe(moving.url)
      if (overrides.images === undefined) expect(moving.blurhash).toMatch(/^\S{6,}$/)
      const { response } = await fetchApp(new Request(moving.url ?? ''))
      expect(response.headers.get('content-type')).toBe(mime)
      expect(sniffMedia(await response.bytes())).toEqual({ mime, kind: 'gifv-candidate' })
    }
  })

  it('refuses an animated picture of more pixels than a video may have', async () => {
    const file = movingPng()
    new DataView(file.buffer).setUint32(16, 4_000)
    new DataView(file.buffer).setUint32(20, 4_000)
    const { status, body } = await as(await given.account()).post('/api/v2/media', formOf({ file }))
    expect([status, body]).toEqual([422, { error: 'Validation failed: File has too many pixels: 4000x4000' }])
  })

  it('shows sound without a preview when none is sent', async () => {
    const sound = await uploaded(await given.account(), 'vorbis.ogg')
    expect(sound).toMatchObject({ type: 'audio', preview_url: null, blurhash: null })
  })

  it('stores pictures under names that cannot be guessed from the id', async () => {
    const alice = await given.account()
    const { id, url } = await uploaded(alice, 'rgb.png')
    expect(url).toMatch(
      new RegExp(`^https://fieldfare.test/media/attachments/${id}/[\\w-]{16}/original.png$`),
    )
  })

  const refusals: readonly (readonly [string, Parameters<typeof formOf>[0], string])[] = [
    ['no file', {}, "Validation failed: File can't be blank"],
    ['text in place of a file', { file: 'text' }, "Validation failed: File can't be blank"],
    [
      'an empty file',
      { file: new Uint8Array(0) },
      'Validation failed: File content type is invalid, File is invalid',
    ],
    [
      'a picture nobody can read',
      { file: mediaFile('rgb.png').slice(0, 60) },
      'Validation failed: File could not be read as a picture',
    ],
    [
      'a description over 10,000 characters',
      { file: mediaFile('rgb.png'), description: '💥'.repeat(10_001) },
      'Validation failed: Description is too long (maximum is 10000 characters)',
    ],
    [
      'a focus outside the picture',
      { file: mediaFile('rgb.png'), focus: '2,0' },
      'Validation failed: Focus must be two numbers between -1 and 1',
    ],
    [
      'a thumbnail that is no picture',
      { file: mediaFile('sound.mp4'), thumbnail: mediaFile('constant.mp3') },
      'Validation failed: Thumbnail content type is invalid',
    ],
  ]
  for (const [what, parts, error] of refusals)
    it(`refuses ${what} and stores nothing [T-383]`, async () => {
      const alice = await given.account()
      const kept: string[] = []
      const put = async (key: string) => void kept.push(key)
      const files = { ...context().files, put }
      const answer = await as(alice).post('/api/v2/media', formOf(parts), { overrides: { files } })
      expect(answer).toMatchObject({ status: 422, body: { error } })
      expect({ kept, rows: await stored(alice) }).toEqual({ kept: [], rows: 0 })
    })

  it('leaves neither row nor file when a part of it fails [T-384]', async () => {
    const alice = await given.account()
    const { files } = context()
    const kept: string[] = []
    const failing = {
      ...files,
      put: async (key: string, bytes: ArrayBuffer | Uint8Array | ReadableStream, mime: string) => {
        if (key.includes('small')) throw new Error('the store is full')
        await files.put(key, bytes, mime)
        kept.push(key)
      },
    }
    const form = formOf({ file: mediaFile('rgb.png') })
    const answer = await as(alice).post('/api/v2/media', form, { overrides: { files: failing } })
    expect(answer).toMatchObject({ status: 500, body: { error: expect.any(String) } })
    expect(kept).toHaveLength(1)
    expect(await files.head(kept[0] ?? '')).toBeNull()
    expect(await stored(alice)).toBe(0)
  })

  it('leaves no file when the row cannot be written', async () => {
    const alice = await given.account()
    const ids = { next: () => 7 }
    const kept: string[] = []
    const { files } = context()
    const put = async (key: string, bytes: ArrayBuffer | Uint8Array | ReadableStream, mime: string) => {
      kept.push(key)
      await files.put(key, bytes, mime)
    }
    const overrides = { ids, files: { ...files, put } }
    const send = () => as(alice).post('/api/v2/media', formOf({ file: mediaFile('rgb.png') }), { overrides })
    expect([(await send()).status, (await send()).status]).toEqual([200, 500])
    const heads = await Promise.all(kept.map((key) => files.head(key)))
    expect(heads.map((head) => head !== null)).toEqual([true, true, false, false])
  })

  it('accepts a description of exactly 10,000 characters [T-385]', async () => {
    const description = '💥'.repeat(10_000)
    expect(await uploaded(await given.account(), 'rgb.png', { description })).toMatchObject({ description })
  })
})

describe('POST /api/v1/media', () => {
  it('POST /api/v1/media works alike, with Deprecation [T-386]', async () => {
    const alice = await given.account()
    const answer = await as(alice).post('/api/v1/media', formOf({ file: mediaFile('rgb.png') }))
    expect(answer).toMatchObject({ status: 200, body: { type: 'image' } })
    expect(answer.headers.get('deprecation')).toBe('@1586044800')
  })
})

describe('GET /api/v1/media/:id', () => {
  it('shows an own upload in one round trip [T-387]', async () => {
    const alice = await given.account()
    const upload = await uploaded(alice, 'rgb.png', { description: 'mine' })
    const answer = await as(alice).get(`/api/v1/media/${upload.id}`)
    expect(answer).toMatchObject({ status: 200, body: upload })
    expectCosts(answer.costs, { trips: 1, rowsWritten: 0 })
  })
})

describe('PUT /api/v1/media/:id', () => {
  it('changes the given fields and keeps the rest, in three round trips [T-388]', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'rgb.png', { description: 'before', focus: '0.1,0.2' })
    const answer = await as(alice).put(`/api/v1/media/${id}`, { focus: '-1,1' })
    expect(answer).toMatchObject({ body: { description: 'before', meta: { focus: { x: -1, y: 1 } } } })
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    await as(alice).patch(`/api/v1/media/${id}`, { description: 'after' })
    const shown = await as(alice).get(`/api/v1/media/${id}`)
    expect(shown.body).toMatchObject({
      description: 'after',
      meta: { original: { size: '40x30' }, focus: { x: -1, y: 1 } },
    })
  })

  it('removes a description when it becomes blank', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'rgb.png', { description: 'before' })
    expect((await as(alice).put(`/api/v1/media/${id}`, { description: '' })).body).toMatchObject({
      description: null,
    })
  })

  it('replaces the preview of a video and deletes the previous one [T-389]', async () => {
    const alice = await given.account()
    const film = await uploaded(alice, 'sound.mp4', { thumbnail: mediaFile('rgb.png') })
    const before = (await rowOf(film.id))?.previewKey ?? ''
    const thumbnail = mediaFile('upright.jpg')
    const answer = await as(alice).put(`/api/v1/media/${film.id}`, formOf({ thumbnail }))
    expect(answer.body).toMatchObject({ meta: { small: { size: '60x40' }, original: { duration: 1.5 } } })
    const after = (await rowOf(film.id))?.previewKey ?? ''
    const { files } = context()
    expect([await files.head(before), await files.head(after)]).toEqual([
      null,
      expect.objectContaining({ mime: 'image/webp' }),
    ])
  })

  it('keeps one preview and no other file when two requests replace it at once', async () => {
    const alice = await given.account()
    const film = await uploaded(alice, 'sound.mp4')
    const { files } = context()
    const put: string[] = []
    const watched = {
      ...files,
      put: async (key: string, bytes: ArrayBuffer | Uint8Array | ReadableStream, mime: string) => {
        put.push(key)
        await files.put(key, bytes, mime)
      },
    }
    const change = (name: string) =>
      as(alice).put(`/api/v1/media/${film.id}`, formOf({ thumbnail: mediaFile(name) }), {
        overrides: { files: watched },
      })
    const answers = await Promise.all([change('rgb.png'), change('upright.jpg')])
    const kept = (await Promise.all(put.map(async (key) => ((await files.head(key)) ? [key] : [])))).flat()
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(kept).toEqual([(await rowOf(film.id))?.previewKey])
  })

  it('PUT /api/v1/media/:id refuses what uploading refuses', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'sound.mp4')
    for (const parts of [
      { focus: '1' },
      { description: 'x'.repeat(10_001) },
      { thumbnail: mediaFile('sound.wav') },
    ])
      expect((await as(alice).put(`/api/v1/media/${id}`, formOf(parts))).status).toBe(422)
  })
})

describe('DELETE /api/v1/media/:id', () => {
  it('deletes row and files [T-390]', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'rgb.png')
    const row = await rowOf(id)
    const answer = await as(alice).delete(`/api/v1/media/${id}`)
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect(await rowOf(id)).toBeUndefined()
    const { files } = context()
    expect(await files.head(row?.fileKey ?? '')).toBeNull()
    expect(await files.head(row?.previewKey ?? '')).toBeNull()
  })
})

describe('an upload', () => {
  const refused = { status: 404, body: { error: 'Record not found' } }

  it('an upload is 404 for other accounts [T-391]', async () => {
    const [alice, mallory] = [await given.account(), await given.account()]
    const { id } = await uploaded(alice, 'rgb.png', { description: 'secret' })
    const caller = as(mallory)
    expect(await caller.get(`/api/v1/media/${id}`)).toMatchObject(refused)
    expect(await caller.put(`/api/v1/media/${id}`, { description: 'x' })).toMatchObject(refused)
    expect(await caller.patch(`/api/v1/media/${id}`, { description: 'x' })).toMatchObject(refused)
    expect(await caller.delete(`/api/v1/media/${id}`)).toMatchObject(refused)
    await attach(id)
    expect(await caller.delete(`/api/v1/media/${id}`)).toMatchObject(refused)
    expect(await rowOf(id)).toMatchObject({ description: 'secret' })
  })

  it('attached to a status is edited and deleted only through it [T-392]', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'rgb.png')
    await attach(id)
    expect(await as(alice).get(`/api/v1/media/${id}`)).toMatchObject(refused)
    expect(await as(alice).put(`/api/v1/media/${id}`, { description: 'x' })).toMatchObject(refused)
    expect(await as(alice).delete(`/api/v1/media/${id}`)).toMatchObject({ status: 422 })
    expect(await rowOf(id)).toMatchObject({ description: null })
  })

  it('an upload is unchanged with the wrong scope, and without a token', async () => {
    const alice = await given.account()
    const token = await given.token({ accountId: alice.id, scopes: 'read write:statuses' })
    const form = () => formOf({ file: mediaFile('rgb.png') })
    expect((await as(token).post('/api/v2/media', form())).status).toBe(403)
    expect((await anonymous.post('/api/v2/media', form())).status).toBe(401)
    expect(await stored(alice)).toBe(0)
  })
})
