import { createServer } from 'node:http'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageRoutes } from '../../../src/web/routes'
import { newAddress } from '../support/address'
import { launch, withChromium } from '../support/browser'
import { type Community, openCommunity } from '../support/community'
import { ContactSheet } from '../support/contact-sheet'
import { firstPaint } from '../support/page-checks'
import { problemsOf, views } from '../support/page-problems'

/**
 * Every page that the routes declare, in three languages, sizes and both colour schemes. Each language opens a page once,
 * in a window of another size, and the window changes from there; the looks pair each size with each scheme.
 */

/** Paths whose parameter only a mail or a stored file has. */
const unreachable = new Set([
  '/admin/evidence/:id/media/:media_id',
  '/settings/archive/:id/archive.tar.gz',
  '/settings/imports/:id/failures.csv',
  '/terms-of-service/:day',
  '/users/:username',
  '/users/:username/collections/:id{[0-9]{1,16}}',
  '/users/:username/statuses/:id{[0-9]{1,16}}',
])

const routes = [
  ...new Set(
    pageRoutes()
      .routes.filter(({ method, path }) => method === 'GET' && !unreachable.has(path))
      .map(({ path }) => path),
  ),
]

/** Pages that visitors see differently from members, under another name. */
const asMember = ['/', '/:handle{@[^/]+}', '/:handle{@[^/]+}/:id{[0-9]{1,16}}', '/auth/sign_out']
const signedIn =
  /^\/(admin|settings|auth\/edit|start|invites|statuses_cleanup|oauth\/authorized|disputes|authorize_interaction)/

withChromium('every page', () => {
  let browser: Browser
  let community: Community
  const sheet = new ContactSheet()
  const contexts = new Map<string, Promise<BrowserContext>>()
  const sizes: string[] = []
  const noteSize = (size: string) => sizes.push(size)

  beforeAll(async () => {
    ;[browser, community] = await Promise.all([launch(), openCommunity()])
  })

  afterAll(async () => {
    console.log(`HTML, gzip: ${sizes.toSorted().join(', ')}\nContact sheet: ${sheet.save()}`)
    await browser.close()
    await community.close()
  })

  /** The windows of the owner or of a visitor in one language. */
  function windows(language: string, who: 'owner' | 'visitor'): Promise<BrowserContext> {
    const key = `${language} ${who}`
    const known = contexts.get(key) ?? openWindows(language, who)
    contexts.set(key, known)
    return known
  }

  async function openWindows(language: string, who: 'owner' | 'visitor') {
    const context = await browser.newContext({ locale: language, reducedMotion: 'reduce' })
    const cookies = who === 'owner' ? [...(community.owners[language]?.cookies ?? [])] : []
    await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: community.origin })))
    return context
  }

  /** Address of a page, or null for a path that answers with a redirect or a document that is none. */
  async function addressOf(route: string): Promise<string | null> {
    const ofPerson = route.replace(/:handle\{[^}]*\}/, '@merle')
    const path = community.addresses[route] ?? (ofPerson.includes(':') ? await firstEntry(route) : ofPerson)
    const cookie = [...community.asOwner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Accept: 'text/html', ...(signedIn.test(route) ? { Cookie: cookie } : {}) }
    const response = await fetch(community.origin + path, { redirect: 'manual', headers })
    await response.arrayBuffer()
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
    if (response.status < 400) return isPage && response.status === 200 ? path : null
    expect([route, community.addresses[route]]).toEqual([route, undefined])
    // A page that needs something in its address says so, in the frame of the site.
    expect([route, response.status, isPage]).toEqual([route, expect.any(Number), true])
    return path
  }

  /** Address of the first entry of the list that `route` shows one of. */
  async function firstEntry(route: string): Promise<string> {
    const list = route.slice(0, route.indexOf('/:'))
    const { html } = await community.asOwner.open(list)
    const link = new RegExp(`href="(${list}/-?\\d+)"`).exec(html)?.[1]
    if (link === undefined) throw new Error(`${list} leads to no entry: add one to openCommunity`)
    return link
  }

  async function inspect(name: string, path: string, who: 'owner' | 'visitor') {
    const problems: string[] = []
    for (const view of views) {
      const page = await (await windows(view.language, who)).newPage()
      const url = community.origin + path
      problems.push(...(await problemsOf(page, { ...view, name, url, sheet, noteSize })))
      await page.close()
    }
    expect(problems).toEqual([])
  }

  it.concurrent.each(routes)('%s', async (route) => {
    const path = await addressOf(route)
    if (path === null) return
    await inspect(route, path, signedIn.test(route) ? 'owner' : 'visitor')
  })

  it.concurrent.each(asMember)('%s, signed in', async (route) => {
    await inspect(`${route} (signed in)`, (await addressOf(route)) ?? route, 'owner')
  })

  // Alone, as a page that shares the machine paints later. A bare page says how quick the machine is: 60 ms make 300 of five.
  it('shows the first of its content within 300 ms, or the time of five bare pages on a slower machine', async () => {
    const bare = await openBarePage()
    const paths = ['/', '/public/local', '/@merle', ...Object.values(community.addresses)]
    try {
      const most = Math.max(300, 5 * (await leastPaint(bare.url, 0)))
      const paints: Record<string, number> = {}
      for (const path of paths) paints[path] = await leastPaint(community.origin + path, most)
      console.log(`First paint in ms, at most ${most}: ${JSON.stringify(paints)}`)
      expect(Object.entries(paints).filter(([, milliseconds]) => milliseconds >= most)).toEqual([])
    } finally {
      bare.close()
    }
  }, 240_000)

  /** Milliseconds to the first paint, of up to six tries until one is below `enough`: whatever else runs only adds to them. */
  async function leastPaint(url: string, enough: number): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 6 && least >= enough; turn += 1) least = Math.min(least, await paint(url))
    return least
  }

  /** Opens a page in a browser that has kept nothing. Returns when it was painted, in milliseconds. */
  async function paint(url: string): Promise<number> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.setExtraHTTPHeaders({ 'CF-Connecting-IP': newAddress() })
    await page.goto(url)
    const milliseconds = Math.round(await firstPaint(page))
    await context.close()
    return milliseconds
  }
})

/** A page of twenty lines without stylesheet, script or picture, served by this process. */
async function openBarePage() {
  const html = `<!doctype html><html lang="en"><title>Bare</title>${'<p>A line that somebody reads.</p>'.repeat(20)}`
  const server = createServer((_request, response) =>
    response.setHeader('Content-Type', 'text/html').end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The bare page has no port')
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() }
}
