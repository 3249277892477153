import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as, posted } from '../../support/as'
import { type Browser, textOf } from '../../support/browser'
import { given, type TestAccount } from '../../support/given'
import { signedIn } from '../../support/members'

const path = '/columns'

/** Paths and names of the frames of the page of columns, in order. */
async function framesOf(browser: Browser) {
  const { html } = await browser.get(path)
  return [...html.matchAll(/<iframe src="([^"]*)" title="([^"]*)"/g)].map(([, at, name]) => [at, name])
}

const choose = (browser: Browser, ...keys: readonly string[]) =>
  browser.fill(path, Object.fromEntries(keys.map((key, index) => [`column_${index + 1}`, key])))

/** Makes a list; resolves to the name that it has as a column. */
async function listKey(member: TestAccount, title: string): Promise<string> {
  const { body } = await as(member).post('/api/v1/lists', { title })
  return `list:${z.object({ id: z.string() }).parse(body).id}`
}

/** Headers of a browser that asks for a page to show it in a frame. */
const inFrame = (site: string) => ({ headers: { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': site } })

describe('columns', () => {
  it('columns show home, notifications and the local timeline until the member chooses', async () => {
    const { browser } = await signedIn()
    expect(await framesOf(browser)).toEqual([
      ['/home', 'Home'],
      ['/notifications', 'Notifications'],
      ['/public/local', 'Local'],
    ])
  })

  it('columns show the views that the member chose, in their order and each once, lists and hashtags too', async () => {
    const { member, browser } = await signedIn()
    const key = await listKey(member, 'Birders & friends')
    await as(member).post('/api/v1/tags/waxwings/follow')
    const { status, location } = await choose(browser, 'tag:waxwings', key, 'home-and-local', key)
    expect([status, location]).toEqual([303, path])
    expect(await framesOf(browser)).toEqual([
      ['/tags/waxwings', '#waxwings'],
      [`/lists/${key.slice(5)}`, 'Birders &amp; friends'],
      ['/home/local', 'Home and local'],
    ])
    await choose(browser, '', '', '', '')
    expect(await framesOf(browser)).toEqual([])
  })

  it('columns frame nothing that the member was not offered, as addresses and lists of others', async () => {
    const [{ browser }, { member: other }] = [await signedIn(), await signedIn()]
    const foreign = await listKey(other, 'Secret')
    await choose(browser, 'https://evil.example/', foreign, 'x'.repeat(5_000), 'bookmarks')
    expect(await framesOf(browser)).toEqual([['/bookmarks', 'Bookmarks']])
    expect((await browser.get(path)).html).not.toContain('Secret')
  })

  it('the page of columns frames pages of this server alone, and nothing frames it', async () => {
    const { browser } = await signedIn()
    const policy = (await browser.get(path)).headers.get('content-security-policy')
    expect(policy).toContain("frame-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect((await browser.get('/home')).headers.get('content-security-policy')).not.toContain('frame-src')
  })
})

describe('a page in a column', () => {
  it.each(['/home', '/notifications', '/bookmarks', '/search'])(
    '%s in a column has neither navigation nor bar',
    async (at) => {
      const { browser } = await signedIn()
      const [alone, framed] = [await browser.get(at), await browser.get(at, inFrame('same-origin'))]
      for (const part of ['<header class="nav"', '<nav class="bar"']) {
        expect(alone.html).toContain(part)
        expect(framed.html).not.toContain(part)
      }
      expect(framed.html).toContain('<main')
    },
  )

  it('a page in a column is framed by this server alone', async () => {
    const { browser } = await signedIn()
    const ancestorsFor = async (site: string) =>
      /frame-ancestors [^;]+/.exec(
        (await browser.get('/home', inFrame(site))).headers.get('content-security-policy') ?? '',
      )?.[0]
    expect(await ancestorsFor('same-origin')).toBe("frame-ancestors 'self'")
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await ancestorsFor(site)).toBe("frame-ancestors 'none'")
  })
})

describe('home and local', () => {
  it('home and local shows posts of followed people and public ones of this server, newest first and each once', async () => {
    const { member, browser } = await signedIn()
    const [followed, stranger] = [await given.account(), await given.account()]
    await as(member).post(`/api/v1/accounts/${followed.id}/follow`)
    await posted(stranger, { status: 'first, by a stranger' })
    await posted(followed, { status: 'second, for followers', visibility: 'private' })
    await posted(followed, { status: 'third, public' })
    await posted(stranger, { status: 'not for you', visibility: 'private' })
    const text = textOf((await browser.get('/home/local')).html)
    const order = ['third, public', 'second, for followers', 'first, by a stranger'].map((one) =>
      text.indexOf(one),
    )
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(order).not.toContain(-1)
    expect(text.split('third, public')).toHaveLength(2)
    expect(text).not.toContain('not for you')
  })

  it('home and local continues on the next page where the one before ended', async () => {
    const { member, browser } = await signedIn()
    const [followed, stranger] = [await given.account(), await given.account()]
    await as(member).post(`/api/v1/accounts/${followed.id}/follow`)
    const written: string[] = []
    for (let index = 0; index < 30; index += 1) {
      const text = `entry ${index} of thirty`
      await posted(index % 3 === 0 ? stranger : followed, { status: text })
      written.unshift(text)
    }
    const shown: string[] = []
    let url: string | undefined = '/home/local'
    while (url !== undefined && shown.length < 30) {
      const { html } = await browser.get(url)
      shown.push(
        ...textOf(html)
          .matchAll(/entry \d+ of thirty/g)
          .map(([text]) => text),
      )
      url = /href="(\/home\/local\?max_id=\d+)"/.exec(html)?.[1]
    }
    expect(shown.slice(0, 30)).toEqual(written)
  })

  it('home and local names both streams, and shows the posts next above one that a script asks for', async () => {
    const { member, browser } = await signedIn()
    const [followed, stranger] = [await given.account(), await given.account()]
    await as(member).post(`/api/v1/accounts/${followed.id}/follow`)
    const ids: string[] = []
    for (let index = 0; index < 24; index += 1)
      ids.push((await posted(index % 2 === 0 ? stranger : followed, { status: `note ${index} above` })).id)
    const notes = async (url: string) => textOf((await browser.get(url)).html).match(/note \d+ above/g) ?? []
    const above = await notes(`/home/local?min_id=${ids[1]}`)
    expect(above).toEqual(Array.from({ length: 20 }, (_, index) => `note ${21 - index} above`))
    expect(await notes(`/home/local?min_id=${ids[21]}`)).toEqual(['note 23 above', 'note 22 above'])
    const { html } = await browser.get('/home/local')
    expect(html).toContain(
      '[{&quot;stream&quot;:&quot;user&quot;},{&quot;stream&quot;:&quot;public:local&quot;}]',
    )
    expect((await browser.get(`/home/local?min_id=${ids[21]}`)).html).not.toContain('data-stream')
  })
})
