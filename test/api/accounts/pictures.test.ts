import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { accounts } from '../../../src/db/schema'
import { assetPath } from '../../../src/lib/assets'
import { readDimensions } from '../../../src/lib/media/dimensions'
import type { Ctx } from '../../../src/ports/ctx'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { formOf } from '../../support/given-media'
import { mediaFile } from '../../support/media'
import { context, settleLateWork } from '../../support/test-app'

const path = '/api/v1/accounts/update_credentials'
const update = (who: TestAccount, parts: Parameters<typeof formOf>[0]) => as(who).patch(path, formOf(parts))

const Pictures = z.object({
  avatar: z.string(),
  avatar_static: z.string(),
  header: z.string(),
  header_static: z.string(),
})

/** The stored file behind an address, or null. */
async function stored(url: string) {
  const found = await context().files.get(new URL(url).pathname.replace('/media/', ''))
  return found === null ? null : new Uint8Array(await new Response(found.body).arrayBuffer())
}

const defaults = {
  avatar: `https://fieldfare.test${assetPath('avatar.webp')}`,
  avatar_static: `https://fieldfare.test${assetPath('avatar.webp')}`,
  header: `https://fieldfare.test${assetPath('header.webp')}`,
  header_static: `https://fieldfare.test${assetPath('header.webp')}`,
}

describe('PATCH /api/v1/accounts/update_credentials', () => {
  it('avatar/header multipart → new URLs in avatar, avatar_static, header, header_static [T-189]', async () => {
    const alice = await given.account()
    const { body } = await update(alice, { avatar: mediaFile('rgb.png'), header: mediaFile('lossy.webp') })
    const pictures = Pictures.parse(body)
    expect(pictures.avatar_static).toBe(pictures.avatar)
    expect(pictures.header_static).toBe(pictures.header)
    const [avatar, header] = [await stored(pictures.avatar), await stored(pictures.header)]
    if (avatar === null || header === null) throw new Error('not stored')
    expect(readDimensions(avatar)).toMatchObject({ width: 400, height: 400 })
    expect(readDimensions(header)).toMatchObject({ width: 1500, height: 500 })
  })

  it('keeps an animated GIF moving, with a static form', async () => {
    const alice = await given.account()
    const { avatar, avatar_static } = Pictures.parse(
      (await update(alice, { avatar: mediaFile('animated.gif') })).body,
    )
    expect(avatar).toMatch(/\.gif$/)
    expect(avatar_static).toMatch(/\.webp$/)
    expect(await stored(avatar)).not.toBeNull()
    expect(await stored(avatar_static)).not.toBeNull()
  })

  it('deletes the previous picture with its static form', async () => {
    const alice = await given.account()
    const before = Pictures.parse((await update(alice, { avatar: mediaFile('animated.gif') })).body)
    const after = Pictures.parse((await update(alice, { avatar: mediaFile('rgb.png') })).body)
    await settleLateWork()
    expect(await stored(before.avatar)).toBeNull()
    expect(await stored(before.avatar_static)).toBeNull()
    expect(await stored(after.avatar)).not.toBeNull()
  })

  it('refuses a file of an unlisted type, and changes nothing then', async () => {
    const alice = await given.account()
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    const big = new Uint8Array(8_388_609)
    big.set(mediaFile('rgb.png'))
    for (const bad of [svg, big, mediaFile('photo.avif'), mediaFile('film.ogv'), new Uint8Array(3)]) {
      const answer = await update(alice, {
        display_name: 'changed',
        avatar: mediaFile('rgb.png'),
        header: bad,
      })
      expect(answer).toMatchObject({ status: 422, body: { error: expect.stringContaining('Header') } })
    }
    const { body } = await as(alice).get('/api/v1/accounts/verify_credentials')
    expect(body).toMatchObject({ ...defaults, display_name: '' })
  })

  it('ignores text in the place of a picture, except a data URL', async () => {
    const alice = await given.account()
    const { body } = await as(alice).patch(path, { avatar: '', header: 'missing' })
    expect(body).toMatchObject(defaults)
    expect((await update(alice, { avatar: new Uint8Array(0), header: '' })).body).toMatchObject(defaults)
    const broken = await as(alice).patch(path, { header: 'data:image/png;base64,AAAA' })
    expect(broken.body).toMatchObject({ error: 'Validation failed: Header content type is invalid' })
  })

  it('deletes the new file when the commit fails', async () => {
    const alice = await given.account()
    const kept: string[] = []
    const answer = await as(alice).patch(
      path,
      formOf({ avatar: mediaFile('rgb.png'), display_name: 'new' }),
      {
        overrides: { files: overtaken(alice, kept) },
      },
    )
    expect(answer.status).toBe(409)
    expect(kept).toEqual([])
    const { body } = await as(alice).get('/api/v1/accounts/verify_credentials')
    expect(body).toMatchObject({ display_name: '', avatar: 'https://fieldfare.test/media/other.webp' })
  })

  it('loses no file when two pictures race', async () => {
    const alice = await given.account()
    const answers = await Promise.all([1, 2, 3].map(() => update(alice, { avatar: mediaFile('rgb.png') })))
    await settleLateWork()
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    const { avatar } = Pictures.parse((await as(alice).get('/api/v1/accounts/verify_credentials')).body)
    expect(await stored(avatar)).not.toBeNull()
    for (const { status, body } of answers) {
      if (status !== 200) continue
      const url = Pictures.parse(body).avatar
      if (url !== avatar) expect(await stored(url)).toBeNull()
    }
  })
})

describe('DELETE /api/v1/profile/avatar and /header', () => {
  it('DELETE profile/avatar → 200 CredentialAccount, avatar is the default, header untouched; header the mirror image [T-190]', async () => {
    const alice = await given.account()
    const set = { avatar: mediaFile('rgb.png'), header: mediaFile('rgb.png'), avatar_description: 'me' }
    const before = Pictures.parse((await update(alice, set)).body)
    const first = await as(alice).delete('/api/v1/profile/avatar')
    expect(first.body).toMatchObject({
      avatar: defaults.avatar,
      avatar_static: defaults.avatar_static,
      avatar_description: '',
      header: before.header,
    })
    const second = await as(alice).delete('/api/v1/profile/header')
    expect(second.body).toMatchObject(defaults)
    await settleLateWork()
    expect(await stored(before.avatar)).toBeNull()
    expect(await stored(before.header)).toBeNull()
    expect((await as(alice).delete('/api/v1/profile/header')).status).toBe(200)
  })
})

describe('/api/v1/profile', () => {
  it('GET → the texts as written beside their formatted form, pictures null by default', async () => {
    const alice = await given.account()
    await as(alice).patch(path, { note: 'a <b>', fields_attributes: [{ name: 'x', value: '<i>' }] })
    const answer = await as(alice).get('/api/v1/profile')
    expect(answer.body).toMatchObject({
      id: String(alice.id),
      note: 'a <b>',
      formatted_note: '<p>a &lt;b&gt;</p>',
      fields: [{ value: '<i>' }],
      formatted_fields: [{ value: '&lt;i&gt;' }],
      avatar: null,
      avatar_static: null,
      header: null,
      header_static: null,
      featured_tags: [],
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    const signedIn = await given.account({ scopes: 'profile' })
    expect((await as(signedIn).get('/api/v1/profile')).status).toBe(200)
  })

  it('/api/v1/profile lists its own featured hashtags only', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await as(alice).post('/api/v1/featured_tags', { name: 'Wrens' })
    await as(bob).post('/api/v1/featured_tags', { name: 'Owls' })
    const named = { featured_tags: [{ name: 'Wrens', url: expect.stringContaining(alice.username) }] }
    expect((await as(alice).get('/api/v1/profile')).body).toMatchObject(named)
    expect((await as(alice).patch('/api/v1/profile', { note: 'x' })).body).toMatchObject(named)
  })

  it('PATCH and PUT change sent values', async () => {
    const alice = await given.account()
    const first = await as(alice).patch('/api/v1/profile', { display_name: 'Alice', show_media: false })
    expect(first.body).toMatchObject({ display_name: 'Alice', show_media: false, show_featured: true })
    const second = await as(alice).put('/api/v1/profile', formOf({ avatar: mediaFile('rgb.png') }))
    expect(second.body).toMatchObject({
      display_name: 'Alice',
      show_media: false,
      avatar: expect.stringContaining('/media/avatars/'),
    })
    expect((await as(alice).put('/api/v1/profile', { note: 'x'.repeat(501) })).status).toBe(422)
    const reader = await given.account({ scopes: 'read' })
    expect((await as(reader).patch('/api/v1/profile', {})).status).toBe(403)
  })
})

/** A store during whose work somebody else changes the avatar; notes what it keeps. */
function overtaken({ id }: TestAccount, kept: string[]): Ctx['files'] {
  const { files: real, db } = context()
  return {
    ...real,
    put: async (key, body, mime) => {
      kept.push(key)
      await real.put(key, body, mime)
      await db
        .update(accounts)
        .set({ avatar: { key: 'other.webp' } })
        .where(sql`id = ${id}`)
    },
    delete: async (keys) => {
      for (const key of keys) kept.splice(kept.indexOf(key), 1)
      await real.delete(keys)
    },
  }
}
