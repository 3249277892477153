import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { call } from '../support/http'
import { mastoOf } from '../support/masto'
import { newPerson, origin } from '../support/people'
import { mediaFile } from '../support/pictures'

async function upload(name: string, type: string): Promise<string> {
  const client = mastoOf(await newPerson())
  const file = await mediaFile(name, type)
  const { url, id } = await client.v2.media.create({ file, skipPolling: true })
  await client.v1.statuses.create({ mediaIds: [id] })
  return String(url)
}

describe('stored media', () => {
  let picture: string
  let sound: string

  beforeAll(async () => {
    picture = await upload('rgb.png', 'image/png')
    sound = await upload('constant.mp3', 'audio/mpeg')
  })

  it('stored media are served by this server with their type, and cached permanently', async () => {
    expect(picture.startsWith(`${origin}/media/`)).toBe(true)
    const answer = await fetch(picture, { headers: { Origin: 'https://phanpy.example' } })
    await answer.arrayBuffer()
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toMatch(/public.*max-age=\d{6,}.*immutable/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    expect(answer.headers.get('cross-origin-resource-policy') ?? 'cross-origin').toBe('cross-origin')
  })

  it('stored media are sent in the ranges a player requests', async () => {
    const whole = new Uint8Array(await (await fetch(sound)).arrayBuffer())
    const size = whole.byteLength
    const parts = [
      ['bytes=0-99', 0, 99],
      [`bytes=${size - 10}-`, size - 10, size - 1],
      ['bytes=-7', size - 7, size - 1],
      ['bytes=5-999999', 5, size - 1],
    ] as const
    for (const [Range, first, last] of parts) {
      const answer = await fetch(sound, { headers: { Range } })
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        206,
        `bytes ${first}-${last}/${size}`,
      ])
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(whole.slice(first, last + 1))
    }
    const beyond = await fetch(sound, { headers: { Range: `bytes=${size}-` } })
    await beyond.arrayBuffer()
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  })

  it('stored media are not sent again to clients that have them', async () => {
    const first = await fetch(picture)
    await first.arrayBuffer()
    const again = await fetch(picture, { headers: { 'If-None-Match': String(first.headers.get('etag')) } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await fetch(picture, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      first.headers.get('content-length'),
      '',
    ])
  })

  it('stored media are 404 when they are missing', async () => {
    for (const path of ['/media/', '/media/nothing.png', '/media/..%2f..%2fsecrets.json', `${picture}x`])
      expect([path, (await call(path)).status]).toEqual([path, 404])
  })

  it.each([
    ['page.html', 'image/png', '<script>alert(1)</script>'],
    ['bird.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['empty.png', 'image/png', ''],
  ])('stored media are refused when they are not media: %s', async (name, type, content) => {
    const form = new FormData()
    form.set('file', new File([content], name, { type }))
    const answer = await call('/api/v2/media', { method: 'POST', body: form, as: await newPerson() })
    expect(answer.status).toBe(422)
    expect(z.object({ error: z.string() }).parse(await answer.json()).error).not.toBe('')
  })

  it('stored media have no camera metadata about place and time', async () => {
    const url = await upload('turned.jpg', 'image/jpeg')
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(bytes.includes('Exif')).toBe(false)
  })
})
