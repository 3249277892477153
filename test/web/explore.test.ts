import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import { accounts, statuses } from '../../src/db/schema'
import { Browser, textOf } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { saidIn } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { statusPerVisibility } from '../support/status-per-visibility'
import { clock, context } from '../support/test-app'

const open = (path: string) => new Browser().get(path)
const { config } = context()
const closings = [
  { config: { ...config, requiresSignIn: true } },
  { config: { ...config, federation: { ...config.federation, limited: true } } },
]

// Explore pages list all accounts: those of other tests would push out those made here.
beforeEach(async () => {
  const { db } = context()
  await db.update(statuses).set({ visibility: 'unlisted' }).where(sql`visibility = 'public'`)
  await db.update(accounts).set({ discoverable: false }).where(sql`discoverable = 1`)
})

/** A discoverable account that posted last. */
async function findable(row: object = {}) {
  clock.advance(1_000)
  return given.account({ discoverable: true, lastStatusAt: clock.now(), ...row })
}

const contentOf = (html: string) => html.slice(html.indexOf('<main'))
const names = (html: string) =>
  [...html.matchAll(/class="avatar-link" href="\/@(\w+)"/g)].map(([, name]) => name)

describe.each([
  ['the front page', '/'],
  ['the page of posts', '/public/local'],
])('%s', (_, path) => {
  it('shows public local posts and nothing else, in one round trip, cacheable', async () => {
    const remote = await given.remoteAccount()
    await statusPerVisibility(await given.account(), freshName('bird'))
    await storedStatus({ accountId: remote.id, content: '<p>said-there</p>', local: false })
    const page = await open(path)
    expect(saidIn(page)).toEqual(['said-to-oneself', 'said-again', 'said-openly'])
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.cookies).toEqual([])
  })

  it.each([
    ['suspended', { suspendedAt: clock.now() }],
    ['limited', { silencedAt: clock.now() }],
  ])('shows nothing by authors who are %s', async (_standing, standing) => {
    await storedStatus({ accountId: (await given.account(standing)).id, content: '<p>said-here</p>' })
    expect(saidIn(await open(path))).toEqual([])
  })
})

describe('the page of posts', () => {
  const posts = '/public/local'

  it('shows posts to the audience that the operator chose', async () => {
    await storedStatus({ accountId: (await given.account()).id, content: '<p>said-here</p>' })
    const [member, staff] = [await signedIn(), await signedIn({ user: { roleId: 3 } })]
    const waiting = await signedIn({ user: { approved: false } })
    const seen = async () =>
      Promise.all(
        [new Browser(), waiting.browser, member.browser, staff.browser].map(
          async (browser) => saidIn(await browser.get(posts)).length,
        ),
      )
    expect(await seen()).toEqual([1, 1, 1, 1])
    await withSettings({ localFeedAccess: 'authenticated' }, async () => {
      expect(await seen()).toEqual([0, 0, 1, 1])
    })
    await withSettings({ localFeedAccess: 'disabled' }, async () => {
      expect(await seen()).toEqual([0, 0, 0, 1])
    })
    for (const closed of closings) {
      expect(saidIn(await new Browser(closed).get(posts))).toEqual([])
      expect(saidIn(await member.browser.get(posts, { overrides: closed }))).toEqual(['said-here'])
    }
  })

  it('the page is not cached for members', async () => {
    const { browser } = await signedIn()
    expect((await browser.get(posts)).headers.get('cache-control')).toBe('private, no-store')
  })

  it('the page of posts has pages by max_id, ends, and is excluded from search engines', async () => {
    const alice = await given.account()
    for (let index = 1; index <= 22; index += 1)
      await storedStatus({ accountId: alice.id, content: `<p>post-${index}.</p>` })
    const first = await open('/public/local')
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
    const second = await open(older)
    const count = (html: string) => new Set([...html.matchAll(/post-\d+\./g)].map(([found]) => found)).size
    expect([count(first.html), count(second.html)]).toEqual([20, 2])
    expect(second.html).not.toContain('rel="next"')
    expect(second.html).toContain('href="/public/local"')
    expect(first.html).toContain('<meta name="robots" content="noindex"/>')
  })

  it('requires sign-in where it is for members, and is 404 where it is disabled', async () => {
    const { browser } = await signedIn()
    const signIn = '/auth/sign_in?return_to=%2Fpublic%2Flocal'
    await withSettings({ localFeedAccess: 'authenticated' }, async () => {
      expect((await open('/public/local')).location).toBe(signIn)
    })
    await withSettings({ localFeedAccess: 'disabled' }, async () => {
      expect((await browser.get('/public/local')).status).toBe(404)
    })
    for (const closed of closings)
      expect((await new Browser(closed).get('/public/local')).location).toBe(signIn)
  })
})

describe.each([
  ['the front page', '/'],
  ['the page of people', '/directory'],
])('%s', (_, path) => {
  it('shows discoverable local accounts, the latest active first', async () => {
    const first = await findable({ displayName: 'Ada <b>', noteHtml: '<p>Counts <em>birds</em></p>' })
    await given.account({ lastStatusAt: clock.now() })
    await given.remoteAccount({ discoverable: true, lastStatusAt: clock.now() })
    const second = await findable()
    const page = await open(path)
    expect(names(page.html)).toEqual([second.username, first.username])
    expect(textOf(page.html)).toContain('Counts birds')
    expect(textOf(page.html)).toContain('Ada <b>')
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
  })

  it.each([
    ['suspended', { suspendedAt: clock.now() }],
    ['limited', { silencedAt: clock.now() }],
    ['not yet let in', { user: { approved: false } }],
    ['not yet confirmed', { user: { confirmedAt: null } }],
  ])('leaves out accounts that are %s', async (_standing, row) => {
    await findable(row)
    expect(names((await open(path)).html)).toEqual([])
  })

  it('leaves out moved accounts', async () => {
    const { id } = await given.remoteAccount()
    await findable({ movedToAccountId: id })
    expect(names((await open(path)).html)).toEqual([])
  })
})

describe('the page of accounts', () => {
  const people = '/directory'

  it('the page is empty without a directory, and for anonymous visitors where sign-in is required', async () => {
    const alice = await findable()
    const { browser } = await signedIn()
    await withSettings({ profileDirectory: false }, async () => {
      for (const one of [new Browser(), browser])
        expect((await one.get(people)).html).not.toContain(alice.username)
    })
    for (const closed of closings) {
      expect(names((await new Browser(closed).get(people)).html)).toEqual([])
      expect((await browser.get(people, { overrides: closed })).html).toContain(`id="a-${alice.id}"`)
    }
  })

  it('the page of accounts has pages, ends, and is excluded from search engines', async () => {
    for (let index = 0; index < 42; index += 1) await findable()
    const first = await open('/directory')
    const next = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
    const second = await open(next)
    expect([names(first.html).length, names(second.html).length]).toEqual([40, 2])
    expect(new Set([...names(first.html), ...names(second.html)]).size).toBe(42)
    expect(second.html).not.toContain('rel="next"')
    expect(second.html).toContain('href="/directory" rel="prev"')
    expect(first.html).toContain('<meta name="robots" content="noindex"/>')
  })

  it.each(['0', '-1', '26', '1e3', 'x', ''])('the page of accounts has no page %j', async (page) => {
    expect((await open(`/directory?page=${page}`)).status).toBe(404)
  })

  it('answers 404 without a directory, and redirects anonymous visitors to sign-in where that is required', async () => {
    await withSettings({ profileDirectory: false }, async () => {
      expect((await open('/directory')).status).toBe(404)
    })
    for (const closed of closings)
      expect((await new Browser(closed).get('/directory')).location).toBe(
        '/auth/sign_in?return_to=%2Fdirectory',
      )
  })
})

describe('the front page', () => {
  it('links accounts and posts where there are any, and neither where it shows none', async () => {
    const links = ['href="/directory"', 'href="/public/local"']
    const empty = await open('/')
    for (const link of links) expect(contentOf(empty.html)).not.toContain(link)
    await storedStatus({ accountId: (await findable()).id })
    const full = await open('/')
    for (const link of links) expect(contentOf(full.html)).toContain(link)
    for (const closed of closings) {
      const shut = await new Browser(closed).get('/')
      for (const link of links) expect(shut.html).not.toContain(link)
    }
  })

  it('reads few rows on instances of any size', async () => {
    for (let index = 0; index < 12; index += 1) await storedStatus({ accountId: (await findable()).id })
    const { rowsRead } = (await open('/')).costs
    expect(rowsRead).toBeLessThanOrEqual(200)
  })
})

describe('the head of every page', () => {
  const placesOf = (html: string) => {
    const [, places = ''] = /<header class="nav">(.*?)<\/header>/s.exec(html) ?? []
    return [...places.matchAll(/class="(?:item|button main write)" href="([^"]+)"/g)].map(([, path]) => path)
  }

  it('links visitors to open pages, and to sign-in', async () => {
    const all = ['/explore', '/directory', '/public/local']
    expect(placesOf((await open('/about')).html)).toEqual([...all, '/', '/auth/sign_in'])
    const placesWith = (settings: object) =>
      withSettings(settings, async () => placesOf((await open('/about/rules')).html))
    const [trends, people, local] = all
    for (const [settings, left] of [
      [{ trends: false }, [people, local]],
      [{ profileDirectory: false }, [trends, local]],
      [{ localFeedAccess: 'authenticated' }, [trends, people]],
      [{ trends: false, localFeedAccess: 'authenticated' }, [people]],
    ] as const)
      expect([settings, await placesWith(settings)]).toEqual([settings, [...left, '/', '/auth/sign_in']])
  })

  it('marks the page that a visitor is on, and no other', async () => {
    for (const path of ['/explore', '/directory', '/public/local']) {
      const { html } = await open(path)
      const [, places = ''] = /<header class="nav">(.*?)<\/header>/s.exec(html) ?? []
      const marked = [...places.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, at]) => at)
      expect([path, marked]).toEqual([path, [path]])
    }
  })

  it('links visitors to no closed page', async () => {
    for (const closed of closings)
      expect(placesOf((await new Browser(closed).get('/about')).html)).toEqual(['/', '/auth/sign_in'])
  })

  it('links members to open pages, and not to sign-in', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get('/about')
    expect(placesOf(html)).toEqual(expect.arrayContaining(['/home', '/explore', '/publish']))
    expect(placesOf(html)).not.toContain('/auth/sign_in')
  })
})
