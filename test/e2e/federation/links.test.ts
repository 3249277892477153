import { createRestAPIClient } from 'masto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { mediaFile } from '../support/pictures'
import { eventually } from './support/api'
import type { Instance, Person } from './support/instance'
import { newAdmin } from './support/staff'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance

beforeAll(async () => {
  world = await openWorld('a')
  a = world.instance('a')
  const picture = await mediaFile('rgb.png', 'image/png')
  world.router.add('hide.test', async ({ url }) => {
    const [, folder, title] = new URL(url).pathname.split('/')
    if (folder === 'picture.png') return new Response(picture, { headers: { 'content-type': 'image/png' } })
    if (folder !== 'articles' || title === undefined) return new Response('Nothing', { status: 404 })
    return new Response(article(title), { headers: { 'content-type': 'text/html; charset=utf-8' } })
  })
})
afterAll(() => world?.close())

function article(title: string): string {
  return `<!doctype html><html lang="en"><head><title>Not this</title>
<meta property="og:title" content="${title}"><meta property="og:description" content="About ${title}">
<meta property="og:type" content="article"><meta property="og:site_name" content="The Hide">
<meta property="og:image" content="/picture.png"><meta name="author" content="A. Warbler">
</head><body><h1>${title}</h1></body></html>`
}

/** Id of an item for review, which the types of the client leave out. */
const idOf = (item: unknown) => z.object({ id: z.string() }).parse(item).id
const addressOf = (title: string) => `https://hide.test/articles/${title}`
/** The published client, led to the instance like everything else in this world. */
const masto = (person: Pick<Person, 'token'>) =>
  createRestAPIClient({ url: a.origin, accessToken: person.token })
const asked = (title: string) => world.router.passages('hide.test').filter(({ url }) => url.endsWith(title))

/** The card under a status, as soon as its page was asked. */
async function cardOf(reader: Person, id: string) {
  const read = async () => (await masto(reader).v1.statuses.$select(id).fetch()).card
  await eventually(async () => expect(await read()).not.toBeNull())
  return read()
}

// Previews wait some seconds, to spread the requests of servers: all tests wait at the same time.
describe.concurrent('links with masto', () => {
  it('shows a card with the page’s own metadata, which is fetched once', async () => {
    const alice = await a.member('alice')
    const statuses = masto(alice).v1.statuses
    const url = addressOf('Migration')
    const { id } = await statuses.create({ status: `Worth reading: ${url}` })
    const card = await cardOf(alice, id)
    expect(card).toMatchObject({
      url,
      title: 'Migration',
      description: 'About Migration',
      type: 'link',
      providerName: 'The Hide',
      authorName: 'A. Warbler',
      authors: [{ name: 'A. Warbler', account: null }],
      language: 'en',
      html: '',
      embedUrl: '',
      width: expect.any(Number),
      height: expect.any(Number),
    })
    expect(card?.blurhash).toMatch(/^.{6,}$/)
    const picture = await a.fetch(new URL(String(card?.image)).pathname)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    const other = await statuses.create({ status: `Again: ${url}#end` })
    expect(await cardOf(alice, other.id)).toMatchObject({ title: 'Migration' })
    expect(asked('Migration')).toHaveLength(1)
  })

  it('shows no card without a page, nor for mentions and tags only', async () => {
    const bob = await a.member('bob')
    const { statuses } = masto(bob).v1
    const plain = await statuses.create({ status: `@${bob.username} #tag` })
    const missing = await statuses.create({ status: 'https://hide.test/nothing/Void' })
    await eventually(async () => expect(asked('Void')).toMatchObject([{ status: 404 }]))
    const { id } = await statuses.create({ status: addressOf('Roost') })
    expect(await cardOf(bob, id)).toMatchObject({ title: 'Roost' })
    for (const status of [plain, missing]) expect((await statuses.$select(status.id).fetch()).card).toBeNull()
  })

  it('links trend once a moderator approves, and lead to the posts about them', async () => {
    await a.setup('/api/fieldfare/v1/admin/settings', { trendMinimumAccounts: 5 }, 'PUT')
    const url = addressOf('Waxwings')
    const posts: string[] = []
    const readers = await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => a.member(`reader${nth}`)))
    for (const reader of readers) {
      await masto(reader).v1.accounts.updateCredentials({ discoverable: true })
      posts.push((await masto(reader).v1.statuses.create({ status: `Read ${url}`, language: 'en' })).id)
    }
    const [reader] = readers
    if (reader === undefined) throw new Error('Nobody reads')
    for (const id of posts) await cardOf(reader, id)
    const { trends, timelines } = masto(reader).v1
    // Publishers wait for review an hour after their pages trend, if not before.
    for (const _ of ['refreshed', 'requested']) await a.tick({ wholeHour: true })
    expect(await trends.links.list({ limit: 20 })).toEqual([])
    const { links } = masto(await newAdmin(a, 'mia')).v1.admin.trends
    const [waiting] = await links.list()
    expect(waiting).toMatchObject({ url, title: 'Waxwings', requiresReview: true })
    const link = links.$select(idOf(waiting))
    expect(await link.approve()).toMatchObject({ url, requiresReview: false })
    const trending = await trends.links.list({ limit: 20 })
    expect(trending).toMatchObject([{ url, title: 'Waxwings', history: expect.any(Array) }])
    expect(trending[0]?.history[0]).toMatchObject({ uses: '6', accounts: '6' })
    const found: string[] = []
    for await (const page of timelines.link.list({ url, limit: 4 })) found.push(...page.map(({ id }) => id))
    expect(found).toEqual(posts.toReversed())
    await link.reject()
    expect(await trends.links.list({ limit: 20 })).toEqual([])
    const [publisher] = await links.publishers.list()
    expect(publisher).toMatchObject({ domain: 'hide.test' })
    const one = links.publishers.$select(idOf(publisher))
    expect(await one.approve()).toMatchObject({ domain: 'hide.test', requiresReview: false })
    expect(await one.reject()).toMatchObject({ domain: 'hide.test', requiresReview: false })
  })
})
