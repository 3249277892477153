import { describe, expect, it } from 'vitest'
import { as } from '../support/as'
import { Browser, textOf } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { storedPicture, storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { saidIn } from '../support/read-feed'
import { clock } from '../support/test-app'

const open = (path: string) => new Browser().get(path)
const suffixes = ['', '/with_replies', '/media'] as const

/** Stores one status of each kind that the lists of a profile tell apart, for each audience. */
async function variedStatuses({ id: accountId }: TestAccount): Promise<void> {
  const other = await given.account()
  const question = await storedStatus({ accountId: other.id, content: '<p>question</p>' })
  const answer = { inReplyToId: question, inReplyToAccountId: other.id }
  const kinds = { post: {}, reply: answer, picture: {} }
  const audiences = {
    openly: {},
    quietly: { visibility: 'unlisted' },
    'to-followers': { visibility: 'private' },
    'to-one': { visibility: 'direct' },
    'at-home': { localOnly: true },
  } as const
  for (const [kind, row] of Object.entries(kinds))
    for (const [audience, more] of Object.entries(audiences))
      await storedStatus({
        accountId,
        content: `<p>said-${kind}-${audience}</p>`,
        attachments:
          kind === 'picture' ? [{ ...storedPicture, description: `said-${kind}-${audience}` }] : [],
        ...row,
        ...more,
      })
  await storedStatus({ accountId, reblogOfId: question })
}

const kindsIn = {
  '': ['picture', 'post'],
  '/with_replies': ['picture', 'reply', 'post'],
  '/media': ['picture'],
} as const

const expected = (suffix: (typeof suffixes)[number], audiences: readonly string[]) =>
  kindsIn[suffix].flatMap((kind) => audiences.map((audience) => `said-${kind}-${audience}`))

describe.each(suffixes)('the list %j of a profile', (suffix) => {
  it('shows visitors public posts, and followers also those for them, in one round trip', async () => {
    const { member: bob, browser } = await signedIn()
    const alice = await given.account()
    await relation.follow(bob, alice)
    await variedStatuses(alice)
    const page = await open(`/@${alice.username}${suffix}`)
    expect(saidIn(page)).toEqual(expected(suffix, ['quietly', 'openly']))
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    const asFollower = await browser.get(`/@${alice.username}${suffix}`)
    const audiences = ['at-home', 'to-followers', 'quietly', 'openly']
    expect(saidIn(asFollower)).toEqual(expected(suffix, audiences))
  })

  it('shows its owner also followers-only and local-only posts, uncached', async () => {
    const { member, browser } = await signedIn()
    await variedStatuses(member)
    const page = await browser.get(`/@${member.username}${suffix}`)
    const audiences = ['at-home', 'to-followers', 'quietly', 'openly']
    expect(saidIn(page)).toEqual(expected(suffix, audiences))
    for (const badge of ['Followers only', 'This server only']) expect(textOf(page.html)).toContain(badge)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect(page.costs.trips).toBeLessThanOrEqual(1)
  })

  it('the list is marked among the tabs', async () => {
    const alice = await given.account()
    const { html } = await open(`/@${alice.username}${suffix}`)
    const address = `https://fieldfare.test/@${alice.username}`
    for (const other of suffixes)
      expect(html).toContain(`<a href="${address}${other}"${other === suffix ? ' aria-current="page"' : ''}>`)
  })

  it('answers 410 for a suspended account, and 404 for an unknown one', async () => {
    const alice = await given.account({ suspendedAt: clock.now() })
    expect((await open(`/@${alice.username}${suffix}`)).status).toBe(410)
    expect((await open(`/@nobody-of-that-name${suffix}`)).status).toBe(404)
  })

  it('links its own next page', async () => {
    const alice = await given.account()
    for (let index = 1; index <= 21; index += 1)
      await storedStatus({
        accountId: alice.id,
        content: `<p>said-${index}</p>`,
        attachments: [storedPicture],
      })
    const first = await open(`/@${alice.username}${suffix}`)
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
    expect(older).toMatch(new RegExp(`^/@${alice.username}${suffix}\\?max_id=\\d+$`))
    const second = await open(older)
    const count = ({ html }: { readonly html: string }) => html.match(/<article class="post"/g)?.length
    expect([count(first), count(second)]).toEqual([20, 1])
    expect(second.html).toContain(`href="https://fieldfare.test/@${alice.username}${suffix}">Newest posts`)
  })
})

describe('pinned statuses on a profile', () => {
  const pin = async (alice: TestAccount, row: object) => {
    const id = await storedStatus({ accountId: alice.id, ...row })
    await as(alice).post(`/api/v1/statuses/${id}/pin`)
  }

  it('pinned statuses are first, once, and marked', async () => {
    const alice = await given.account()
    await pin(alice, { content: '<p>said-once-and-for-all</p>' })
    await storedStatus({ accountId: alice.id, content: '<p>said-today</p>' })
    const page = await open(`/@${alice.username}`)
    expect(saidIn(page)).toEqual(['said-once-and-for-all', 'said-today'])
    expect(page.html.match(/class="why"/g)).toHaveLength(1)
    expect(textOf(page.html)).toContain('Pinned')
    expect(page.html.indexOf('class="why"')).toBeLessThan(page.html.lastIndexOf('said-once'))
  })

  it('pinned statuses are on the first page of posts only', async () => {
    const alice = await given.account()
    await pin(alice, { content: '<p>said-once</p>' })
    for (const path of ['/with_replies', '/media', '?max_id=1', '/tagged/birds'])
      expect((await open(`/@${alice.username}${path}`)).html).not.toContain('class="why"')
  })

  it('pinned followers-only statuses are shown to their author and followers only', async () => {
    const { member, browser } = await signedIn()
    const other = await signedIn()
    await relation.follow(other.member, member)
    await pin(member, { visibility: 'private', content: '<p>said-to-followers</p>' })
    const path = `/@${member.username}`
    for (const reader of [browser, other.browser])
      expect(saidIn(await reader.get(path))).toEqual(['said-to-followers'])
    const stranger = await signedIn()
    for (const visitor of [new Browser(), stranger.browser])
      expect(saidIn(await visitor.get(path))).toEqual([])
  })
})

describe('featured hashtags on a profile', () => {
  it('featured hashtags link to the posts with them', async () => {
    const alice = await given.account()
    await as(alice).post('/api/v1/featured_tags', { name: 'Fieldfares' })
    const { html } = await open(`/@${alice.username}`)
    expect(html).toContain(`href="/@${alice.username}/tagged/Fieldfares"`)
    expect(textOf(html)).toContain('#Fieldfares')
    expect((await open(`/@${(await given.account()).username}`)).html).not.toContain('Featured hashtags')
  })
})

describe('posts of an account with a hashtag', () => {
  it('private posts with a hashtag are shown to their author only', async () => {
    const { member, browser } = await signedIn()
    const row = { accountId: member.id, tags: ['wrens'], content: '<p>said-to-followers</p>' }
    await storedStatus({ ...row, visibility: 'private' })
    const path = `/@${member.username}/tagged/wrens`
    expect(saidIn(await browser.get(path))).toEqual(['said-to-followers'])
    expect(saidIn(await open(path))).toEqual([])
  })
})

async function compressed(text: string): Promise<number> {
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  return (await new Response(gzip).arrayBuffer()).byteLength
}

describe('the media of a profile', () => {
  const mediaOf = async (row: object) => {
    const alice = await given.account()
    const id = await storedStatus({ accountId: alice.id, ...row })
    const { html } = await open(`/@${alice.username}/media`)
    return { path: `/@${alice.username}/${id}`, html }
  }

  it('shows every picture of a post with its description, as a link to its page', async () => {
    const descriptions = ['A wren', 'An "oak"']
    const attachments = descriptions.map((description, id) => ({ ...storedPicture, id, description }))
    const { path, html } = await mediaOf({ attachments: [...attachments, storedPicture] })
    const alternatives = ['A wren', 'An &quot;oak&quot;', 'Picture without description']
    for (const [index, alt] of alternatives.entries())
      expect(html).toMatch(
        new RegExp(`<a class="frame" href="${path}/photo/${index + 1}"><img src="[^"]+" alt="${alt}"`),
      )
    expect(html.match(/<a class="alt"/g)).toHaveLength(2)
  })

  it.each([
    ['sensitive', { sensitive: true }, 'Sensitive media'],
    ['behind a warning', { sensitive: true, spoilerText: 'Owls' }, 'Owls'],
  ])('covers media that are %s, with their description', async (_, row, cover) => {
    const attachments = [{ ...storedPicture, description: 'A wren' }]
    const { html } = await mediaOf({ attachments, ...row })
    const [before = '', covered = ''] = html.split('<details class="warned">')
    expect(textOf(covered.split('</summary>')[0] ?? '')).toContain(cover)
    expect(covered.split('</summary>')[1]).toContain('alt="A wren"')
    expect(before).not.toContain('A wren')
  })

  it('a page of media is at most 30 KiB with gzip for twenty posts of four pictures with long descriptions', async () => {
    const alice = await given.account()
    for (let index = 0; index < 20; index += 1) {
      const attachments = [1, 2, 3, 4].map((id) => ({
        ...storedPicture,
        id,
        file: { key: `media/${freshName('file')}.png` },
        description: Array.from({ length: 100 }, () => freshName('word')).join(' '),
      }))
      await storedStatus({ accountId: alice.id, attachments })
    }
    const { html, costs } = await open(`/@${alice.username}/media`)
    expect(html.match(/<a class="frame"/g)).toHaveLength(80)
    expect(await compressed(html)).toBeLessThanOrEqual(30 * 1_024)
    expect(costs.trips).toBe(1)
  })
})

describe('a profile of twenty posts', () => {
  it('a profile of twenty posts is at most 30 KiB with gzip, with pictures and long texts, and costs no round trip while it is cached', async () => {
    const alice = await given.account()
    for (let index = 0; index < 20; index += 1) {
      // Of letters that compress badly, as words of many languages do.
      const content = `<p>${Array.from({ length: 60 }, () => freshName('word')).join(' ')}</p>`
      const attachments = [1, 2, 3, 4].map((id) => ({
        ...storedPicture,
        id,
        description: freshName('picture'),
      }))
      await storedStatus({ accountId: alice.id, content, attachments })
    }
    const [first, second] = [await open(`/@${alice.username}`), await open(`/@${alice.username}`)]
    expect(first.html.match(/<article class="post"/g)).toHaveLength(20)
    expect(await compressed(first.html)).toBeLessThanOrEqual(30 * 1_024)
    expect([first.costs.trips, second.costs.trips]).toEqual([1, 0])
    expect(second.html).toBe(first.html)
  })

  it('a profile of twenty posts is cached separately for each language', async () => {
    const alice = await given.account()
    const inLanguage = (language: string) =>
      new Browser().get(`/@${alice.username}`, { headers: { 'accept-language': language } })
    const [german, french, again] = [await inLanguage('de'), await inLanguage('fr'), await inLanguage('de')]
    expect([german, french].map(({ html }) => /<html lang="(\w+)"/.exec(html)?.[1])).toEqual(['de', 'fr'])
    expect([again.html, again.costs.trips]).toEqual([german.html, 0])
  })

  it('shows a change to the next visitor', async () => {
    const alice = await given.account()
    await open(`/@${alice.username}`)
    await storedStatus({ accountId: alice.id, content: '<p>said-since</p>' })
    expect(saidIn(await open(`/@${alice.username}`))).toEqual(['said-since'])
  })
})
