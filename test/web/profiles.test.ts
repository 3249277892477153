import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, polls, statuses } from '../../src/db/schema'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { given } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedCard, storedPicture, storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const open = (path: string) => new Browser().get(path)

describe('the page of a profile', () => {
  it('shows what anonymous visitors may see, in one round trip, cacheable', async () => {
    const alice = await given.account({
      displayName: 'Ada <Thrush>',
      noteHtml: '<p>Counts <em>birds</em></p>',
      followersCount: 412,
      fields: [{ name: 'Home', value: 'x', html: '<a href="https://a.test">a.test</a>', verifiedAt: 1 }],
    })
    const page = await open(`/@${alice.username}`)
    expect(page.status).toBe(200)
    for (const words of ['Ada <Thrush>', `@${alice.username}@fieldfare.test`, 'birds', '412', 'verified'])
      expect(textOf(page.html)).toContain(words)
    expect(page.costs.trips).toBeLessThanOrEqual(1)
    expect(page.cookies).toEqual([])
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.headers.get('vary')).toContain('Accept')
  })

  it('the page of a profile names its canonical address and the actor, for readers and for programs [T-1002]', async () => {
    const alice = await given.account()
    const { html, headers } = await open(`/@${alice.username.toUpperCase()}`)
    const [url, actor] = [`${origin}/@${alice.username}`, `${origin}/users/${alice.username}`]
    expect(html).toContain(`<link rel="canonical" href="${url}"/>`)
    expect(html).toContain(`<link rel="alternate" type="application/activity+json" href="${actor}"/>`)
    expect(html).toContain('<meta property="og:type" content="profile"/>')
    const link = headers.get('link') ?? ''
    expect(link).toContain(`<${actor}>; rel="alternate"; type="application/activity+json"`)
    expect(link).toContain(
      `<${origin}/.well-known/webfinger?resource=acct%3A${alice.username}%40fieldfare.test>; rel="lrdd"`,
    )
  })

  it('links its fields as pages of the same person, and marks verified ones', async () => {
    const alice = await given.account()
    const fields = {
      '0': { name: 'Home', value: 'https://alice.example/' },
      '1': { name: 'Pets', value: 'cats' },
    }
    await as(alice).patch('/api/v1/accounts/update_credentials', { fields_attributes: fields })
    const { html } = await open(`/@${alice.username}`)
    const [home = '', pets = ''] = html.split(/<dd(?: class="ok")?>/).slice(1)
    expect(home).toMatch(/<a href="https:\/\/alice\.example\/"[^>]* rel="[^"]*\bme\b[^"]*"/)
    expect(pets.split('</dd>')[0]).not.toContain('<a ')
    expect(html).not.toContain('<dd class="ok">')
    const { db } = context()
    const [row] = await db.select().from(accounts).where(eq(accounts.id, alice.id))
    const verified = row?.fields.map((field) => ({ ...field, verifiedAt: clock.now().getTime() })) ?? []
    await db
      .update(accounts)
      .set({ fields: verified.slice(0, 1) })
      .where(eq(accounts.id, alice.id))
    expect((await open(`/@${alice.username}`)).html).toMatch(/<dd class="ok">.*?verified/)
  })

  it('the page of a profile is excluded from search engines unless its owner allows them', async () => {
    const noindex = '<meta name="robots" content="noindex"/>'
    const [shy, bold] = [await given.account(), await given.account({ indexable: true })]
    const limited = await given.account({ indexable: true, silencedAt: clock.now() })
    expect((await open(`/@${shy.username}`)).html).toContain(noindex)
    expect((await open(`/@${bold.username}`)).html).not.toContain(noindex)
    expect((await open(`/@${limited.username}`)).html).toContain(noindex)
  })

  it('hides the number of follows of an account that hides them', async () => {
    const alice = await given.account({ hideCollections: true, followersCount: 4_321, followingCount: 1_234 })
    const text = textOf((await open(`/@${alice.username}`)).html)
    expect(text).not.toContain('4,321')
    expect(text).not.toContain('1,234')
  })

  it('shows public and unlisted statuses, and no replies, reblogs, private or direct ones', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const put = (content: string, more: object = {}) =>
      storedStatus({ accountId: alice.id, content: `<p>${content}</p>`, ...more })
    await put('said-openly')
    await put('said-quietly', { visibility: 'unlisted' })
    await put('said-to-followers', { visibility: 'private' })
    await put('said-to-one', { visibility: 'direct' })
    const other = await storedStatus({ accountId: bob.id, content: '<p>said-by-bob</p>' })
    await put('said-in-answer', { inReplyToId: other, inReplyToAccountId: bob.id })
    await put('', { reblogOfId: other })
    const { html } = await open(`/@${alice.username}`)
    const said = [...html.matchAll(/said-[a-z-]+/g)].map(([found]) => found)
    expect(new Set(said)).toEqual(new Set(['said-openly', 'said-quietly']))
  })

  it('shows followers what is for them, and blocked accounts one sentence', async () => {
    const { member: bob, browser } = await signedIn()
    const alice = await given.account({ noteHtml: '<p>words about Alice</p>' })
    await relation.follow(bob, alice)
    await storedStatus({ accountId: alice.id, visibility: 'private', content: '<p>for-followers</p>' })
    await storedStatus({ accountId: alice.id, content: '<p>for-all</p>' })
    const asFollower = await browser.get(`/@${alice.username}`)
    for (const words of ['for-followers', 'for-all']) expect(asFollower.html).toContain(words)
    await relation.block(alice, bob)
    const asBlocked = await browser.get(`/@${alice.username}`)
    expect(textOf(asBlocked.html)).toContain('This profile is not available to you.')
    for (const words of ['for-followers', 'for-all', 'words about Alice'])
      expect(asBlocked.html).not.toContain(words)
    for (const page of [asFollower, asBlocked])
      expect(page.headers.get('cache-control')).toBe('private, no-store')
  })

  it('names the original address of a remote account with a hashtag', async () => {
    const remote = await given.remoteAccount({ domain: 'lure.test' })
    const page = await open(`/@${remote.username}@lure.test/tagged/birds`)
    expect([page.status, page.location]).toEqual([200, null])
    expect(page.html).toContain(`<a href="https://lure.test/@${remote.username}"`)
  })

  it('the page of a profile has pages by max_id and ends', async () => {
    const alice = await given.account()
    for (let index = 1; index <= 22; index += 1)
      await storedStatus({ accountId: alice.id, content: `<p>post-${index}.</p>` })
    const first = await open(`/@${alice.username}`)
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
    const second = await open(older.replace(origin, ''))
    const count = (html: string) => new Set([...html.matchAll(/post-\d+\./g)].map(([found]) => found)).size
    expect([count(first.html), count(second.html)]).toEqual([20, 2])
    expect(second.html).not.toContain('rel="next"')
    expect(second.html).toContain('noindex')
  })

  it('answers 410 when suspended, and shows nothing', async () => {
    const alice = await given.account({ suspendedAt: clock.now(), displayName: 'Forgotten', noteHtml: 'bio' })
    const id = await storedStatus({ accountId: alice.id, content: '<p>secret</p>' })
    for (const path of [`/@${alice.username}`, `/@${alice.username}/${id}`]) {
      const page = await open(path)
      expect(page.status).toBe(410)
      for (const word of ['Forgotten', 'secret']) expect(page.html).not.toContain(word)
    }
  })

  it.each([
    ['unconfirmed', { confirmedAt: null }],
    ['unapproved', { approved: false }],
  ])('answers for an account that is %s like for an unknown name', async (_, user) => {
    const alice = await given.account({ user, displayName: 'Hidden' })
    const id = await storedStatus({ accountId: alice.id, content: '<p>secret</p>' })
    const nobodys = textOf((await open('/@nobody-of-that-name')).html)
    for (const path of [`/@${alice.username}`, `/@${alice.username}/${id}`]) {
      const page = await open(path)
      expect(page.status).toBe(404)
      expect(textOf(page.html)).toBe(nobodys)
    }
  })

  it('the page of a profile is for local accounts, and names the server of others', async () => {
    const remote = await given.remoteAccount()
    const alice = await given.account()
    const elsewhere = await open(`/@${remote.username}@${remote.domain}`)
    expect([elsewhere.status, elsewhere.html.includes('nofollow noopener')]).toEqual([200, true])
    expect((await open(`/@${remote.username}@unknown.test`)).status).toBe(404)
    expect((await open(`/@${remote.username}`)).status).toBe(404)
    expect((await open(`/@${alice.username}@fieldfare.test`)).status).toBe(200)
  })

  it('loads nothing from other servers', async () => {
    const alice = await given.account({ avatar: { remote: 'https://far.test/a.png' } })
    await storedStatus({
      accountId: alice.id,
      attachments: [{ ...storedPicture, file: { remote: 'https://far.test/b.png' }, description: 'A wren' }],
    })
    const { html, headers } = await open(`/@${alice.username}`)
    expect(html).not.toMatch(/(src|poster)="https:\/\/far\.test/)
    expect(headers.get('content-security-policy')).toContain("img-src 'self'; ")
    expect(headers.get('content-security-policy')).toContain("media-src 'self'")
    expect(html).toMatch(/src="https:\/\/fieldfare\.test\/media\/proxy\/[^"]+"[^>]*alt="A wren"/)
  })

  it('shows custom emojis in names and texts, and keeps addresses unchanged', async () => {
    const emojis = [{ shortcode: 'wren', image: { key: 'emojis/wren.png' } }]
    const alice = await given.account({ displayName: 'Ada :wren:', emojis })
    const content = '<p>a :wren: and <a href="https://a.test/:wren:">:none:</a></p>'
    await storedStatus({ accountId: alice.id, content, emojis })
    const { html } = await open(`/@${alice.username}`)
    expect(html.match(/alt=":wren:"/g)).toHaveLength(4)
    expect(html).toContain('<a href="https://a.test/:wren:">:none:</a>')
  })
})

describe('the page of a status', () => {
  it('shows the status in its public thread, in one round trip [T-1004]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const put = (by: { id: number }, content: string, inReplyToId?: number, more: object = {}) =>
      storedStatus({ accountId: by.id, content: `<p>${content}</p>`, inReplyToId, ...more })
    const question = await put(bob, 'the-question')
    const answer = await put(alice, 'the-answer', question)
    await put(bob, 'the-thanks', answer)
    await put(bob, 'the-whisper', answer, { visibility: 'private' })
    await put(bob, 'the-secret', answer, { visibility: 'direct' })
    await put(await given.account({ suspendedAt: clock.now() }), 'the-banned', answer)
    const page = await open(`/@${alice.username}/${answer}`)
    const said = [...page.html.matchAll(/<p>(the-\w+)/g)].map(([, found]) => found)
    expect(said).toEqual(['the-question', 'the-answer', 'the-thanks'])
    expect(page.costs.trips).toBeLessThanOrEqual(1)
    expect(page.html).toContain(`<link rel="canonical" href="${origin}/@${alice.username}/${answer}"/>`)
    expect(page.headers.get('link')).toContain(
      `/users/${alice.username}/statuses/${answer}>; rel="alternate"`,
    )
  })

  it.each(['private', 'direct'] as const)(
    'answers 404 to visitors for a status that is %s',
    async (visibility) => {
      const alice = await given.account()
      const id = await storedStatus({ accountId: alice.id, visibility, content: '<p>secret</p>' })
      const page = await open(`/@${alice.username}/${id}`)
      expect(page.status).toBe(404)
      expect(page.html).not.toContain('secret')
    },
  )

  it('the page of a status is found under its author only', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedStatus({ accountId: alice.id })
    expect((await open(`/@${bob.username}/${id}`)).status).toBe(404)
    expect((await open(`/@${alice.username}/1`)).status).toBe(404)
    expect((await open(`/@${alice.username}/9999999999999999`)).status).toBe(404)
  })

  it('shows the reblogged status of a reblog, and nothing hidden', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const shown = await storedStatus({ accountId: bob.id })
    const hidden = await storedStatus({ accountId: bob.id, visibility: 'private' })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: shown })
    const leak = await storedStatus({ accountId: alice.id, reblogOfId: hidden })
    expect((await open(`/@${alice.username}/${reblog}`)).location).toBe(`/@${bob.username}/${shown}`)
    expect((await open(`/@${alice.username}/${leak}`)).status).toBe(404)
  })

  it('names the address of a reblogged remote post, without a redirect', async () => {
    const [alice, remote] = [await given.account(), await given.remoteAccount({ domain: 'lure.test' })]
    const url = 'https://lure.test/@bait/1?a=1&b=2'
    const shared = await storedStatus({ accountId: remote.id, local: false, url })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: shared })
    const page = await open(`/@${alice.username}/${reblog}`)
    expect([page.status, page.location, page.headers.get('refresh')]).toEqual([200, null, null])
    const link = `<a href="${url.replace('&', '&amp;')}" rel="nofollow noopener noreferrer">`
    expect(page.html).toContain(link)
    expect(page.html).toContain('noindex')
    expect(page.html).not.toContain('http-equiv')
  })

  it('the page of a status links web addresses only', async () => {
    const [alice, remote] = [await given.account(), await given.remoteAccount()]
    const row = { local: false, url: 'javascript:alert(1)' }
    const shared = await storedStatus({ accountId: remote.id, ...row })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: shared })
    expect((await open(`/@${alice.username}/${reblog}`)).html).not.toContain('href="javascript:')
  })

  it('names the oEmbed address for programs', async () => {
    const alice = await given.account()
    const path = `/@${alice.username}/${await storedStatus({ accountId: alice.id })}`
    const { html } = await open(path)
    const found =
      /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(html)?.[1] ?? ''
    const answer = await open(found.replaceAll('&amp;', '&').slice(origin.length))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.html)).toMatchObject({
      type: 'rich',
      html: expect.stringContaining(`${path}/embed`),
    })
  })

  it('the page of a status describes its picture, and shows it in link previews', async () => {
    const alice = await given.account()
    const preview = { key: 'media/small.png' }
    const attachments = [{ ...storedPicture, preview, description: 'A wren & "her" nest' }]
    const id = await storedStatus({ accountId: alice.id, attachments })
    const { html } = await open(`/@${alice.username}/${id}`)
    expect(html).toContain('alt="A wren &amp; &quot;her&quot; nest"')
    expect(html).toContain(`<meta property="og:image" content="${origin}/media/media/small.png"/>`)
  })

  it('keeps the text behind a content warning out of link previews', async () => {
    const alice = await given.account()
    const id = await storedStatus({
      accountId: alice.id,
      spoilerText: 'Film',
      content: '<p>He was dead all along</p>',
      sensitive: true,
      attachments: [storedPicture],
    })
    const head = (await open(`/@${alice.username}/${id}`)).html.split('</head>')[0] ?? ''
    expect(head).toContain('<meta property="og:description" content="Film"/>')
    expect(head).not.toContain('dead all along')
    expect(head).not.toContain('one.png')
  })

  it('shows the card of its link without own media, and without a picture where it is sensitive', async () => {
    const alice = await given.account()
    const { id: accountId } = alice
    const shown = async (row: object) =>
      (await open(`/@${alice.username}/${await storedStatus({ accountId, card: storedCard, ...row })}`)).html
    const link = '<a class="main" href="https://birds.test/x" rel="nofollow noopener noreferrer">'
    expect(await shown({})).toContain(link)
    expect(await shown({})).toContain(`<img src="${origin}/media/cards/one.png"`)
    expect(await shown({ sensitive: true })).not.toContain('cards/one.png')
    expect(await shown({ sensitive: true })).toContain(link)
    expect(await shown({ attachments: [storedPicture] })).not.toContain(link)
  })

  it('the page of a status is not among search results when it is unlisted', async () => {
    const alice = await given.account({ indexable: true })
    const listed = await storedStatus({ accountId: alice.id })
    const unlisted = await storedStatus({ accountId: alice.id, visibility: 'unlisted' })
    expect((await open(`/@${alice.username}/${listed}`)).html).not.toContain('noindex')
    expect((await open(`/@${alice.username}/${unlisted}`)).html).toContain('noindex')
  })
})

describe('a poll on a page', () => {
  it('shows the percentage of voters, and none while they are hidden', async () => {
    const alice = await given.account()
    const ctx = context()
    const put = async (hideTotals: boolean) => {
      const pollId = ctx.ids.next()
      const statusId = await storedStatus({ accountId: alice.id })
      await ctx.db.insert(polls).values({
        id: pollId,
        accountId: alice.id,
        statusId,
        options: ['Wren', 'Kite'],
        tallies: [3, 1],
        multiple: true,
        votesCount: 4,
        votersCount: 3,
        hideTotals,
        expiresAt: new Date(clock.now().getTime() + 86_400_000),
      })
      await ctx.db.update(statuses).set({ pollId }).where(eq(statuses.id, statusId))
      return textOf((await open(`/@${alice.username}/${statusId}`)).html)
    }
    const [shown, secret] = [await put(false), await put(true)]
    for (const words of ['Wren 100 %', 'Kite 33 %', '3 people voted']) expect(shown).toContain(words)
    expect(secret).toContain('Wren')
    expect(secret).not.toContain('%')
  })
})

describe('the addresses of actors and their statuses', () => {
  it('addresses of actors and statuses redirect browsers to the pages [T-1003]', async () => {
    const person = await open('/users/ada')
    const status = await open('/users/ada/statuses/12')
    expect([person.status, status.status]).toEqual([301, 301])
    expect([person.location, status.location]).toEqual(['/@ada', '/@ada/12'])
  })

  it('addresses of actors and statuses redirect no program to a page', async () => {
    const page = await new Browser().get('/users/ada', { headers: { accept: 'application/activity+json' } })
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toContain('json')
  })
})
