import { describe, expect, it } from 'vitest'
import { Browser, textOf } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { freshName, given } from '../support/given'
import { storedStatus } from '../support/given-stored'
import { signedIn } from '../support/members'
import { saidIn } from '../support/read-feed'
import { withSettings } from '../support/settings'
import { statusPerVisibility } from '../support/status-per-visibility'
import { clock, context } from '../support/test-app'

const origin = 'https://fieldfare.test'
const open = (path: string) => new Browser().get(path)
const freshTag = () => freshName('bird')

const { config } = context()
const closings = [
  ['wants people to sign in first', { ...config, requiresSignIn: true }],
  ['speaks with listed servers only', { ...config, federation: { ...config.federation, limited: true } }],
] as const

describe('the page of a hashtag', () => {
  it('lists public local and remote posts, newest first, in one round trip, cacheable', async () => {
    const tag = freshTag()
    const [alice, remote] = [await given.account(), await given.remoteAccount()]
    await storedStatus({ accountId: alice.id, tags: [tag], content: '<p>said-here</p>' })
    await storedStatus({ accountId: remote.id, tags: [tag], content: '<p>said-there</p>', local: false })
    const page = await open(`/tags/${tag}`)
    expect(page.status).toBe(200)
    expect(saidIn(page)).toEqual(['said-there', 'said-here'])
    expectCosts(page.costs, { trips: 1, rowsWritten: 0 })
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.cookies).toEqual([])
    expect(page.html).toContain(`<link rel="canonical" href="${origin}/tags/${tag}"/>`)
    expect(page.html).toContain('<meta name="robots" content="noindex"/>')
    expect(/<title>([^<]*)/.exec(page.html)?.[1]).toBe(`#${tag} · Fieldfare`)
  })

  it('the page of a hashtag shows only public posts', async () => {
    const tag = freshTag()
    await statusPerVisibility(await given.account(), tag)
    expect(saidIn(await open(`/tags/${tag}`))).toEqual(['said-to-oneself', 'said-in-answer', 'said-openly'])
  })

  it.each([
    ['suspended', { suspendedAt: clock.now() }],
    ['limited', { silencedAt: clock.now() }],
  ])('shows nothing by authors who are %s', async (_, standing) => {
    const tag = freshTag()
    const [alice, remote] = [await given.account(standing), await given.remoteAccount(standing)]
    await storedStatus({ accountId: alice.id, tags: [tag], content: '<p>said-here</p>' })
    await storedStatus({ accountId: remote.id, tags: [tag], content: '<p>said-there</p>', local: false })
    expect(saidIn(await open(`/tags/${tag}`))).toEqual([])
  })

  it('shows members what is for this server as well, without caching', async () => {
    const tag = freshTag()
    const { member, browser } = await signedIn()
    await statusPerVisibility(member, tag)
    const page = await browser.get(`/tags/${tag}`)
    expect(saidIn(page)).toEqual(['said-to-oneself', 'said-in-answer', 'said-at-home', 'said-openly'])
    expect(page.headers.get('cache-control')).toBe('private, no-store')
  })

  it('looks the same for an unused hashtag and one hidden from anonymous visitors', async () => {
    const [unused, secret] = [freshTag(), freshTag()]
    const alice = await given.account()
    await storedStatus({ accountId: alice.id, tags: [secret], visibility: 'private' })
    const [nothing, hidden] = [await open(`/tags/${unused}`), await open(`/tags/${secret}`)]
    expect([nothing.status, hidden.status]).toEqual([200, 200])
    expect(textOf(nothing.html)).toContain('Nothing here yet.')
    expect(hidden.html.replaceAll(secret, unused)).toBe(nothing.html)
  })

  it('the page of a hashtag has pages by max_id and ends', async () => {
    const tag = freshTag()
    const alice = await given.account()
    for (let index = 1; index <= 22; index += 1)
      await storedStatus({ accountId: alice.id, tags: [tag], content: `<p>post-${index}.</p>` })
    const first = await open(`/tags/${tag}`)
    const older = /href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ''
    const second = await open(older)
    const count = (html: string) => new Set([...html.matchAll(/post-\d+\./g)].map(([found]) => found)).size
    expect([count(first.html), count(second.html)]).toEqual([20, 2])
    expect(second.html).not.toContain('rel="next"')
    expect(second.html).toContain(`href="/tags/${tag}"`)
  })

  it('the page of a hashtag is one for all spellings of a name, under the requested spelling', async () => {
    const alice = await given.account()
    await storedStatus({ accountId: alice.id, tags: ['smorrebrod'], content: '<p>said-with-bread</p>' })
    for (const name of ['smorrebrod', 'SmørreBrød', 'ＳＭＯＲＲＥＢＲＯＤ']) {
      const page = await open(`/tags/${encodeURIComponent(name)}`)
      expect(saidIn(page)).toEqual(['said-with-bread'])
      expect(page.html).toContain(`<link rel="canonical" href="${origin}/tags/smorrebrod"/>`)
      expect(textOf(page.html)).toContain(`#${name}`)
    }
  })

  it.each(['2024', 'مي‌خواهم', '中文', 'हिन्दी', 'a·b'])('accepts %s as a name', async (name) => {
    expect((await open(`/tags/${encodeURIComponent(name)}`)).status).toBe(200)
  })

  it.each([
    ['<script>alert(1)</script>'],
    ['"><img src=x onerror=alert(1)>'],
    ["' or 1=1 --"],
    ['a b'],
    ['a.b'],
    ['%00'],
    ['\u0000'],
    ['\u202eevil'],
    ['a/b'],
    ['#birds'],
    ['x'.repeat(141)],
    ['·'],
    ['\u0301'],
  ])('refuses %j as a name, and repeats it only in the way back', async (name) => {
    const path = `/tags/${encodeURIComponent(name)}`
    const [page, nowhere] = [await open(path), await open('/nowhere')]
    expect(page.status).toBe(404)
    const wayBack = (to: string) => `/auth/sign_in?${new URLSearchParams({ return_to: to })}`
    expect(page.html.replace(wayBack(path), wayBack('/nowhere'))).toBe(nowhere.html)
  })

  it.each(['/tags/%', '/tags/%ff', '/tags/%E0%A4%A', '/tags/'])(
    'the page of a hashtag answers %s with 404',
    async (path) => {
      expect((await open(path)).status).toBe(404)
    },
  )

  it('the page of a hashtag is no document for programs', async () => {
    const page = await new Browser().get('/tags/birds', { headers: { accept: 'application/activity+json' } })
    expect([page.status, JSON.parse(page.html)]).toEqual([404, { error: 'Record not found' }])
  })

  it('reads a bounded number of rows however often a hashtag is used', async () => {
    const tag = freshTag()
    const alice = await given.account()
    for (let index = 0; index < 60; index += 1) await storedStatus({ accountId: alice.id, tags: [tag] })
    const few = (await open(`/tags/${tag}`)).costs.rowsRead
    for (let index = 0; index < 60; index += 1) await storedStatus({ accountId: alice.id, tags: [tag] })
    const many = (await open(`/tags/${tag}`)).costs.rowsRead
    expect(many).toBeLessThanOrEqual(400)
    expect(many).toBe(few)
  })
})

describe('hashtag timelines closed by the operator', () => {
  async function bothKinds() {
    const tag = freshTag()
    const [alice, remote] = [await given.account(), await given.remoteAccount()]
    await storedStatus({ accountId: alice.id, tags: [tag], content: '<p>said-here</p>' })
    await storedStatus({ accountId: remote.id, tags: [tag], content: '<p>said-there</p>', local: false })
    return `/tags/${tag}`
  }

  it('anonymous visitors see the open half, members both', async () => {
    const path = await bothKinds()
    const { browser } = await signedIn()
    await withSettings({ remoteTagAccess: 'authenticated' }, async () => {
      expect(saidIn(await open(path))).toEqual(['said-here'])
      expect(saidIn(await browser.get(path))).toEqual(['said-there', 'said-here'])
    })
    await withSettings({ localTagAccess: 'authenticated' }, async () => {
      expect(saidIn(await open(path))).toEqual(['said-there'])
    })
  })

  it('anonymous visitors are asked to sign in where both are for members, and so are unapproved users', async () => {
    const path = await bothKinds()
    const { browser } = await signedIn()
    const waiting = await signedIn({ user: { approved: false } })
    await withSettings({ localTagAccess: 'authenticated', remoteTagAccess: 'authenticated' }, async () => {
      const signIn = `/auth/sign_in?return_to=${encodeURIComponent(path)}`
      expect((await open(path)).location).toBe(signIn)
      expect((await waiting.browser.get(path)).location).toBe(signIn)
      expect(saidIn(await browser.get(path))).toEqual(['said-there', 'said-here'])
    })
  })

  it('disabled ones are visible to staff only', async () => {
    const path = await bothKinds()
    const [anybody, staff] = [await signedIn(), await signedIn({ user: { roleId: 3 } })]
    await withSettings({ remoteTagAccess: 'disabled' }, async () => {
      for (const page of [await open(path), await anybody.browser.get(path)])
        expect(saidIn(page)).toEqual(['said-here'])
      expect(saidIn(await staff.browser.get(path))).toEqual(['said-there', 'said-here'])
    })
  })

  it.each(closings)('a server that %s shows anonymous visitors none', async (_, own) => {
    const path = await bothKinds()
    const page = await new Browser({ config: own }).get(path)
    expect([page.location, page.html]).toEqual([expect.stringContaining('/auth/sign_in?'), ''])
    const { browser } = await signedIn()
    const shown = await browser.get(path, { overrides: { config: own } })
    expect(saidIn(shown)).toEqual(['said-there', 'said-here'])
    expect(shown.html).not.toContain('application/rss+xml')
  })
})
