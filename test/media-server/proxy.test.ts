import { describe, expect, it } from 'vitest'
import { Unreachable } from '../../src/errors'
import type { HttpRequest } from '../../src/lib/outgoing'
import type { Http } from '../../src/ports/federation'
import { fileUrl } from '../../src/view/urls'
import { as } from '../support/as'
import { given } from '../support/given'
import { context, fetchApp } from '../support/test-app'

const png = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
)

/** Another server that answers every request alike, and remembers what it was asked. */
function elsewhere(answer: () => Response) {
  const asked: HttpRequest[] = []
  const http: Http = {
    sent: () => asked.length,
    send: async (request) => {
      asked.push(request)
      const { status, headers, body } = answer()
      return { status, headers, body, url: request.url }
    },
  }
  return { http, asked }
}

function addressOf(url: string, owner: number | null = null): string {
  return fileUrl(context().config, { remote: url }, owner)
}

async function get(address: string, http: Http, init: RequestInit = {}): Promise<Response> {
  return (await fetchApp(new Request(address, init), { http })).response
}

const picture = 'https://files.elsewhere.test/one.png'
const asPng = { headers: { 'content-type': 'image/png', etag: '"one"' } }

describe('files of other servers', () => {
  it('remote files are proxied under an address of this server, cacheable', async () => {
    const { http, asked } = elsewhere(() => new Response(png, asPng))
    const answer = await get(addressOf(picture), http)
    expect(answer.status).toBe(200)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(answer.headers.get('etag')).toBe('"one"')
    expect(asked.map(({ url }) => url)).toEqual([picture])
  })

  it('files of other servers reveal nothing about the reader to the other server', async () => {
    const { http, asked } = elsewhere(() => new Response(png, asPng))
    await get(addressOf(picture), http, {
      headers: { cookie: 'session=1', authorization: 'Bearer x', referer: 'https://fieldfare.test/home' },
    })
    expect(Object.keys(asked[0]?.headers ?? {})).toEqual(['accept'])
  })

  it('remote files are served only under the generated address [T-683]', async () => {
    const { http, asked } = elsewhere(() => new Response(png, asPng))
    const address = new URL(addressOf(picture))
    const [, mac = '', encoded = ''] = /proxy\/([^/]+)\/0\/(.+)/.exec(address.pathname) ?? []
    const other = btoa('https://victim.test/a').replaceAll('=', '')
    for (const path of [
      `${mac}/0/${other}`,
      `${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}/0/${encoded}`,
      `${mac}x/0/${encoded}`,
      `x/0/${encoded}`,
      `${mac}/0/x`,
      `${mac}/1/${encoded}`,
      `${mac}/${encoded}`,
    ])
      expect((await get(`${address.origin}/media/proxy/${path}`, http)).status).toBe(404)
    expect(asked).toEqual([])
  })

  it.each([
    'text/html',
    'image/svg+xml',
    'application/activity+json',
    'text/html; charset=utf-8',
    'application/pdf',
  ])('remote files are refused as %s [T-684]', async (type) => {
    const { http } = elsewhere(() => new Response('<script>', { headers: { 'content-type': type } }))
    expect((await get(addressOf(picture), http)).status).toBe(404)
  })

  it('remote files are identified by their bytes where the other server does not name the type', async () => {
    const unnamed = { headers: { 'content-type': 'application/octet-stream' } }
    const answer = await get(addressOf(picture), elsewhere(() => new Response(png, unnamed)).http)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(png)
    const page = await get(addressOf(picture), elsewhere(() => new Response('<html>', unnamed)).http)
    expect(page.status).toBe(404)
  })

  it('remote files can be requested in parts', async () => {
    const { http, asked } = elsewhere(
      () =>
        new Response(png.slice(0, 8), {
          status: 206,
          headers: { 'content-type': 'video/mp4', 'content-range': 'bytes 0-7/70' },
        }),
    )
    const answer = await get(addressOf(picture), http, { headers: { range: 'bytes=0-7' } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 0-7/70'])
    expect(asked[0]?.headers['range']).toBe('bytes=0-7')
  })

  it('remote files are 404 when they are too long, missing, or unreachable', async () => {
    const long = { headers: { 'content-type': 'video/mp4', 'content-length': '104857601' } }
    expect((await get(addressOf(picture), elsewhere(() => new Response(png, long)).http)).status).toBe(404)
    const missing = elsewhere(
      () => new Response('', { status: 404, headers: { 'content-type': 'image/png' } }),
    )
    expect((await get(addressOf(picture), missing.http)).status).toBe(404)
    const http: Http = { sent: () => 0, send: () => Promise.reject(new Unreachable('no answer')) }
    expect((await get(addressOf(picture), http)).status).toBe(503)
  })

  it('remote files are not read for a HEAD, which has the same headers', async () => {
    let isCancelled = false
    const body = () =>
      new ReadableStream({
        cancel: () => {
          isCancelled = true
        },
      })
    const answer = await get(addressOf(picture), elsewhere(() => new Response(body(), asPng)).http, {
      method: 'HEAD',
    })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'image/png',
      '',
    ])
    expect(isCancelled).toBe(true)
  })

  it('files of other servers appear in the API under addresses of this server only', async () => {
    const remote = { remote: 'https://files.elsewhere.test/avatar.png' }
    const other = await given.remoteAccount({ avatar: remote, header: remote })
    const reader = await given.account()
    const address = addressOf(remote.remote, other.id)
    expect((await as(reader).get(`/api/v1/accounts/${other.id}`)).body).toMatchObject({
      avatar: address,
      avatar_static: address,
      header: address,
      header_static: address,
    })
  })
})
