import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Status } from '../../../src/contract/entities/status'
import { openDb } from '../../../src/db/query'
import { previewCards } from '../../../src/db/schema'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { processActivity } from '../../support/fediverse/process-activity'
import { given } from '../../support/given'
import { freshHost, html, page, picture, postAndProcess } from '../../support/given-page'
import { followed } from '../../support/given-remote'
import { runJob } from '../../support/run-job'
import { clock, context } from '../../support/test-app'

const { network } = fediverse

const start = clock.now()
// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

const pass = (days: number) => clock.advance(days * 86_400_000)
const titled = (title: string) => `<meta property="og:title" content="${title}">`

describe('a post with a link', () => {
  it('shows the metadata of the page after the job ran [T-638]', async () => {
    const alice = await given.account()
    const host = freshHost()
    const url = page(
      `https://${host}/wren`,
      `<title>Not this</title><link rel="canonical" href="/wren?full">
       <meta property="og:title" content="The wren &amp; its song">
       <meta property="og:description" content=" A small\n bird. ">
       <meta property="og:site_name" content="Birds">
       <meta property="og:image" content="/wren.png"><meta property="og:image:alt" content="A wren">
       <meta property="article:published_time" content="2026-01-02T03:04:05+01:00">
       <meta name="author" content="Ann">`,
    )
    picture(`https://${host}/wren.png`)
    const { card, asked, outcomes } = await postAndProcess(alice, `Look: ${url}`)
    expect(asked).toMatchObject([{ kind: 'fetch-link-preview' }])
    expect(outcomes).toEqual(['done'])
    expect(card).toMatchObject({
      url,
      title: 'The wren & its song',
      description: 'A small bird.',
      type: 'link',
      provider_name: 'Birds',
      author_name: 'Ann',
      width: 1,
      height: 1,
      image_description: 'A wren',
      language: 'en',
      published_at: '2026-01-02T02:04:05.000Z',
      html: '',
      embed_url: '',
      authors: [{ name: 'Ann', url: '', account: null }],
      image: expect.stringMatching(/^https:\/\/fieldfare\.test\/media\/proxy\//),
      blurhash: expect.any(String),
      missing_attribution: false,
    })
    expect(network.requests(`https://${host}/`).map((one) => one.url)).toEqual([
      url,
      `https://${host}/wren.png`,
    ])
  })
})

describe('the rows of a preview', () => {
  it('writes six rows for a preview, and none for its job', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await followed(alice, peer)
    await peer.send(peer.create(peer.note()))
    const url = page(`https://${freshHost()}/`, '<title>One</title>')
    const jobs: Job[] = []
    const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
    const linking = peer.note({ content: `<p><a href="${url}">One</a></p>` })
    const linked = await peer.send(peer.create(linking), { overrides })
    const plain = await peer.send(peer.create(peer.note()))
    expect(linked.costs.rowsWritten).toBe(plain.costs.rowsWritten)
    const counted = countingDb(env.DB)
    expect(jobs).toMatchObject([{ kind: 'fetch-link-preview' }])
    for (const job of jobs)
      expect(await runJob(context({ db: openDb(counted.db) }), job)).toEqual({ kind: 'done' })
    expect(counted.read().rowsWritten).toBe(6)
  })
})

describe('a post of another server that attaches a page', () => {
  async function received(attachment: unknown, content: string) {
    const [alice, peer] = [await given.account(), await given.peer()]
    await followed(alice, peer)
    const jobs: Job[] = []
    const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
    const note = { ...peer.note({ content }), attachment }
    await peer.send(peer.create(note), { overrides })
    for (const job of jobs) await runJob(context(), job)
    const found = z
      .object({ statuses: z.array(Status) })
      .parse((await as(alice).get(`/api/v2/search?type=statuses&resolve=true&q=${String(note['id'])}`)).body)
    return { jobs, status: found.statuses[0] }
  }

  it('shows the preview of the attached page, whatever its text links first', async () => {
    const [first, attached] = [freshHost(), freshHost()].map((host) => `https://${host}/`)
    page(String(first), titled('First'))
    page(String(attached), titled('Attached'))
    const { status } = await received({ type: 'Link', href: attached }, `<p><a href="${first}">One</a></p>`)
    expect(status?.card).toMatchObject({ url: attached, title: 'Attached' })
    expect(status?.media_attachments).toEqual([])
  })

  it('shows the preview of its first link where the attached page has no preview', async () => {
    for (const href of ['https://fieldfare.test/about', 'gemini://site.test/', '', 7]) {
      const url = page(`https://${freshHost()}/`, titled('First'))
      const { status } = await received([{ type: 'Link', href }], `<p><a href="${url}">One</a></p>`)
      expect(status?.card, String(href)).toMatchObject({ title: 'First' })
    }
    const { jobs } = await received({ type: 'Link', href: 'https://fieldfare.test/about' }, '<p>Hello</p>')
    expect(jobs).toEqual([])
  })
})

describe('links without a preview', () => {
  it.each([
    ['has no link', 'The wren sings.'],
    ['names a hashtag', 'The #wren sings.'],
    ['links to a page of this server', 'https://fieldfare.test/@somebody/1 and https://FIELDFARE.test/about'],
    ['links to what is no web page', 'gemini://site.test/ mailto:a@site.test'],
  ])('%s: queues nothing', async (_, text) => {
    const { card, asked } = await postAndProcess(await given.account(), text)
    expect([card, asked]).toEqual([null, []])
  })

  it('queues nothing where a post mentions an account', async () => {
    const bob = await given.remoteAccount()
    const { asked } = await postAndProcess(await given.account(), `@${bob.username}@${bob.domain} hello`)
    expect(asked).toEqual([])
  })

  it('queues nothing where a post links only to the page of a mentioned account or of its quote', async () => {
    const peer = await given.peer()
    const reader = await given.account()
    await followed(reader, peer)
    const { ctx, work } = fakeQueue()
    const quoted = peer.note()
    const link = (url: string) => `<p><a href="${url}">${url}</a></p>`
    for (const document of [
      { quoteUrl: quoted.id, content: link(quoted.id) },
      { quoteUrl: quoted.id, content: `<p class="quote-inline">RE: ${link(String(quoted['url']))}</p>` },
    ]) {
      const mark = network.mark()
      await processActivity(peer, peer.create(peer.note({ document })), ctx)
      await work()
      const pages = network.since(mark).filter((one) => one.headers.get('accept')?.startsWith('text/html'))
      expect(pages).toEqual([])
    }
  })

  it('previews the next link after them', async () => {
    const url = page(`https://${freshHost()}/`, titled('Second'))
    const { card } = await postAndProcess(await given.account(), `https://fieldfare.test/about ${url}`)
    expect(card).toMatchObject({ url, title: 'Second' })
  })
})

describe('a page that many link to', () => {
  it('fetches a page once, however many posts link to it or to a part of it', async () => {
    const url = page(`https://${freshHost()}/many`, titled('Many'))
    const [alice, bob] = await given.accounts(2)
    if (alice === undefined || bob === undefined) throw new Error('nobody')
    await postAndProcess(alice, url)
    const { card, outcomes } = await postAndProcess(bob, `${url}#part`)
    expect(outcomes).toEqual(['done'])
    expect(card).toMatchObject({ url: `${url}#part`, title: 'Many' })
    expect(network.requests(url)).toHaveLength(1)
  })

  it('concurrent jobs fetch a page once, and the others retry', async () => {
    const url = page(`https://${freshHost()}/`, titled('Once'))
    const made = fakeQueue()
    const overrides = { jobs: made.ctx.jobs }
    const alice = await given.account()
    for (let count = 0; count < 3; count += 1)
      await as(alice).post('/api/v1/statuses', { status: `${count} ${url}` }, { overrides })
    const jobs = made.jobs.splice(0)
    const outcomes = await Promise.all(jobs.map((job) => runJob(made.ctx, job)))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['done', 'retry', 'retry'])
    expect(network.requests(url)).toHaveLength(1)
    const again = await Promise.all(jobs.map((job) => runJob(made.ctx, job)))
    expect(again.map(({ kind }) => kind).sort()).toEqual(['done', 'done', 'ignored'])
    expect(network.requests(url)).toHaveLength(1)
  })

  it('fetches a page again after two weeks, and keeps its metadata where that fails', async () => {
    const url = page(`https://${freshHost()}/`, titled('Old'))
    const alice = await given.account()
    await postAndProcess(alice, url)
    pass(13)
    page(url, titled('New'))
    expect((await postAndProcess(alice, url)).card).toMatchObject({ title: 'Old' })
    pass(1)
    expect((await postAndProcess(alice, url)).card).toMatchObject({ title: 'New' })
    pass(14)
    page(url, () => new Response('', { status: 503 }))
    expect((await postAndProcess(alice, url)).card).toMatchObject({ title: 'New' })
    pass(14)
    page(url, '')
    expect((await postAndProcess(alice, url)).card).toBeNull()
  })

  it('stores a page by its canonical address, so that all links to it share one card', async () => {
    const host = freshHost()
    const canonical = `https://${host}/page`
    const variants = ['?utm_source=a', '?utm_source=b'].map((query) =>
      page(`${canonical}${query}`, `${titled('Page')}<link rel="canonical" href="/page">`),
    )
    for (const url of variants) {
      const { card } = await postAndProcess(await given.account(), url)
      expect(card).toMatchObject({ url, title: 'Page' })
    }
    const cards = await context().db.select().from(previewCards).where(eq(previewCards.host, host))
    expect(cards.map((one) => one.url)).toEqual([canonical])
  })
})

describe('a page that fails', () => {
  it.each([
    ['answers nothing', { broken: 'refused' as const }],
    ['is out of order', { status: 500 }],
    ['has had enough', { status: 429 }],
  ])('%s: skips a failed page for hours', async (_, failure) => {
    const url = page(`https://${freshHost()}/`, titled('Up'))
    const end = network.fail(url, failure)
    const alice = await given.account()
    for (let post = 0; post < 3; post += 1) expect((await postAndProcess(alice, url)).card).toBeNull()
    expect(network.requests(url)).toHaveLength(1)
    end()
    pass(0.25)
    expect((await postAndProcess(alice, url)).card).toMatchObject({ title: 'Up' })
  })

  it.each([404, 410, 403, 401])('skips a page for a day that answers %s', async (status) => {
    const url = page(`https://${freshHost()}/`, () => new Response(titled('x'), { status, headers: html }))
    const alice = await given.account()
    await postAndProcess(alice, url)
    pass(0.9)
    await postAndProcess(alice, url)
    expect(network.requests(url)).toHaveLength(1)
    pass(0.2)
    await postAndProcess(alice, url)
    expect(network.requests(url)).toHaveLength(2)
  })
})
