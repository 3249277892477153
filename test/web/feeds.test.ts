import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../src/contract/entities/status'
import { polls, statuses } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given } from '../support/given'
import { uploaded } from '../support/given-media'
import { relation } from '../support/given-relationships'
import { storedPicture, storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { all, openFeed, readXml, saidIn, textIn } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { statusPerVisibility } from '../support/status-per-visibility'
import { clock, context, fetchApp } from '../support/test-app'

const origin = 'https://fieldfare.test'
const formats = ['rss', 'atom'] as const
const freshTag = () => freshName('bird')

describe.each(formats)('the %s feed of an account', (format) => {
  it('the feed has public posts, newest first, without replies to others, in one round trip, cacheable [T-763]', async () => {
    const alice = await given.account({ displayName: 'Ada Thrush' })
    await statusPerVisibility(alice, freshTag())
    const { page, feed, texts } = await openFeed(`/@${alice.username}.${format}`)
    expect(texts).toEqual(['said-to-oneself', 'said-openly'])
    expect(page.headers.get('content-type')).toBe(`application/${format}+xml; charset=utf-8`)
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.headers.get('access-control-allow-origin')).toBe('*')
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    expect(page.cookies).toEqual([])
    expect(feed).toMatchObject({ type: format === 'rss' ? 'rss' : 'atom', title: 'Ada Thrush' })
    expect(feed.items).toHaveLength(2)
  })

  it('the feed is the same for its owner and for followers, signed in or not [T-764]', async () => {
    const { member: bob, browser } = await signedIn()
    const alice = await given.account()
    await relation.follow(bob, alice)
    await statusPerVisibility(alice, freshTag())
    await statusPerVisibility(bob, freshTag())
    for (const { username } of [alice, bob])
      expect((await openFeed(`/@${username}.${format}`, browser)).texts).toEqual([
        'said-to-oneself',
        'said-openly',
      ])
  })

  it('names its page, itself, and each post by an address', async () => {
    const alice = await given.account()
    const id = await storedStatus({
      accountId: alice.id,
      tags: ['owls'],
      content: '<p>Owls &amp; <b>more</b></p>',
    })
    const { root, feed } = await openFeed(`/@${alice.username}.${format}`)
    const url = `${origin}/@${alice.username}`
    const links = all(root, format === 'rss' ? 'atom:link' : 'link').map(({ attributes }) => attributes)
    expect(links).toContainEqual(expect.objectContaining({ rel: 'self', href: `${url}.${format}` }))
    expect(feed.link).toBe(url)
    expect(feed.items[0]).toMatchObject({ link: `${url}/${id}`, title: 'Owls & more' })
    expect(feed.items[0]?.pubDate?.toISOString()).toBe(clock.now().toISOString())
    const html = textIn(root, format === 'rss' ? 'description' : 'content')
    const shown = format === 'rss' ? all(root, 'item').map((item) => textIn(item, 'description'))[0] : html
    expect(shown).toBe('<p>Owls &amp; <b>more</b></p>')
    const [category] = all(root, 'category')
    expect(category?.text || category?.attributes['term']).toBe('owls')
  })

  it('escapes texts of others, and leaves out characters that XML forbids', async () => {
    const words = `]]></title><script>\u0000\u000b\ufffe & "it's" 🦉`
    const alice = await given.account({ displayName: words })
    await storedStatus({ accountId: alice.id, content: '<p>a</p>', spoilerText: words })
    const { root, feed } = await openFeed(`/@${alice.username}.${format}`)
    expect(feed.title).toBe(`]]></title><script> & "it's" 🦉`)
    expect(all(root, 'script')).toEqual([])
    expect(feed.items[0]?.title).toContain(`]]></title><script>`)
  })

  it('shows only the content warning in the title', async () => {
    const alice = await given.account()
    await storedStatus({
      accountId: alice.id,
      spoilerText: 'Snakes <here>',
      sensitive: true,
      content: '<p>An adder</p>',
      attachments: [storedPicture],
    })
    const { root, feed } = await openFeed(`/@${alice.username}.${format}`)
    expect(feed.items[0]?.title).toBe('Snakes <here>')
    const [entry] = all(root, format === 'rss' ? 'item' : 'entry')
    if (entry === undefined) throw new Error('no entry')
    expect(textIn(entry, format === 'rss' ? 'description' : 'content')).toBe(
      '<p><strong>Content warning:</strong> Snakes &lt;here&gt;</p><hr><p>An adder</p>',
    )
    if (format === 'rss') expect(textIn(entry, 'media:rating')).toBe('adult')
  })

  it('encloses attachments with type and description', async () => {
    const alice = await given.account()
    const sound = { ...storedPicture, id: 2, type: 'audio' as const, file: { key: 'media/song.ogg' } }
    const attachments = [{ ...storedPicture, description: 'A wren, "singing"' }, sound]
    await storedStatus({ accountId: alice.id, content: '', attachments })
    const { root, feed } = await openFeed(`/@${alice.username}.${format}`)
    const found =
      format === 'rss'
        ? all(root, 'media:content').map((one) => [
            one.attributes['url'],
            one.attributes['type'],
            textIn(one, 'media:description'),
          ])
        : all(root, 'link')
            .filter(({ attributes: { rel } }) => rel === 'enclosure')
            .map(({ attributes: { href, type, title = null } }) => [href, type, title])
    expect(found).toEqual([
      [`${origin}/media/media/one.png`, 'image/png', 'A wren, "singing"'],
      [`${origin}/media/media/song.ogg`, 'audio/ogg', null],
    ])
    if (format === 'rss')
      expect(all(root, 'enclosure').map(({ attributes }) => attributes)).toEqual([
        { url: `${origin}/media/media/one.png`, length: '0', type: 'image/png' },
      ])
    expect(feed.items[0]?.title).toBe('Attachments: 2')
  })

  it('states the size of each file, as it is served', async () => {
    const alice = await given.account()
    const files = ['rgb.png', 'animated.gif', 'vorbis.ogg', 'silent.mp4']
    const served = new Map<string, string>()
    for (const file of files) {
      const { id, url } = await uploaded(alice, file)
      await as(alice).post('/api/v1/statuses', { status: file, media_ids: [id] })
      const { response } = await fetchApp(new Request(url ?? ''))
      served.set(url ?? '', String((await response.bytes()).length))
    }
    const { root } = await openFeed(`/@${alice.username}.${format}`)
    const found = all(root, format === 'rss' ? 'enclosure' : 'link')
      .filter(({ attributes: { rel = 'enclosure' } }) => rel === 'enclosure')
      .map(({ attributes: { url, href, length } }) => [url ?? href, length])
    expect(new Map(found.map(([url = '', length = '']) => [url, length]))).toEqual(served)
    expect(served.size).toBe(files.length)
    if (format === 'rss')
      expect(all(root, 'media:content').map(({ attributes: { fileSize } }) => fileSize)).toEqual(
        found.map(([, length]) => length),
      )
  })

  it('states the size of a file after an older post is edited, which alone is not an edit', async () => {
    const alice = await given.account()
    const { id } = await uploaded(alice, 'rgb.png')
    const { body } = await as(alice).post('/api/v1/statuses', { status: 'one', media_ids: [id] })
    const { id: statusId } = Status.parse(body)
    const { db } = context()
    const stored = eq(statuses.id, Number(statusId))
    const [row] = await db.select({ attachments: statuses.attachments }).from(statuses).where(stored)
    const older = (row?.attachments ?? []).map(({ bytes: _bytes, ...rest }) => rest)
    await db.update(statuses).set({ attachments: older }).where(stored)
    const edit = async (status: string) =>
      Status.parse((await as(alice).put(`/api/v1/statuses/${statusId}`, { status, media_ids: [id] })).body)
    expect((await edit('one')).edited_at).toBeNull()
    expect((await edit('two')).edited_at).not.toBeNull()
    const [after] = await db.select({ attachments: statuses.attachments }).from(statuses).where(stored)
    expect(after?.attachments[0]?.bytes).toBeGreaterThan(0)
  })

  it('shows the choices of a poll', async () => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, content: '<p>Which?</p>' })
    const { db, ids } = context()
    const pollId = ids.next()
    const options = ['Wren <b>', 'Owl']
    await db.insert(polls).values({ id: pollId, accountId: alice.id, statusId: id, options, tallies: [0, 0] })
    await db.update(statuses).set({ pollId }).where(eq(statuses.id, id))
    const { page } = await openFeed(`/@${alice.username}.${format}`)
    const text = all(readXml(page.html), format === 'rss' ? 'description' : 'content').map(({ text: t }) => t)
    expect(text).toContain('<p>Which?</p><ul><li>Wren &lt;b&gt;</li><li>Owl</li></ul>')
  })

  it('the feed has twenty entries, answers 304 to conditional requests, and exists when it is empty', async () => {
    const alice = await given.account()
    const path = `/@${alice.username}.${format}`
    expect((await openFeed(path)).feed.items).toEqual([])
    for (let index = 0; index < 22; index += 1) await storedStatus({ accountId: alice.id })
    const { page, feed } = await openFeed(path)
    expect(feed.items).toHaveLength(20)
    const again = await new Browser().get(path, {
      headers: { 'if-none-match': page.headers.get('etag') ?? '' },
    })
    expect([again.status, again.html]).toEqual([304, ''])
  })

  it('answers 410 for a suspended account, and 404 for unknown, unapproved and remote ones', async () => {
    const gone = await given.account({ suspendedAt: clock.now() })
    const waiting = await given.account({ user: { approved: false } })
    const remote = await given.remoteAccount()
    const status = async (name: string) => (await new Browser().get(`/@${name}.${format}`)).status
    expect(await status(gone.username)).toBe(410)
    for (const name of [
      'nobody_at_all',
      waiting.username,
      remote.username,
      `${remote.username}@${remote.domain}`,
    ])
      expect(await status(name)).toBe(404)
  })

  it('shows only posts with the hashtag of the address', async () => {
    const alice = await given.account()
    const tag = freshTag()
    await statusPerVisibility(alice, tag)
    await storedStatus({ accountId: alice.id, content: '<p>said-without</p>' })
    const { texts, root, feed } = await openFeed(`/@${alice.username}/tagged/${tag}.${format}`)
    expect(texts).toEqual(['said-to-oneself', 'said-in-answer', 'said-openly'])
    expect(feed.link).toBe(`${origin}/@${alice.username}/tagged/${tag}`)
    const self = `${origin}/@${alice.username}/tagged/${tag}.${format}`
    expect(JSON.stringify(root)).toContain(self)
  })
})

describe.each(formats)('the %s feed of a hashtag', (format) => {
  it('the feed has public local and remote posts with their authors, in one round trip, cacheable [T-1005]', async () => {
    const tag = freshTag()
    const [alice, remote] = [await given.account({ displayName: 'Ada' }), await given.remoteAccount()]
    await statusPerVisibility(alice, tag)
    await storedStatus({ accountId: remote.id, tags: [tag], content: '<p>said-there</p>', local: false })
    const { page, root, texts, feed } = await openFeed(`/tags/${tag.toUpperCase()}.${format}`)
    expect(texts).toEqual(['said-there', 'said-to-oneself', 'said-in-answer', 'said-openly'])
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.headers.get('access-control-allow-origin')).toBe('*')
    expect(feed).toMatchObject({ title: `#${tag}`, link: `${origin}/tags/${tag}` })
    const authors = all(root, format === 'rss' ? 'dc:creator' : 'name').map(({ text }) => text)
    expect(authors[0]).toContain(`@${remote.username}@${remote.domain}`)
    expect(authors[1]).toBe(`Ada (@${alice.username}@fieldfare.test)`)
  })

  it.each([
    ['suspended', { suspendedAt: clock.now() }],
    ['limited', { silencedAt: clock.now() }],
  ])('shows nothing by authors who are %s', async (_, standing) => {
    const tag = freshTag()
    await statusPerVisibility(await given.account(standing), tag)
    expect((await openFeed(`/tags/${tag}.${format}`)).texts).toEqual([])
  })

  it('answers 404 for an invalid hashtag', async () => {
    for (const name of ['a%20b', '%3Cscript%3E', '·', '%'])
      expect((await new Browser().get(`/tags/${name}.${format}`)).status).toBe(404)
  })

  it('the feed is open where the operator opens timelines to anonymous visitors', async () => {
    const tag = freshTag()
    const [alice, remote] = [await given.account(), await given.remoteAccount()]
    await storedStatus({ accountId: alice.id, tags: [tag], content: '<p>said-here</p>' })
    await storedStatus({ accountId: remote.id, tags: [tag], content: '<p>said-there</p>', local: false })
    await withSettings({ remoteTagAccess: 'disabled' }, async () => {
      expect((await openFeed(`/tags/${tag}.${format}`)).texts).toEqual(['said-here'])
    })
    const { browser } = await signedIn()
    await withSettings({ localTagAccess: 'authenticated', remoteTagAccess: 'disabled' }, async () => {
      for (const reader of [browser, new Browser()]) {
        const page = await reader.get(`/tags/${tag}.${format}`)
        expect(page.status).toBe(401)
        expect(saidIn(page)).toEqual([])
      }
    })
  })
})

describe('a server that is closed to anonymous visitors', () => {
  const { config } = context()
  it.each([
    ['wants people to sign in first', { ...config, requiresSignIn: true }],
    ['speaks with listed servers only', { ...config, federation: { ...config.federation, limited: true } }],
  ])(
    'a server that is closed to anonymous visitors has no feeds and links none because it %s',
    async (_, closed) => {
      const tag = freshTag()
      const { member, browser } = await signedIn()
      await statusPerVisibility(member, tag)
      for (const path of [`/@${member.username}`, `/tags/${tag}`, `/@${member.username}/tagged/${tag}`]) {
        for (const format of formats) {
          const page = await new Browser({ config: closed }).get(`${path}.${format}`)
          expect([page.status, saidIn(page)]).toEqual([401, []])
          expect(page.costs.trips).toBeLessThanOrEqual(1)
        }
        expect((await browser.get(path, { overrides: { config: closed } })).html).not.toContain('.rss')
      }
    },
  )
})

describe('the feeds of a page', () => {
  it('the page names its feeds in its head and body', async () => {
    const tag = freshTag()
    const alice = await given.account()
    for (const path of [`/@${alice.username}`, `/@${alice.username}/tagged/${tag}`, `/tags/${tag}`]) {
      const { html } = await new Browser().get(path)
      for (const format of formats) {
        const href = `${origin}${path}.${format}`
        expect(html).toMatch(
          new RegExp(`<link rel="alternate" type="application/${format}\\+xml" [^>]*href="${href}"/>`),
        )
        expect(html).toContain(`<a href="${href}">`)
        expect((await openFeed(`${path}.${format}`)).feed.items).toEqual([])
      }
    }
  })
})
