import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Config, parseConfig } from '../../src/config'
import { blocks, mediaAttachments, statuses } from '../../src/db/schema'
import { attachmentOf } from '../../src/domain/media/find'
import { as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { formOf, pathOf, uploaded } from '../support/given-media'
import { mediaFile } from '../support/media'
import { clock, context, fetchApp } from '../support/test-app'

const origin = 'https://fieldfare.test'

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET', base = origin) {
  const { response } = await fetchApp(new Request(`${base}${path}`, { headers, method, redirect: 'manual' }))
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

describe('GET /media/:key', () => {
  let path: string
  let whole: Uint8Array
  let etag: string
  beforeAll(async () => {
    const film = await uploaded(await given.account(), 'sound.wav')
    path = pathOf(film.url)
    whole = mediaFile('sound.wav')
    ;({ etag = '' } = (await ask(path)).headers)
  })

  it('serves a file permanently, open to all and without scripts', async () => {
    const answer = await ask(path, { Origin: 'https://client.test' })
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'audio/wav',
        'content-length': String(whole.length),
        'content-disposition': 'inline',
        'accept-ranges': 'bytes',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      },
    })
    expect(answer.headers['access-control-expose-headers']).toContain('Content-Range')
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.bytes).toEqual(whole)
  })

  it('reads only the file from database and store', async () => {
    const { costs } = await fetchApp(new Request(`${origin}${path}`))
    expect(costs.trips).toBe(0)
  })

  const ranges: readonly (readonly [string, number, number])[] = [
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, 4078],
    ['bytes=-10', 4068, 4078],
    ['bytes=4000-9999', 4000, 4078],
  ]
  for (const [range, from, to] of ranges)
    it(`GET /media/:key serves ${range}`, async () => {
      const answer = await ask(path, { Range: range })
      expect(answer).toMatchObject({
        status: 206,
        headers: {
          'content-range': `bytes ${from}-${to - 1}/4078`,
          'content-length': String(to - from),
          'content-type': 'audio/wav',
          etag,
        },
      })
      expect(answer.bytes).toEqual(whole.slice(from, to))
    })

  it('refuses a range past the end', async () => {
    const answer = await ask(path, { Range: 'bytes=4078-' })
    expect(answer).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */4078' } })
  })

  for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=9-1', 'nonsense'])
    it(`serves the whole file for the range ${range}`, async () => {
      expect(await ask(path, { Range: range })).toMatchObject({ status: 200, bytes: whole })
    })

  it('serves a range of this version only on request', async () => {
    const same = await ask(path, { Range: 'bytes=0-9', 'If-Range': etag })
    const other = await ask(path, { Range: 'bytes=0-9', 'If-Range': '"another"' })
    expect([same.status, other.status]).toEqual([206, 200])
    expect(other.bytes).toEqual(whole)
  })

  it('answers 304 to a reader with the file', async () => {
    const answer = await ask(path, { 'If-None-Match': `"x", ${etag}` })
    expect(answer).toMatchObject({ status: 304, headers: { etag }, bytes: new Uint8Array(0) })
    expect((await ask(path, { 'If-None-Match': '"x"' })).status).toBe(200)
  })

  it('answers HEAD with everything except the bytes', async () => {
    const answer = await ask(path, { Range: 'bytes=0-9' }, 'HEAD')
    expect(answer).toMatchObject({ status: 200, headers: { 'content-length': '4078', etag } })
    expect(answer.bytes).toHaveLength(0)
    expect((await ask('/media/attachments/1/x/none.png', {}, 'HEAD')).status).toBe(404)
  })

  it('GET /media/:key answers a preflight', async () => {
    const answer = await ask(
      path,
      {
        Origin: 'https://client.test',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'range',
      },
      'OPTIONS',
    )
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-headers']?.toLowerCase()).toContain('range')
  })

  const odd = [
    '/media/',
    '/media/attachments',
    '/media/attachments/',
    '/media/..%2f..%2fapi/x.png',
    '/media/attachments/%2e%2e/x.png',
    '/media/attachments//x.png',
    '/media/attachments/1/x.png%00.html',
    '/media/attachments/1/x.png/',
    '/media/attachments\\1\\x.png',
    '/media/.env',
    '/media/attachments/1/%FF.png',
    `/media/attachments/${'x'.repeat(2000)}.png`,
  ]
  for (const key of odd)
    it(`finds no file at ${key.slice(0, 50)}`, async () => {
      expect((await ask(key)).status).toBe(404)
    })
})

describe('unsafe files in the store', () => {
  const executable = [
    ['text/html', 'page.html'],
    ['image/svg+xml', 'drawing.svg'],
    ['application/xhtml+xml', 'page.xml'],
    ['text/javascript', 'script.js'],
    ['application/pdf', 'paper.pdf'],
    ['text/html', 'page.png'],
  ] as const
  for (const [mime, name] of executable)
    it(`unsafe files in the store are offered as a download for ${mime} in ${name}`, async () => {
      const key = `attachments/1/hostile/${name}`
      await context().files.put(key, new TextEncoder().encode('<script>alert(1)</script>'), mime)
      expect(await ask(`/media/${key}`)).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment',
          'x-content-type-options': 'nosniff',
        },
      })
    })
})

describe('a separate media host', () => {
  const media = 'https://files.test'
  const config: Config = { ...context().config, mediaBase: media, mediaHost: new URL(media).host }
  const on = async (base: string, path: string, method = 'GET') =>
    (await fetchApp(new Request(`${base}${path}`, { method, redirect: 'manual' }), { config })).response

  it('a separate media host serves files at its root, and nothing else', async () => {
    const key = 'attachments/1/apart/sound.wav'
    await context().files.put(key, mediaFile('sound.wav'), 'audio/wav')
    const file = await on(media, `/${key}`)
    expect(file.status).toBe(200)
    expect(file.headers.get('access-control-allow-origin')).toBe('*')
    expect((await on(origin, `/media/${key}`)).status).toBe(200)
    for (const path of ['/', '/health', '/api/v1/timelines/home', '/api/openapi.json', `/media/${key}`])
      expect((await on(media, path)).status, path).toBe(404)
    expect((await on(media, `/${key}`, 'DELETE')).status).toBe(404)
  })
})

describe('MEDIA_ORIGIN', () => {
  const base = { ORIGIN: origin, INSTANCE_SECRET: 'x'.repeat(32) }

  it('MEDIA_ORIGIN is the origin of files in the API', async () => {
    const config = parseConfig({ ...base, MEDIA_ORIGIN: 'https://files.test' })
    const { body } = await as(await given.account()).post(
      '/api/v2/media',
      formOf({ file: mediaFile('rgb.png') }),
      { overrides: { config } },
    )
    const at = expect.stringMatching(/^https:\/\/files\.test\/attachments\/\d+\/[\w-]+\/\w+\.\w+$/)
    expect(body).toMatchObject({ url: at, preview_url: at })
  })

  it('counts only when it is another host, because the server keeps its files in a folder', () => {
    const shared = { mediaBase: `${origin}/media`, mediaHost: null }
    expect(parseConfig(base)).toMatchObject(shared)
    expect(parseConfig({ ...base, MEDIA_ORIGIN: `${origin}/` })).toMatchObject(shared)
  })
})

describe('an attachment by its number', () => {
  let author: TestAccount
  let reader: TestAccount
  beforeAll(async () => {
    ;[author, reader] = [await given.account(), await given.account()]
  })

  async function posted(visibility: 'public' | 'unlisted' | 'private' | 'direct') {
    const ctx = context()
    const attachment = await uploaded(author, 'rgb.png')
    const own = eq(mediaAttachments.id, Number(attachment.id))
    const [row] = await ctx.db.select().from(mediaAttachments).where(own)
    const id = ctx.ids.next()
    await ctx.db.batch([
      ctx.db.insert(statuses).values({
        id,
        accountId: author.id,
        local: true,
        visibility,
        content: '',
        conversationId: id,
        createdAt: clock.now(),
        attachments: row === undefined ? [] : [attachmentOf(row)],
      }),
      ctx.db.update(mediaAttachments).set({ statusId: id }).where(own),
    ])
    return attachment
  }

  const where = async (path: string, by?: TestAccount) => {
    const headers = by === undefined ? {} : { Authorization: `Bearer ${by.token}` }
    const {
      status,
      headers: { location },
    } = await ask(path, headers)
    return status === 302 ? location : status
  }

  it('redirects to the file when it is public [T-685]', async () => {
    for (const visibility of ['public', 'unlisted'] as const) {
      const { id, url, preview_url } = await posted(visibility)
      expect(await where(`/media/${id}`)).toBe(url)
      expect(await where(`/media_proxy/${id}`)).toBe(url)
      expect(await where(`/media_proxy/${id}/small`)).toBe(preview_url)
    }
  })

  it('an attachment is 404 for accounts that may not see it [T-686]', async () => {
    for (const visibility of ['private', 'direct'] as const) {
      const { id, url } = await posted(visibility)
      for (const path of [`/media/${id}`, `/media_proxy/${id}`, `/media_proxy/${id}/small`]) {
        expect(await where(path)).toBe(404)
        expect(await where(path, reader)).toBe(404)
      }
      expect(await where(`/media_proxy/${id}`, author)).toBe(url)
    }
  })

  it('an attachment is 404 for an account the author blocked, or with a token without the scope', async () => {
    const ctx = context()
    const blocked = await given.account()
    await ctx.db.insert(blocks).values({
      id: ctx.ids.next(),
      accountId: author.id,
      targetAccountId: blocked.id,
      createdAt: clock.now(),
    })
    const open = await posted('public')
    const secret = await posted('private')
    expect(await where(`/media_proxy/${open.id}`, blocked)).toBe(404)
    const token = await given.token({ accountId: author.id, scopes: 'write' })
    expect(await where(`/media_proxy/${secret.id}`, { ...author, token })).toBe(404)
    expect(await where(`/media_proxy/${secret.id}`, { ...author, token: 'no-such-token' })).toBe(404)
    expect(await where(`/media_proxy/${open.id}`, { ...author, token: 'no-such-token' })).not.toBe(404)
  })

  it('an attachment is 404 while it is unattached, and when it is missing [T-687]', async () => {
    const { id } = await uploaded(author, 'rgb.png')
    for (const path of [`/media/${id}`, `/media_proxy/${id}`, '/media/1', '/media_proxy/1', '/media_proxy/x'])
      expect(await where(path, author), path).toBe(404)
  })

  it('an attachment by its number costs one round trip', async () => {
    const { id } = await posted('public')
    const { costs } = await fetchApp(
      new Request(`${origin}/media_proxy/${id}`, {
        redirect: 'manual',
        headers: { Authorization: `Bearer ${reader.token}` },
      }),
    )
    expect(costs.trips).toBeLessThanOrEqual(1)
  })
})
