import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWindows, useBrowser, withChromium } from '../support/browser'
import { mastoOf } from '../support/masto'
import { signInOn } from '../support/member-page'
import { newPerson, origin, type Person } from '../support/people'
import { mediaFile } from '../support/pictures'
import { eventually } from '../support/receiver'
import { type Member, signUp } from '../support/sign-in'
import { Visitor } from '../support/visitor'

const phone = { width: 390, height: 844 } as const
const desktop = { width: 1280, height: 800 } as const
const sizes = { 'a phone': phone, 'a desktop': desktop }

/** Notes, from before the first byte is read, what moves by itself, what the policy of the page refuses, and that its socket opens. */
const watch = `
  window.shifts = []
  window.refusals = []
  window.isLive = false
  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words)
      this.addEventListener('open', () => { window.isLive = true })
    }
  }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push(value + ' ' + sources.map(({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + JSON.stringify([previousRect, currentRect])).join(', '))
  }).observe({ type: 'layout-shift', buffered: true })
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    window.refusals.push(violatedDirective + ' ' + blockedURI)
  })`

/** Resolves once all pictures have come and two frames were drawn after that. */
const settled = `Promise.all([...document.images].map((one) => {
  one.loading = 'eager'
  return one.decode().catch(() => undefined)
})).then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))`

withChromium('pages of the web client with scripts', () => {
  const place = useBrowser()
  let author: Person
  let member: Member
  let context: BrowserContext
  let complaints: readonly string[]
  let thread: string

  beforeAll(async () => {
    author = await newPerson('wren')
    member = await signUp(new Visitor())
    ;({ context, complaints } = await newWindows(place.browser, { viewport: desktop }))
    await context.addInitScript(watch)
    const page = await context.newPage()
    await signInOn(page, member, '/home')
    await call(page, `/api/v1/accounts/${author.id}/follow`)
    thread = await fill(author, member)
    await eventually(async () => {
      await page.goto(`${origin}/home`)
      expect(await page.locator('article').count()).toBeGreaterThan(8)
    })
    await page.close()
  })

  afterAll(() => context.close())

  /** Posts to the API with the session of a page. */
  function call(page: Page, path: string): Promise<unknown> {
    return page.evaluate(`fetch(${JSON.stringify(path)}, {
      method: 'POST',
      headers: { 'X-CSRF-Token': document.querySelector('[data-client]').dataset.client },
    }).then((answer) => answer.json())`)
  }

  async function open(path: string, size: typeof phone | typeof desktop): Promise<Page> {
    const page = await context.newPage()
    await page.setViewportSize(size)
    await page.goto(origin + path)
    await page.evaluate(settled)
    return page
  }

  /** The first post that is in view as a whole, and where. */
  function firstInView(page: Page): Promise<unknown> {
    return page.evaluate(`(() => {
      const one = [...document.querySelectorAll('article')].find((post) => post.getBoundingClientRect().top >= 0)
      return [one.id, Math.round(one.getBoundingClientRect().top)]
    })()`)
  }

  const views: Readonly<Record<string, () => string>> = {
    home: () => '/home',
    'the local timeline': () => '/public/local',
    'the federated timeline': () => '/public',
    'a thread': () => `/@${author.username}/${thread}`,
    notifications: () => '/notifications',
    'a profile': () => `/@${author.username}`,
    'media of a profile': () => `/@${author.username}/media`,
    followers: () => `/@${author.username}/followers`,
    bookmarks: () => '/bookmarks',
    favourites: () => '/favourites',
    lists: () => '/lists',
    'results of a search': () => `/search?q=${author.username}`,
    explore: () => '/explore',
    'the composer': () => `/publish?reply_to=${thread}`,
    drafts: () => '/drafts',
    menu: () => '/menu',
    'keyboard shortcuts': () => '/keyboard',
  }

  describe.each(Object.entries(sizes))('on %s', (_, size) => {
    it.each(Object.entries(views))('%s does not move, and breaks no policy', async (_name, pathOf) => {
      const page = await open(pathOf(), size)
      expect(new URL(page.url()).pathname).toBe(pathOf().split('?')[0])
      expect(await page.evaluate('window.shifts')).toEqual([])
      expect(await page.evaluate('window.refusals')).toEqual([])
      await page.close()
    })

    it('the first visible post keeps its place while twelve posts arrive, and when they are shown', async () => {
      const page = await open('/home', size)
      await page.waitForFunction('window.isLive')
      await page.evaluate('window.scrollTo(0, 500)')
      const before = await firstInView(page)
      const client = mastoOf(author)
      for (let number = 1; number <= 12; number += 1)
        await client.v1.statuses.create({ status: `Arrived ${number}` })
      const pill = page.locator('.head .newer')
      await pill.filter({ hasText: '12' }).waitFor()
      expect(await firstInView(page)).toEqual(before)
      expect(await page.evaluate('window.shifts')).toEqual([])
      expect(await page.evaluate('window.refusals')).toEqual([])
      await page.close()
    })
  })

  it('no page complained to the browser', () => {
    expect(complaints).toEqual([])
  })
})

/** Posts of every kind, and what notifies the member. Answers the first post of a thread. */
async function fill(author: Person, member: Member): Promise<string> {
  const client = mastoOf(author)
  const picture = async (name: string) => {
    const file = await mediaFile(name, 'image/png')
    const made = await client.v2.media.create({ file, description: 'A wren', skipPolling: true })
    return made.id
  }
  const post = async (status: string, more: object = {}) =>
    (await client.v1.statuses.create({ status, ...more })).id
  const thread = await post('Where do the wrens go in winter? '.repeat(8))
  for (let number = 1; number <= 3; number += 1)
    await post(`Into the reeds, ${number}. `.repeat(12), { inReplyToId: thread })
  await post('One picture', { mediaIds: [await picture('rgb.png')] })
  await post('Three pictures', {
    mediaIds: [await picture('gray.png'), await picture('rgb.png'), await picture('gray.png')],
  })
  await post('Which bird?', { poll: { options: ['a wren', 'an owl'], expiresIn: 3_600 } })
  await post('Behind a warning', { spoilerText: 'Owls at dinner' })
  for (let number = 1; number <= 4; number += 1)
    await post(`@${member.username} did you hear it, ${number}?`, { mediaIds: [await picture('gray.png')] })
  return thread
}
