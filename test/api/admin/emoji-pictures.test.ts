import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { customEmojis } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { freshName, given } from '../../support/given'
import { knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { mediaFile } from '../../support/media'
import { context, settleLateWork } from '../../support/test-app'

const { network } = fediverse
const setup = as('a-setup-token-for-tests')
const path = '/api/fieldfare/v1/admin/custom_emojis'
const add = (body: object) => setup.post(path, { ...body })
const copy = (body: object) => setup.post(`${path}/copy`, { ...body })
const picture = (bytes: Uint8Array) => `data:application/octet-stream;base64,${bytes.toBase64()}`
const png = picture(mediaFile('rgba.png'))
const address = z.string().transform((url) => new URL(url).pathname)

async function rowOf(shortcode: string) {
  const [row] = await context().db.select().from(customEmojis).where(eq(customEmojis.shortcode, shortcode))
  return row
}

async function pickable(shortcode: string) {
  const { body } = await anonymous.get('/api/v1/custom_emojis')
  return (body as { shortcode: string }[]).find((emoji) => emoji.shortcode === shortcode)
}

async function bytesAt(url: unknown): Promise<Uint8Array | null> {
  const file = await env.MEDIA.get(address.parse(url).replace('/media/', ''))
  return file === null ? null : file.bytes()
}

/** An emoji added without trouble. */
async function added(more: object = {}): Promise<string> {
  const shortcode = freshName('wren')
  expect(await add({ shortcode, image: png, ...more })).toMatchObject({ status: 200 })
  return shortcode
}

/** A picture of another server at its address. */
function servedPicture(bytes: Uint8Array, type = 'image/png'): string {
  const url = `https://files.${freshName('pictures')}.test/emoji`
  network.respond(url, () => new Response(bytes, { headers: { 'content-type': type } }))
  return url
}

const withEmoji = (shortcode: string, url: string) => ({
  content: `<p>A :${shortcode}: sings.</p>`,
  document: { tag: [{ type: 'Emoji', name: `:${shortcode}:`, icon: { type: 'Image', url } }] },
})

describe('pictures of custom emojis', () => {
  it('adds a picture that users can pick, post and react with, and other servers can fetch', async () => {
    const alice = await given.account()
    const shortcode = await added({ category: 'Birds' })
    const emoji = await pickable(shortcode)
    expect(emoji).toMatchObject({ category: 'Birds' })
    const url = z.looseObject({ url: z.string() }).parse(emoji).url
    expect(await bytesAt(url)).toEqual(mediaFile('rgba.png'))
    const { body } = await as(alice).post('/api/v1/statuses', { status: `a :${shortcode}: sings` })
    expect(body).toMatchObject({ emojis: [{ shortcode, url }] })
    const { id } = body as { id: string }
    const reacted = await as(alice).post(`/api/v1/statuses/${id}/react/${shortcode}`)
    expect(reacted.body).toMatchObject({ reactions: [{ name: shortcode, url }] })
    const document = await anonymous.get(`/emojis/${shortcode}`)
    expect(document.body).toMatchObject({ type: 'Emoji', name: `:${shortcode}:`, icon: { url } })
  })

  it.each(['animated.gif', 'still.gif', 'animated.webp'])(
    'keeps %s moving, beside a still form',
    async (file) => {
      const shortcode = await added({ image: picture(mediaFile(file)) })
      const { url, static_url } = z
        .looseObject({ url: z.string(), static_url: z.string() })
        .parse(await pickable(shortcode))
      expect(url.endsWith(file.slice(-4))).toBe(true)
      const still = await bytesAt(static_url)
      expect(still?.subarray(1, 4)).toEqual(new TextEncoder().encode('PNG'))
    },
  )

  it.each([
    ['a photo', picture(mediaFile('upright.jpg')), 422],
    ['a video', picture(mediaFile('silent.mp4')), 422],
    ['a drawing with scripts', picture(new TextEncoder().encode('<svg onload="alert(1)"/>')), 422],
    ['a broken picture', picture(mediaFile('lossy.webp').subarray(0, 40)), 422],
    ['a picture of 300 KB', picture(big(300_000)), 422],
    ['a picture of 10 MB', picture(big(10_485_760)), 413],
    ['a picture of a million pixels a side', picture(wide()), 422],
    ['nothing', '', 422],
    ['no base64', '%%%', 422],
  ])('refuses %s', async (_what, bytes, status) => {
    const shortcode = freshName('wren')
    expect((await add({ shortcode, image: bytes })).status).toBe(status)
    expect(await rowOf(shortcode)).toBeUndefined()
  })

  it('refuses an invalid or taken shortcode, and leaves no file behind', async () => {
    for (const shortcode of ['', 'a', 'two words', 'a-b', '../x', 'é', 'x'.repeat(129)])
      expect((await add({ shortcode, image: png })).status, shortcode).toBe(422)
    const shortcode = await added()
    const before = (await env.MEDIA.list({ prefix: 'emojis/' })).objects.length
    expect((await add({ shortcode, image: png })).status).toBe(422)
    expect((await env.MEDIA.list({ prefix: 'emojis/' })).objects.length).toBe(before)
  })

  it('deletes the picture with the emoji', async () => {
    const shortcode = await added({ image: picture(mediaFile('animated.gif')) })
    const emoji = z.looseObject({ url: z.string(), static_url: z.string() }).parse(await pickable(shortcode))
    expect((await setup.delete(`${path}/${(await rowOf(shortcode))?.id}`)).status).toBe(200)
    await settleLateWork()
    expect([await bytesAt(emoji.url), await bytesAt(emoji.static_url)]).toEqual([null, null])
  })
})

describe('copying an emoji of another server', () => {
  it('takes the emoji that a post of that server shows, once its picture is fetched', async () => {
    const [reader, peer] = [await given.account(), await knownPeer()]
    const shortcode = freshName('owl')
    const bytes = mediaFile('palette.png')
    await relation.follow(reader, peer)
    await peer.send(peer.create(peer.note(withEmoji(shortcode, servedPicture(bytes)))))
    expect(await copy({ shortcode, domain: peer.host, category: 'Owls' })).toMatchObject({
      status: 200,
    })
    const emoji = z.looseObject({ url: z.string() }).parse(await pickable(shortcode))
    expect(emoji).toMatchObject({ category: 'Owls' })
    expect(await bytesAt(emoji.url)).toEqual(bytes)
    expect((await copy({ shortcode, domain: peer.host })).status).toBe(422)
  })

  it('takes the emoji that a remote account reacted with', async () => {
    const [alice, peer] = [await given.account(), await knownPeer()]
    const { id } = await given.status({ by: alice })
    const shortcode = freshName('owl')
    const icon = { type: 'Image', url: servedPicture(mediaFile('rgb.png')) }
    const tag = [{ type: 'Emoji', name: `:${shortcode}:`, icon }]
    const status = `https://fieldfare.test/users/${alice.username}/statuses/${id}`
    await peer.send(peer.emojiReact(status, `:${shortcode}:`, { tag }))
    expect(await copy({ shortcode, domain: peer.host })).toMatchObject({ status: 200 })
    expect(await pickable(shortcode)).toBeDefined()
  })

  it('fetches the list of the server where none is stored', async () => {
    const [domain, shortcode] = [`${freshName('host')}.test`, freshName('owl')]
    const url = servedPicture(mediaFile('rgb.png'))
    const list = [
      { shortcode: 'other', url: 'https://a.test/x' },
      { shortcode, url, static_url: url, more: 1 },
    ]
    network.respond(`https://${domain}/api/v1/custom_emojis`, () => Response.json(list))
    expect((await copy({ shortcode: 'nosuch', domain })).status).toBe(404)
    expect(await copy({ shortcode, domain })).toMatchObject({ status: 200 })
    expect(await pickable(shortcode)).toBeDefined()
  })

  it.each([
    ['10 MB', () => servedPicture(big(10_485_760))],
    ['a page', () => servedPicture(new TextEncoder().encode('<html>'), 'text/html')],
    ['a video that calls itself a picture', () => servedPicture(mediaFile('silent.mp4'))],
    ['inside this network', () => 'https://127.0.0.1/emoji.png'],
    ['at no address', () => 'javascript:alert(1)'],
    ['gone', gonePicture],
  ])('refuses a picture that is %s', async (_what, make) => {
    const [domain, shortcode] = [`${freshName('host')}.test`, freshName('owl')]
    const list = [{ shortcode, url: make() }]
    network.respond(`https://${domain}/api/v1/custom_emojis`, () => Response.json(list))
    expect([404, 422]).toContain((await copy({ shortcode, domain })).status)
    expect(await rowOf(shortcode)).toBeUndefined()
  })

  it.each([
    ['no list', () => Response.json({ error: 'not here' })],
    ['no JSON', () => new Response('<html>')],
    ['an error', () => new Response(null, { status: 500 })],
    ['10 MB', () => new Response(big(10_485_760))],
    ['a redirect to an internal address', () => Response.redirect('https://localhost/x')],
  ])('finds nothing where the server answers %s', async (_what, answer) => {
    const [domain, shortcode] = [`${freshName('host')}.test`, freshName('owl')]
    network.respond(`https://${domain}/api/v1/custom_emojis`, answer)
    expect([404, 422]).toContain((await copy({ shortcode, domain })).status)
    expect((await copy({ shortcode, domain: 'no host' })).status).toBe(422)
  })
})

function gonePicture(): string {
  const url = `https://${freshName('gone')}.test/emoji.png`
  network.gone(url)
  return url
}

/** A PNG whose end is far away. */
function big(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  bytes.set(mediaFile('rgba.png'))
  return bytes
}

/** A PNG that says it is a million pixels wide. */
function wide(): Uint8Array {
  const bytes = mediaFile('rgba.png').slice()
  new DataView(bytes.buffer).setUint32(16, 1_000_000)
  return bytes
}
