import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assetVersions } from '../../../src/lib/asset-versions'
import { assetPath } from '../../../src/lib/assets'
import { call } from '../support/http'

const addresses = Object.entries(assetVersions).map(([name, version]) => `/assets/${name}?v=${version}`)

describe('the files of the pages', () => {
  it('all exist', () => {
    expect(readdirSync('public/assets').toSorted()).toEqual(Object.keys(assetVersions).toSorted())
  })

  it.each(addresses)('the files of the pages are cached permanently under %s', async (address) => {
    const answer = await call(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    await answer.arrayBuffer()
  })

  it('the files of the pages are linked by that address on a page', async () => {
    const page = await (await call('/about')).text()
    const named = [...page.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)].map(([, path]) => path)
    expect(named.length).toBeGreaterThan(2)
    for (const path of named) expect(addresses).toContain(path)
  })

  it.each(['avatar', 'header'])(
    'the default %s of earlier versions redirects to the current one',
    async (name) => {
      const answer = await call(`/assets/${name}.png`)
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `/assets/${name}.webp`])
      const followed = await call(answer.headers.get('location') ?? '')
      expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'image/webp'])
      await followed.arrayBuffer()
    },
  )

  it('the files of the pages include default pictures of a few kilobytes', async () => {
    for (const [name, most] of [
      ['avatar.webp', 5_000],
      ['header.webp', 10_000],
    ] as const) {
      const answer = await call(assetPath(name))
      expect(answer.headers.get('content-type')).toBe('image/webp')
      expect((await answer.arrayBuffer()).byteLength).toBeLessThan(most)
    }
  })

  it('the names of emojis are served to everybody, and kept by browsers for a day', async () => {
    const answer = await call('/emojis/en.json')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it('the service worker is served for the whole site, looked up anew, and may fetch nothing but pages of it and pictures', async () => {
    const answer = await call('/sw.js')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('javascript')
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; connect-src 'self'; img-src https:",
    )
    await answer.arrayBuffer()
  })
})
