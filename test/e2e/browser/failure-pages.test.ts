import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAddress } from '../support/address'
import { administer, moderate } from '../support/administer'
import { closeWindows, openBrowser, withChromium } from '../support/browser'
import { ContactSheet } from '../support/contact-sheet'
import { writeDatabase } from '../support/database'
import { type Instance, startInstance } from '../support/instance'
import { german, problemsOf, viewsOr } from '../support/page-problems'
import { type Reader, Tabs } from '../support/tabs'
import { Visitor } from '../support/visitor'

/**
 * Pages of failures, each by its real cause, with the checks of every other page. The server is one that may be spoilt:
 * its database loses a table, and the quota of its day ends.
 */

const dailyRequests = 500
const gone = 'bargains'
const views = viewsOr(german)

withChromium('the page of a failure', () => {
  let instance: Instance
  let tabs: Tabs
  const sheet = ContactSheet.ifWanted()
  const readers = new Map<string, Reader>()

  beforeAll(async () => {
    const [browser, started] = await Promise.all([
      openBrowser(),
      startInstance({ title: 'The Hedge' }, { DAILY_REQUESTS: String(dailyRequests) }),
    ])
    instance = started
    tabs = new Tabs(browser, instance.origin)
    for (const { language } of views) {
      readers.set(`${language} visitor`, { language, cookies: new Map() })
      readers.set(`${language} member`, { language, cookies: await signUp(language) })
    }
    const server = { origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } }
    await administer(server, 'POST', 'account', { username: gone })
    await moderate(server, gone, ['action', { type: 'suspend', send_email_notification: false }])
  })

  afterAll(async () => {
    if (sheet !== null) console.log(`Contact sheet: ${sheet.save()}`)
    await closeWindows()
    await instance?.close()
  })

  /** Signs a member without any permission up, in a language. Returns the cookies of the session. */
  async function signUp(locale: string): Promise<ReadonlyMap<string, string>> {
    const visitor = new Visitor(instance.origin)
    const password = `seed-and-worm-${locale}`
    const after = await visitor.submit(await visitor.open('/auth/sign_up'), '/auth/sign_up', {
      username: `reader_${locale}`,
      email: `reader_${locale}@birds.example`,
      password,
      password_confirmation: password,
      agreement: 'true',
      locale,
    })
    expect([after.status, after.text.includes(`@reader_${locale}`)]).toEqual([200, true])
    return visitor.cookies
  }

  async function request(path: string, address = newAddress()): Promise<number> {
    const headers = { Accept: 'text/html', 'CF-Connecting-IP': address }
    const response = await fetch(instance.origin + path, { redirect: 'manual', headers })
    await response.arrayBuffer()
    return response.status
  }

  interface Failure {
    readonly status: number
    readonly path: string
    readonly who: 'member' | 'visitor'
    readonly address?: string
    /** Opens the page where its address alone does not bring the failure about. */
    readonly open?: (page: Page) => Promise<void>
  }

  async function inspect({ status, path, who, address = newAddress(), ...failure }: Failure): Promise<void> {
    const problems: string[] = []
    const { open = (page: Page) => page.goto(instance.origin + path) } = failure
    for (const view of views) {
      const { language } = view
      const reader = readers.get(`${language} ${who}`)
      if (reader === undefined) throw new Error(`No ${who} reads ${language}`)
      await tabs.use(reader, async (page) => {
        const name = `failure ${status}`
        problems.push(...(await problemsOf(page, { name, view, sheet, status, address, open })))
        // The frame is that of other pages: the way home, and the page of the account that is signed in.
        const count = (link: string) => page.locator(`header a[href="${link}"]`).count()
        expect(await count(who === 'member' ? '/home' : '/')).toBeGreaterThan(0)
        const isNamed = (await count(`/@reader_${language}`)) > 0
        expect([language, isNamed]).toEqual([language, who === 'member'])
      })
    }
    expect(problems).toEqual([])
  }

  it('403: a member opens a page of moderators', () =>
    inspect({ status: 403, path: '/admin/reports', who: 'member' }))

  it('404: nothing is there', () => inspect({ status: 404, path: '/nobody/has/this', who: 'visitor' }))

  it('410: an account is suspended', () => inspect({ status: 410, path: `/@${gone}`, who: 'visitor' }))

  it('429: one address opens too many pages in a minute', async () => {
    const address = newAddress()
    const flood = async () => {
      for (let left = 3_000; (await request('/about', address)) !== 429; left -= 1)
        if (left === 0) throw new Error('The flood gate admits every request')
    }
    const open = async (page: Page) => {
      await flood()
      const response = await page.goto(`${instance.origin}/about`)
      // The minute is over, and the next one admits the page.
      if (response?.status() === 200) await open(page)
    }
    await inspect({ status: 429, path: '/about', who: 'visitor', address, open })
  })

  it('503: visitors page through public posts near the end of the quota of a day', async () => {
    // Each page is another one: those that were opened before come from the cache.
    for (let left = dailyRequests; (await request(`/public?max_id=${left}`)) !== 503; left -= 1)
      if (left === 0) throw new Error('The quota of the day never ends')
    await inspect({ status: 503, path: '/public', who: 'visitor' })
  })

  it('500: the database has lost a table', async () => {
    writeDatabase(instance, (database) => database.exec('alter table featured_tags rename to lost_tags'))
    await inspect({ status: 500, path: '/settings/featured_tags', who: 'member' })
  })
})
