import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { accounts, statusLinks } from '../../../src/db/schema'
import { previewLink } from '../../../src/domain/links/preview'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { expectCosts } from '../../support/expect-costs'
import { fakeQueue } from '../../support/fake-queue'
import { fediverse } from '../../support/fediverse'
import { processActivity } from '../../support/fediverse/process-activity'
import { given, type TestAccount } from '../../support/given'
import { cardIn, freshHost, page, picture, postAndProcess } from '../../support/given-page'
import { followed } from '../../support/given-remote'
import { bytesOf } from '../../support/media'
import { clock, context, settleLateWork } from '../../support/test-app'

const { network } = fediverse

const titled = (title: string) => `<meta property="og:title" content="${title}">`

/** A page that names an oEmbed document. */
function embedding(document: object, head = titled('Head')) {
  const host = freshHost()
  const link = '<link rel="alternate" type="application/json+oembed" href="/oembed">'
  const url = page(`https://${host}/page`, head + link)
  const answer = { headers: { 'content-type': 'application/json' } }
  network.respond(
    `https://${host}/oembed`,
    () => new Response(JSON.stringify({ version: '1.0', ...document }), answer),
  )
  return { host, url }
}

async function cardOf(url: string): Promise<unknown> {
  return (await postAndProcess(await given.account(), url)).card
}

async function linksOf(id: string) {
  return context()
    .db.select()
    .from(statusLinks)
    .where(eq(statusLinks.statusId, Number(id)))
}

describe('a card by oEmbed in XML', () => {
  /** A page that names an oEmbed document in XML. */
  function embeddingXml(document: string | Uint8Array, type = 'text/xml; charset=utf-8') {
    const host = freshHost()
    const link = '<link rel="alternate" type="text/xml+oembed" href="/oembed.xml">'
    const url = page(`https://${host}/page`, titled('Head') + link)
    const answer = { headers: { 'content-type': type } }
    network.respond(`https://${host}/oembed.xml`, () => new Response(document, answer))
    return url
  }
  const video = `<version>1.0</version><type>video</type><title>Tit &amp; wren</title>
    <html><![CDATA[<iframe src="https://play.test/1"></iframe>]]></html><width>640</width><height>360</height>`

  it('shows a video in its own frame', async () => {
    const card = await cardOf(embeddingXml(`<?xml version="1.0"?><oembed>${video}</oembed>`))
    expect(card).toMatchObject({ type: 'video', title: 'Tit & wren', width: 640, height: 360 })
    expect(card).toMatchObject({ html: expect.stringContaining('src="https://play.test/1"') })
  })

  it('reads the charset that the document names', async () => {
    const text = '<version>1.0</version><type>link</type><title>Fr\xfchling</title>'
    const document = bytesOf(`<?xml version="1.0" encoding="iso-8859-1"?><oembed>${text}</oembed>`)
    expect(await cardOf(embeddingXml(document, 'application/xml'))).toMatchObject({ title: 'Frühling' })
  })

  it.each([
    ['an entity bomb', `<!DOCTYPE oembed [<!ENTITY a "aaaa">]><oembed>${video}</oembed>`],
    ['an incomplete document', `<oembed>${video}`],
    ['more than is read', `<oembed>${video}</oembed>${' '.repeat(300_000)}`],
    ['JSON', JSON.stringify({ version: '1.0', type: 'link', title: 'x' })],
  ])('uses the head of the page where the oEmbed document is %s', async (_, document) => {
    expect(await cardOf(embeddingXml(document))).toMatchObject({ type: 'link', title: 'Head' })
  })
})

describe('a card by JSON-LD in the body', () => {
  const news = (padding: string) =>
    `${titled('Head')}</head><body>${padding}<script type="application/ld+json">${JSON.stringify({
      '@type': 'NewsArticle',
      headline: 'Wren sings',
      author: [{ '@type': 'Person', name: 'Ann', url: '/ann' }],
      publisher: { name: 'Bird Times' },
      datePublished: '2026-02-03T04:05:06Z',
      inLanguage: 'de',
    })}</script>`

  it('reads the article metadata in JSON-LD', async () => {
    const host = freshHost()
    expect(await cardOf(page(`https://${host}/page`, news('<p>text</p>'.repeat(2_000))))).toMatchObject({
      title: 'Wren sings',
      author_name: 'Ann',
      author_url: `https://${host}/ann`,
      provider_name: 'Bird Times',
      published_at: '2026-02-03T04:05:06.000Z',
      language: 'de',
    })
  })

  it('uses the head where the article metadata is beyond the first mebibyte', async () => {
    const url = page(`https://${freshHost()}/page`, news('<p>text</p>'.repeat(100_000)))
    expect(await cardOf(url)).toMatchObject({ title: 'Head', author_name: '' })
  })
})

describe('a card by oEmbed', () => {
  it('shows a video in its own frame', async () => {
    const html =
      '<iframe src="https://play.test/1" width="1" height="2" onload="x"></iframe><script>x</script>'
    const { url } = embedding({
      type: 'video',
      title: 'Film',
      html,
      width: 640,
      height: 360,
      author_name: 'Ann',
    })
    const card = await cardOf(url)
    expect(card).toMatchObject({ type: 'video', title: 'Film', width: 640, height: 360, author_name: 'Ann' })
    expect(card).toMatchObject({
      html: expect.stringMatching(/^<iframe src="https:\/\/play\.test\/1" [^<>]*><\/iframe>$/),
    })
  })

  it('shows a photo, which readers load through this server', async () => {
    const { host, url } = embedding({ type: 'photo', url: '/photo.png', width: 800, height: 600 })
    picture(`https://${host}/photo.png`)
    const proxied = expect.stringMatching(/^https:\/\/fieldfare\.test\/media\/proxy\//)
    expect(await cardOf(url)).toMatchObject({
      type: 'photo',
      title: 'Head',
      embed_url: proxied,
      image: proxied,
      width: 800,
      height: 600,
    })
  })

  it.each([
    ['rich', { type: 'rich', html: '<iframe src="https://a.test/">' }],
    ['nonsense', { type: 'photo' }],
  ])('uses the fields of the page for a %s one', async (_, document) => {
    expect(await cardOf(embedding(document).url)).toMatchObject({ type: 'link', title: 'Head', html: '' })
  })

  it('shows a card without the oEmbed document where that cannot be fetched', async () => {
    const { host, url } = embedding({ type: 'link', title: 'Never' })
    network.fail(`https://${host}/oembed`, { status: 500 })
    expect(await cardOf(url)).toMatchObject({ type: 'link', title: 'Head' })
  })

  it('shows a card without a photo that cannot be fetched', async () => {
    const { host, url } = embedding({ type: 'photo', url: '/photo.png', width: 800, height: 600 })
    network.missing(`https://${host}/photo.png`)
    expect(await cardOf(url)).toMatchObject({ type: 'link', image: null, embed_url: '', width: 0 })
  })
})

describe('the author a page names', () => {
  const named = (creator: string) =>
    page(`https://${freshHost()}/`, `${titled('By')}<meta name="fediverse:creator" content="${creator}">`)

  async function seen(by: TestAccount | null, id: string) {
    return cardIn((await as(by).get(`/api/v1/statuses/${id}`)).body)
  }

  it('shows the author where they list the host of the page, and notifies them where they do not', async () => {
    const [ann, bob] = [await given.account(), await given.account()]
    const url = named(`@${ann.username}@fieldfare.test`)
    const { id } = await postAndProcess(bob, url)
    expect(await seen(bob, id)).toMatchObject({ authors: [], missing_attribution: false })
    expect(await seen(ann, id)).toMatchObject({ authors: [], missing_attribution: true })
    expect(await seen(null, id)).not.toHaveProperty('missing_attribution')
    const domains = { attribution_domains: [new URL(url).host] }
    expect((await as(ann).patch('/api/v1/accounts/update_credentials', domains)).status).toBe(200)
    expect(await seen(bob, id)).toMatchObject({ authors: [{ name: '', account: { id: String(ann.id) } }] })
    expect(await seen(ann, id)).toMatchObject({ missing_attribution: false })
  })

  it('shows the author for subdomains of listed hosts, and for no similar name [T-635]', async () => {
    const shown = async (host: string, listed: string) => {
      const ann = await given.account({ attributionDomains: [listed] })
      const creator = `<meta name="fediverse:creator" content="${ann.username}@fieldfare.test">`
      const card = await cardOf(page(`https://${host}/${ann.id}`, titled('By') + creator))
      return JSON.stringify(card).includes(`"${ann.id}"`)
    }
    const host = freshHost()
    expect(await shown(`www.${host}`, host)).toBe(true)
    expect(await shown(`evil${host}`, host)).toBe(false)
    expect(await shown(host, `www.${host}`)).toBe(false)
  })

  it('compares the host of the page, not of the link that redirected to it', async () => {
    const [host, short] = [freshHost(), freshHost()]
    const ann = await given.account({ attributionDomains: [short] })
    const creator = `<meta name="fediverse:creator" content="${ann.username}@fieldfare.test">`
    page(`https://${host}/`, titled('By') + creator)
    network.fail(`https://${short}/`, { redirect: `https://${host}/` })
    expect(await cardOf(`https://${short}/1`)).toMatchObject({ title: 'By', authors: [] })
  })

  it('looks up the author on other servers', async () => {
    const peer = await fediverse.actor()
    const url = named(`@${peer.handle}`)
    Object.assign(peer.document, { attributionDomains: [new URL(url).host] })
    expect(await cardOf(url)).toMatchObject({ authors: [{ account: { acct: peer.handle } }] })
  })

  it('never shows a suspended or unknown account as author', async () => {
    const url = named('@nobody-at-all@fieldfare.test')
    expect(await cardOf(url)).toMatchObject({ title: 'By', authors: [] })
    const ann = await given.account()
    const page = named(`@${ann.username}@fieldfare.test`)
    const { id } = await postAndProcess(await given.account(), page)
    const attributionDomains = [new URL(page).host]
    await context()
      .db.update(accounts)
      .set({ attributionDomains, suspendedAt: context().clock.now() })
      .where(eq(accounts.id, ann.id))
    expect(await seen(null, id)).toMatchObject({ authors: [] })
  })
})

describe('an edited post', () => {
  it('removes the card with its link, replaces it with another link, and keeps it with the same', async () => {
    const alice = await given.account()
    const [one, two] = ['One', 'Two'].map((title) => page(`https://${freshHost()}/`, titled(title)))
    const { id, card, ctx, work } = await postAndProcess(alice, `See ${one}`)
    const overrides = { jobs: ctx.jobs }
    const edited = async (status: string) => {
      const answer = await as(alice).put(`/api/v1/statuses/${id}`, { status }, { overrides })
      const outcomes = await work()
      return {
        at: cardIn(answer.body),
        later: cardIn((await as(alice).get(`/api/v1/statuses/${id}`)).body),
        outcomes,
      }
    }
    expect(card).toMatchObject({ title: 'One' })
    const [first] = await linksOf(id)
    const same = await edited(`See again ${one}`)
    expect(same).toMatchObject({ at: { title: 'One' }, later: { title: 'One' }, outcomes: [] })
    const other = await edited(`See ${two}`)
    expect(other).toMatchObject({ at: null, later: { title: 'Two' }, outcomes: ['done'] })
    expect((await linksOf(id)).map((row) => row.cardId)).not.toEqual([first?.cardId])
    expect(await edited('See nothing')).toEqual({ at: null, later: null, outcomes: [] })
    expect(await linksOf(id)).toEqual([])
  })

  it('shows no card of a link that an edit removed', async () => {
    const alice = await given.account()
    const { ctx, jobs, work } = fakeQueue()
    const overrides = { jobs: ctx.jobs }
    const [one, two] = ['One', 'Two'].map((title) => page(`https://${freshHost()}/`, titled(title)))
    const made = await as(alice).post('/api/v1/statuses', { status: one ?? '' }, { overrides })
    const id = String(Reflect.get(Object(made.body), 'id'))
    const server = network.hold(one ?? '')
    const first = previewLink(ctx, Number(id))
    await server.asked
    await as(alice).put(`/api/v1/statuses/${id}`, { status: two ?? '' }, { overrides })
    server.release()
    await first
    expect(cardIn((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toBeNull()
    expect(await linksOf(id)).toEqual([])
    expect(jobs.length).toBe(2)
    await work()
    expect(cardIn((await as(alice).get(`/api/v1/statuses/${id}`)).body)).toMatchObject({ title: 'Two' })
  })
})

describe('a post of another server', () => {
  it('fetches a card for a remote post, and another when it is edited', async () => {
    const [peer, reader] = [await given.peer(), await given.account()]
    await followed(reader, peer)
    const { ctx, work, jobs } = fakeQueue()
    const [one, two] = ['One', 'Two'].map((title) => page(`https://${freshHost()}/`, titled(title)))
    const note = peer.note({ content: `<p><a href="${one}">one</a></p>` })
    await processActivity(peer, peer.create(note), ctx)
    const [job] = jobs
    expect(job).toMatchObject({ kind: 'fetch-link-preview' })
    await work()
    const id = await ctx.resolver.statusByUri(note.id)
    const card = async () => cardIn((await as(reader).get(`/api/v1/statuses/${id}`)).body)
    expect(await card()).toMatchObject({ url: one, title: 'One' })
    clock.advance(1_000)
    const updated = clock.now().toISOString()
    const newer = { ...note, content: `<p><a href="${two}">two</a></p>`, updated }
    await processActivity(peer, peer.update(newer), ctx)
    await work()
    expect(await card()).toMatchObject({ url: two, title: 'Two' })
  })

  it('delays cards of remote posts by up to a minute, each by its own time', async () => {
    const [peer, reader] = [await given.peer(), await given.account()]
    await followed(reader, peer)
    const delays: (number | undefined)[] = []
    const ctx = context({ jobs: { send: async (_, options) => void delays.push(options?.delaySeconds) } })
    for (let count = 0; count < 5; count += 1)
      await processActivity(
        peer,
        peer.create(peer.note({ content: `<p><a href="https://a.test/${count}">x</a></p>` })),
        ctx,
      )
    await settleLateWork()
    expect(delays).toHaveLength(5)
    for (const delay of delays) expect(delay).toSatisfy((one) => one >= 1 && one <= 60)
  })
})

describe('the list of posts that show a card', () => {
  it('lists public posts', async () => {
    const url = page(`https://${freshHost()}/`, titled('Listed'))
    const listed: Record<string, number> = {}
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      const { id, card } = await postAndProcess(await given.account(), url, { visibility })
      expect(card).toMatchObject({ title: 'Listed' })
      listed[visibility] = (await linksOf(id)).length
    }
    expect(listed).toEqual({ public: 1, unlisted: 0, private: 0, direct: 0 })
  })

  it('leaves out deleted posts', async () => {
    const alice = await given.account()
    const { id } = await postAndProcess(alice, page(`https://${freshHost()}/`, titled('Gone')))
    expect(await linksOf(id)).toHaveLength(1)
    await as(alice).delete(`/api/v1/statuses/${id}`)
    expect(await linksOf(id)).toEqual([])
  })
})

describe('costs of a preview', () => {
  async function measured(url: string) {
    const { ctx, jobs } = fakeQueue()
    const overrides = { jobs: ctx.jobs }
    await as(await given.account()).post('/api/v1/statuses', { status: url }, { overrides })
    const [job] = jobs.splice(0)
    const counted = countingDb(env.DB)
    const mark = network.mark()
    if (job?.kind !== 'fetch-link-preview') throw new Error('no job')
    await previewLink({ ...ctx, db: openDb(counted.db) }, job.statusId)
    return { ...counted.read(), requests: network.since(mark).length }
  }

  it('costs four round trips and two requests where the page is fetched, three and none where it is known', async () => {
    const host = freshHost()
    const url = page(`https://${host}/`, `${titled('Costs')}<meta property="og:image" content="/i.png">`)
    picture(`https://${host}/i.png`)
    const first = await measured(url)
    expect(first.requests).toBe(2)
    expectCosts(first, { trips: 4, rowsRead: 20, rowsWritten: 14 })
    const second = await measured(url)
    expect(second.requests).toBe(0)
    expectCosts(second, { trips: 3, rowsWritten: 3 })
  })

  it('costs one row of the outbox in the post, and none without a link', async () => {
    const alice = await given.account()
    const rows = async (status: string) => (await as(alice).post('/api/v1/statuses', { status })).costs
    const without = await rows('The wren sings.')
    const linked = await rows('The wren sings at https://wren.test/ today.')
    expect(linked.trips).toBe(without.trips)
    expect(linked.statements).toBe(without.statements)
    expect(linked.rowsWritten - without.rowsWritten).toBeLessThanOrEqual(2)
  })
})
