import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { configOf } from '../src/cloudflare/config-cache'
import { parseConfig } from '../src/config'
import { Instance } from '../src/contract/entities/instance'
import { MediaAttachment } from '../src/contract/entities/status'
import { prepareProfilePicture, processPicture, processSitePicture } from '../src/domain/media/pictures'
import { sniffMedia } from '../src/lib/media/sniff'
import type { Job } from '../src/messages/jobs'
import { ownMeter, wire } from '../src/wire'
import { anonymous, as } from './support/as'
import { given } from './support/given'
import { formOf } from './support/given-media'
import { mediaFile } from './support/media'
import { movingPng } from './support/media-moving'
import { context } from './support/test-app'

/** Accounts of Cloudflare without Images, sending of mail, and queues. */

const { IMAGES: _images, EMAIL: _email, JOBS: _jobs, JOBS_DEAD: _dead, ...bound } = env
const bare = { ...bound, MAIL_FROM: 'hello@fieldfare.test' }
const config = parseConfig(bare)
const overrides = { images: null, config }
const late: Promise<unknown>[] = []
// @ts-expect-error: the types of the bindings know no account that lacks one
const lacking = () => wire(bare, { waitUntil: (work) => void late.push(work) })

describe('an account without services', () => {
  it('recognises missing services by their bindings', () => {
    expect(config).toMatchObject({ missingServices: ['images', 'email', 'queues'], mailFrom: null })
    expect(configOf(env).missingServices).toEqual([])
    expect(lacking()).toMatchObject({ images: null, mailer: null })
  })

  it('shows no backlog of jobs without queues', async () => {
    expect(await lacking().jobBacklog()).toBeNull()
  })
})

describe('without Images', () => {
  const upload = async (file: string) => {
    const form = formOf({ file: mediaFile(file) })
    return as(await given.account()).post('/api/v2/media', form, { overrides })
  }

  it('keeps an upload as it is, without its metadata, and shows it as its own preview', async () => {
    const { status, body } = await upload('turned.jpg')
    expect(status).toBe(200)
    const picture = MediaAttachment.parse(body)
    expect(picture).toMatchObject({ type: 'image', blurhash: null, preview_url: picture.url })
    expect(picture.meta?.original).toMatchObject({ width: 40, height: 60 })
    const key = new URL(picture.url ?? '').pathname.replace('/media/', '')
    const stored = new Uint8Array((await (await env.MEDIA.get(key))?.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(stored.length).toBeLessThanOrEqual(mediaFile('turned.jpg').length)
  })

  it.each(['photo.avif', 'photo.heic'])(
    'refuses %s, which not every browser shows, as it is advertised',
    async (file) => {
      const { status, body } = await upload(file)
      expect(status).toBe(422)
      expect(body).toEqual({
        error: 'Validation failed: File content type is invalid, File is invalid',
      })
    },
  )

  it('accepts videos and sound', async () => {
    expect((await upload('silent.mp4')).status).toBe(200)
    expect((await upload('constant.mp3')).status).toBe(200)
  })

  it('refuses pictures that are too large to be shown as they are', async () => {
    const png = mediaFile('rgb.png')
    new DataView(png.buffer).setUint32(16, 6_000)
    new DataView(png.buffer).setUint32(20, 2_000)
    const ctx = context(overrides)
    await expect(processPicture(ctx, png)).rejects.toThrow(
      'File must have at most 8294400 pixels, not 6000x2000: this server cannot shrink pictures',
    )
    const wanted = { kind: 'avatar', file: png } as const
    await expect(prepareProfilePicture(ctx, 7, wanted)).rejects.toThrow('Avatar must have at most 1024x1024')
  })

  it('shows apps the accepted types, so that they shrink and convert pictures themselves', async () => {
    const { body } = await anonymous.get('/api/v2/instance', { overrides })
    const { supported_mime_types: types, image_matrix_limit: limit } =
      Instance.parse(body).configuration.media_attachments
    expect(types).toEqual(expect.arrayContaining(['image/jpeg', 'image/webp', 'video/mp4']))
    expect(types).not.toEqual(expect.arrayContaining(['image/heic']))
    expect(types).not.toContain('image/avif')
    expect(limit).toBe(8_294_400)
  })

  it('keeps avatars, a static form of an animated one, and the picture of the server', async () => {
    const ctx = context(overrides)
    const avatar = await prepareProfilePicture(ctx, 7, { kind: 'avatar', file: mediaFile('animated.gif') })
    expect(avatar.files.map(({ mime }) => mime)).toEqual(['image/gif', 'image/gif'])
    expect(avatar.ref.still).toBe(avatar.files[1]?.key)
    for (const [file, mime] of [
      [movingPng(), 'image/png'],
      [mediaFile('animated.webp'), 'image/webp'],
    ] as const) {
      const { files, ref } = await prepareProfilePicture(ctx, 7, { kind: 'avatar', file })
      expect(files.map(({ bytes }) => sniffMedia(bytes))).toEqual([
        { mime, kind: 'gifv-candidate' },
        { mime, kind: 'image' },
      ])
      expect(ref.still).toBe(files[1]?.key)
    }
    const header = await prepareProfilePicture(ctx, 7, { kind: 'header', file: mediaFile('rgb.png') })
    expect(header.files.map(({ mime }) => mime)).toEqual(['image/png'])
    const { standard, large } = await processSitePicture(ctx, mediaFile('upright.jpg'))
    expect([standard.mime, large]).toEqual(['image/jpeg', standard])
  })

  it('works alike where Images is bound but was never enabled', async () => {
    const disabled = new Proxy(env.IMAGES, {
      get: () => () => {
        throw Object.assign(new Error('Images is not enabled'), { code: 9432 })
      },
    })
    const { images } = wire({ ...env, IMAGES: disabled }, { waitUntil: () => undefined })
    const { original, small } = await processPicture({ ...context(), images }, mediaFile('rgb.png'))
    expect([original.mime, small]).toEqual(['image/png', null])
  })
})

describe('without queues', () => {
  const realClock = { now: () => new Date(), sleep: async () => undefined }
  const objectOf = (kind: Job['kind']) => env.JOB_QUEUE.get(env.JOB_QUEUE.idFromName(kind))
  const rowsOf = (kind: Job['kind']) =>
    runInDurableObject(objectOf(kind), (_instance, { storage: { sql } }) => {
      const tables = sql.exec("select name from sqlite_master where name = 'jobs'").toArray()
      return tables.length === 0 ? [] : sql.exec('select attempts from jobs').toArray()
    })

  it('runs a job by an object, once, and keeps nothing of it', async () => {
    await env.MEDIA.put('attachments/1/a/original.png', 'a picture')
    await lacking().jobs.send({ kind: 'retire-files', keys: ['attachments/1/a/original.png'] })
    expect(await rowsOf('retire-files')).toMatchObject([{ attempts: 0 }])
    const alarms = vi.spyOn(ownMeter, 'add')
    expect(await runDurableObjectAlarm(objectOf('retire-files'))).toBe(true)
    expect(alarms.mock.calls.filter(([, kind]) => kind === 'objectCalls')).toHaveLength(1)
    alarms.mockRestore()
    expect(await env.MEDIA.get('attachments/1/a/original.png')).toBeNull()
    expect(await rowsOf('retire-files')).toEqual([])
  })

  it('delays a job as requested', async () => {
    await lacking().jobs.send({ kind: 'delete-files', keys: ['attachments/2'] }, { delaySeconds: 600 })
    expect(await rowsOf('delete-files')).toHaveLength(1)
    await runDurableObjectAlarm(objectOf('delete-files'))
    expect(await rowsOf('delete-files')).toHaveLength(1)
  })

  it('retries a failed job, and finally stores it as a dead letter', async () => {
    // R2 takes no keys of more than 1,024 bytes.
    const job: Job = { kind: 'retire-files', keys: ['k'.repeat(1_100)] }
    const object = objectOf(job.kind)
    const dead: unknown[] = []
    await lacking().jobs.send(job)
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      expect(await rowsOf(job.kind)).toMatchObject([{ attempts: attempt - 1 }])
      await runInDurableObject(object, async (instance, { storage }) => {
        Object.assign(instance, {
          begin: () => ({
            ...context(),
            clock: realClock,
            deadLetters: { send: async (letter: unknown) => void dead.push(letter) },
          }),
        })
        storage.sql.exec('update jobs set due_at = 0')
        await instance.alarm?.()
      })
    }
    expect(await rowsOf(job.kind)).toEqual([])
    expect(dead).toEqual([job])
  })

  it('stores dead letters at once', async () => {
    const ctx = lacking()
    await ctx.deadLetters.send({ kind: 'a-kind-of-tomorrow', to: 'ada' })
    const stored = await env.DB.prepare('select kind, message from dead_letters').all()
    expect(stored.results).toEqual([
      { kind: 'a-kind-of-tomorrow', message: JSON.stringify({ kind: 'a-kind-of-tomorrow', to: 'ada' }) },
    ])
  })
})
