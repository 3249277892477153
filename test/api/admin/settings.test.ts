import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Setting } from '../../../src/contract/entities/admin/instance'
import { Instance } from '../../../src/contract/entities/instance'
import { execute } from '../../../src/db/query'
import { accounts, settings } from '../../../src/db/schema'
import { saveSettings } from '../../../src/domain/instance/save-settings'
import { defaultSettings, loadSettings, settingKey } from '../../../src/domain/instance/settings'
import { operator } from '../../../src/domain/policy/permissions'
import { readDimensions } from '../../../src/lib/media/dimensions'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { formOf } from '../../support/given-media'
import { givenOwner } from '../../support/given-staff'
import { mediaFile } from '../../support/media'
import { context, fetchApp, settleLateWork } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/settings'
const stored = () => execute(context().db, loadSettings(context()))

describe('settings for administrators', () => {
  let owner: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
  })
  afterEach(() => saveSettings(context(), operator, defaultSettings))

  async function named(name: string) {
    const list = z.array(Setting).parse((await as(owner).get(path)).body)
    return list.find((setting) => setting.name === name)
  }

  it('lists settings with types, bounds and defaults, in one round trip', async () => {
    const answer = await as(owner).get(path)
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(z.array(Setting).parse(answer.body)).toHaveLength(Object.keys(defaultSettings).length)
    expect(await named('minimumAge')).toMatchObject({
      type: 'integer',
      nullable: true,
      minimum: 1,
      maximum: 120,
      value: null,
      default: null,
    })
    expect(await named('registrations')).toMatchObject({
      type: 'choice',
      choices: ['open', 'approval', 'closed'],
      default: 'open',
    })
    expect(await named('trends')).toMatchObject({ type: 'boolean', nullable: false, value: true })
    expect(await named('languages')).toMatchObject({ type: 'list', value: ['en'] })
    expect(await named('title')).toMatchObject({ type: 'text', nullable: false })
    expect(await named('thumbnail')).toMatchObject({ type: 'file' })
  })

  it('changes settings by either verb, as JSON and as form', async () => {
    const json = await as(owner).patch(path, { title: ' Aviary ', minimumAge: 16, languages: ['de', 'en'] })
    expect(json.status).toBe(200)
    expect(await stored()).toMatchObject({ title: 'Aviary', minimumAge: 16, languages: ['de', 'en'] })
    const form = await as(owner).put(path, { minimumAge: '18', trends: 'false', languages: 'fr' })
    expect(form.status).toBe(200)
    expect(await stored()).toMatchObject({
      title: 'Aviary',
      minimumAge: 18,
      trends: false,
      languages: ['fr'],
    })
    await as(owner).patch(path, { minimumAge: '' })
    expect(await stored()).toMatchObject({ minimumAge: null })
    expect((await as(null).get('/api/v2/instance')).body).toMatchObject({ title: 'Aviary' })
  })

  it.each([
    [{ minimumAge: 'abc' }, 'Minimum age must be a whole number from 1 to 120'],
    [{ minimumAge: 0 }, 'Minimum age must be a whole number from 1 to 120'],
    [{ trends: 'maybe' }, 'Trends must be true or false'],
    [{ trends: null }, 'Trends must be true or false'],
    [{ registrations: 'ajar' }, 'Registrations must be one of open, approval, closed'],
    [{ title: '  ' }, "Title can't be blank"],
    [{ title: 'x'.repeat(201) }, 'Title is too long (maximum is 200 characters)'],
    [{ contactEmail: 'nowhere' }, 'Contact email is invalid'],
    [{ statusUrl: 'javascript:alert(1)' }, 'Status url is invalid'],
    [{ languages: ['en', 'no language'] }, 'Languages has an entry (2) that is invalid'],
    [{ languages: [] }, "Languages can't be blank"],
    [{ titel: 'x' }, 'There is no setting titel'],
    [{ contactUsername: 'nobody_at_all' }, 'Contact username nobody_at_all is no account of this server'],
  ])('refuses %j, and changes nothing else', async (patch, problem) => {
    const answer = await as(owner).patch(path, { shortDescription: 'Changed', ...patch })
    expect(answer).toMatchObject({ status: 422, body: { error: `Validation failed: ${problem}` } })
    expect(await stored()).toEqual(defaultSettings)
  })

  it('accepts a local account as contact, not a remote one', async () => {
    const remote = await given.remoteAccount()
    expect((await as(owner).patch(path, { contactUsername: remote.username })).status).toBe(422)
    const { username } = await given.account()
    expect((await as(owner).patch(path, { contactUsername: username.toUpperCase() })).status).toBe(200)
    expect((await as(null).get('/api/v2/instance')).body).toMatchObject({
      contact: { account: { username } },
    })
  })

  it('accepts only known accounts as featured, local ones by any of their handles', async () => {
    const [near, far] = [await given.account(), await given.remoteAccount()]
    const remote = `${far.username}@${far.domain}`
    const answer = await as(owner).patch(path, {
      title: 'Changed',
      featuredAccounts: [
        near.username,
        'nobody_at_all',
        remote,
        `${near.username}@${far.domain}`,
        'no handle',
      ],
    })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        error: [2, 4, 5]
          .map((entry) => `Featured accounts has an entry (${entry}) that is no known account`)
          .join(', ')
          .replace(/^/, 'Validation failed: '),
      },
    })
    expect(await stored()).toEqual(defaultSettings)
    const featuredAccounts = [`${near.username.toUpperCase()}@${context().config.domain}`, remote]
    const saved = await as(owner).patch(path, { featuredAccounts })
    expect(saved.status).toBe(200)
    expect(saved.costs.trips).toBeLessThanOrEqual(4)
    expect(await stored()).toMatchObject({ featuredAccounts })
    await context().db.delete(accounts).where(eq(accounts.id, far.id))
    const kept = await as(owner).patch(path, { featuredAccounts: [near.username, remote] })
    expect(kept.status).toBe(200)
  })

  it('logs every change, and only the length of long texts', async () => {
    await as(owner).patch(path, {
      title: 'Aviary',
      extendedDescription: 'secret plans '.repeat(50),
      trends: true,
    })
    const log = await as(owner).get('/api/fieldfare/v1/admin/audit_log?target_type=settings&limit=1')
    expect(log.body).toMatchObject([
      {
        action: 'update',
        target_label: 'title, extendedDescription',
        before: { title: 'Fieldfare', extendedDescription: '' },
        after: { title: 'Aviary', extendedDescription: '650 characters' },
      },
    ])
    expect(JSON.stringify(log.body)).not.toContain('secret plans')
  })

  it('conflicts where another request changes the same setting at the same time', async () => {
    const ctx = context()
    const title = ctx.db.insert(settings).values({
      key: settingKey('title'),
      value: 'Faster',
      updatedAt: ctx.clock.now(),
    })
    await ctx.db.delete(settings)
    let raced = false
    const batch = ctx.db.batch.bind(ctx.db)
    const db: typeof ctx.db = new Proxy(ctx.db, {
      get: (target, key, receiver) =>
        key === 'batch'
          ? async (...statements: Parameters<typeof batch>) => {
              const results = await batch(...statements)
              if (!raced) {
                raced = true
                await title
              }
              return results
            }
          : Reflect.get(target, key, receiver),
    })
    await expect(saveSettings({ ...ctx, db }, operator, { title: 'Slower' })).rejects.toThrow('same time')
    expect(await stored()).toMatchObject({ title: 'Faster' })
  })

  describe('with a picture', () => {
    const shown = async () => {
      const { body } = await as(null).get('/api/v2/instance')
      return Instance.parse(body).thumbnail
    }
    const keys = async () => {
      const { thumbnail, thumbnailLarge } = await stored()
      return [thumbnail, thumbnailLarge].flatMap((file) => (file !== null && 'key' in file ? file.key : []))
    }
    const send = (parts: Parameters<typeof formOf>[0]) => as(owner).patch(path, formOf(parts))

    it('settings with a picture show it in both sizes with a blurhash, and the default one again without', async () => {
      const before = await shown()
      expect(before).not.toHaveProperty('versions')
      const thumbnail = mediaFile('upright.jpg')
      expect((await send({ thumbnail, thumbnailDescription: 'A hedge', title: 'Hedge' })).status).toBe(200)
      const [standard = '', large = ''] = await keys()
      const { url, blurhash, versions, description } = await shown()
      expect({ url, description, blurhash, versions }).toEqual({
        url: versions?.['@1x'],
        description: 'A hedge',
        blurhash: expect.stringMatching(/^.{6,}$/),
        versions: { '@1x': expect.stringContaining(standard), '@2x': expect.stringContaining(large) },
      })
      for (const [key, size] of [
        [standard, { width: 1_200, height: 630 }],
        [large, { width: 2_400, height: 1_260 }],
      ] as const) {
        const file = await fetchApp(new Request(`https://fieldfare.test/media/${key}`))
        expect(file.response.headers.get('content-type')).toBe('image/jpeg')
        expect(readDimensions(new Uint8Array(await file.response.arrayBuffer()))).toMatchObject(size)
      }
      expect((await as(owner).patch(path, { thumbnail: null })).status).toBe(200)
      expect(await shown()).toEqual({ ...before, description: 'A hedge' })
      await settleLateWork()
      for (const key of [standard, large]) expect(await given.env.MEDIA.head(key)).toBeNull()
    })

    it('deletes the previous files, also where JSON sends the picture', async () => {
      await send({ thumbnail: mediaFile('rgba.png') })
      const [former = ''] = await keys()
      const dataUrl = `data:image/png;base64,${mediaFile('rgba.png').toBase64()}`
      expect((await as(owner).put(path, { thumbnail: dataUrl })).status).toBe(200)
      await settleLateWork()
      expect(await keys()).not.toContain(former)
      expect(await given.env.MEDIA.head(former)).toBeNull()
    })

    it.each([
      ['text', { thumbnail: 'a picture' }],
      ['a key of another file', { thumbnail: { key: '.evidence/x' } }],
      ['a remote picture', { thumbnail: { remote: 'https://elsewhere.test/x.png' } }],
      ['a number', { thumbnail: 7 }],
      ['its other size alone', { thumbnailLarge: { key: 'x' } }],
      ['a blurhash of its own', { thumbnailBlurhash: 'LEHV6nWB2yk8' }],
    ])('refuses %s as picture', async (_, patch) => {
      expect((await as(owner).patch(path, { title: 'Changed', ...patch })).status).toBe(422)
      expect(await stored()).toEqual(defaultSettings)
    })

    it.each([
      ['no picture', new TextEncoder().encode('<svg></svg>')],
      ['a sound', mediaFile('constant.mp3')],
      ['8 MB and more', big(8_388_609)],
    ])('refuses a file that is %s, and saves nothing', async (_, thumbnail) => {
      const answer = await send({ thumbnail, title: 'Changed' })
      expect([answer.status, JSON.stringify(answer.body)]).toEqual([
        422,
        expect.stringContaining('Thumbnail'),
      ])
      expect(await stored()).toEqual(defaultSettings)
    })

    it('stores no file where another setting is refused', async () => {
      const listed = async () => (await given.env.MEDIA.list({ prefix: 'site/' })).objects.length
      const before = await listed()
      const answer = await send({ thumbnail: mediaFile('rgba.png'), contactUsername: 'nobody_at_all' })
      expect([answer.status, await listed()]).toEqual([422, before])
    })
  })

  it('accepts numbers and flags as text, and changes nothing where one setting is refused', async () => {
    const refused = [
      await as(owner).put(path, { title: 'Changed', minimumAge: 'abc' }),
      await as(owner).put(path, { title: 'Changed', contactUsername: 'nobody' }),
      await as(owner).put(path, { title: 'Changed', titel: 'x' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(refused[0]?.body).toEqual({
      error: 'Validation failed: Minimum age must be a whole number from 1 to 120',
    })
    expect(await stored()).toEqual(defaultSettings)
    await as(owner).put(path, { trendMinimumAccounts: '20', trends: 'false' })
    expect(await stored()).toMatchObject({ trendMinimumAccounts: 20, trends: false })
  })
})

/** A PNG whose end is far away. */
function big(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(mediaFile('rgba.png'))
  return bytes
}
