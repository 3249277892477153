import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageRoutes } from '../../../src/web/routes'
import { saveSettings } from '../support/administer'
import { closeWindows, openBrowser, sendForm, withChromium } from '../support/browser'
import { type Community, openCommunity } from '../support/community'
import { ContactSheet } from '../support/contact-sheet'
import { richestOfLayouts } from '../support/page-layouts'
import { arabic, german, problemsOf, type View, viewsBeside, viewsOr } from '../support/page-problems'
import { newName } from '../support/people'
import { type Reader, Tabs } from '../support/tabs'
import { translated } from '../support/translated'

/**
 * Every page that the routes declare, once in the view that is hardest for it. A page of each layout is opened in every
 * language, width and colour scheme, and all pages are by `npm run test:pages -- --all`.
 */

/** Paths whose parameter only a mail, a stored file or another server has. */
const unreachable = new Set([
  // The demonstration has no account of another server.
  '/accounts/:id{[0-9]{1,16}}/block_server',
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
const asMember = [
  '/explore',
  '/directory',
  '/public',
  '/public/local',
  '/tags/:name',
  '/:handle{@[^/]+}',
  '/:handle{@[^/]+}/followers',
  '/:handle{@[^/]+}/featured',
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}',
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}/favourites',
  '/auth/sign_out',
]
const signedIn =
  /^\/(admin|settings|auth\/edit|start|invites|statuses_cleanup|oauth\/authorized|disputes|authorize_interaction|share|publish|home|announcements|drafts|keyboard|follow_requests|menu|search|explore\/|notifications|conversations|bookmarks|favourites|lists|posts|accounts|columns)/

type Who = 'owner' | 'visitor'

interface Opened {
  readonly name: string
  readonly path: string
  readonly who: Who
  /** View that is hardest for it. */
  readonly view: View
  /** The document in English. */
  readonly html: string
}

withChromium('every page', () => {
  let community: Community
  let tabs: Tabs
  const sheet = ContactSheet.ifWanted()
  const readers = new Map<string, Reader>()
  const seen: Opened[] = []
  const sizes: string[] = []
  const noteSize = (size: string) => sizes.push(size)

  beforeAll(async () => {
    const opening = openCommunity({ hasPictures: sheet !== null })
    const browser = await openBrowser()
    community = await opening
    tabs = new Tabs(browser, community.origin)
  })

  afterAll(async () => {
    console.log(`HTML, gzip: ${sizes.toSorted().join(', ')}`)
    if (sheet !== null) console.log(`Contact sheet: ${sheet.save()}`)
    await closeWindows()
    await community?.close()
  })

  function readerOf(language: string, who: Who): Reader {
    const key = `${language} ${who}`
    const cookies = who === 'owner' ? community.owners[language]?.cookies : undefined
    const reader = readers.get(key) ?? { language, cookies: cookies ?? new Map() }
    readers.set(key, reader)
    return reader
  }

  /** Opens a route without a browser. Null where it answers with a redirect or with a document that is no page. */
  async function open(route: string, who: Who): Promise<Opened | null> {
    const ofPerson = route.replace(/:handle\{[^}]*\}/, '@merle')
    const path = community.addresses[route] ?? (ofPerson.includes(':') ? await firstEntry(route) : ofPerson)
    const cookie = [...community.asOwner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Accept: 'text/html', ...(who === 'owner' ? { Cookie: cookie } : {}) }
    const response = await fetch(community.origin + path, { redirect: 'manual', headers })
    const html = await response.text()
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
    const opened = { name: route, path, who, html, view: signedIn.test(route) ? german : arabic }
    if (response.status < 400) return isPage && response.status === 200 ? opened : null
    expect([route, community.addresses[route]]).toEqual([route, undefined])
    // A page that needs something in its address says so, in the frame of the site.
    expect([route, response.status, isPage]).toEqual([route, expect.any(Number), true])
    return opened
  }

  /** Address of the first entry of the list that `route` shows one of. */
  async function firstEntry(route: string): Promise<string> {
    const list = route.slice(0, route.indexOf('/:'))
    const { html } = await community.asOwner.open(list)
    const link = new RegExp(`href="(${list}/-?\\d+)"`).exec(html)?.[1]
    if (link === undefined) throw new Error(`${list} leads to no entry: add one to openCommunity`)
    return link
  }

  async function inspect(
    { name, path, who }: Opened,
    views: readonly View[],
    isKnown = false,
  ): Promise<void> {
    const problems: string[] = []
    for (const view of views) {
      const found = await tabs.use(readerOf(view.language, who), (page) =>
        problemsOf(page, {
          name,
          view,
          sheet,
          noteSize,
          isKnown,
          open: (tab) => tab.goto(community.origin + path),
        }),
      )
      problems.push(...found)
    }
    expect(problems).toEqual([])
  }

  it.each(routes)('%s', async (route) => {
    const opened = await open(route, signedIn.test(route) ? 'owner' : 'visitor')
    if (opened === null) return
    seen.push(opened)
    await inspect(opened, viewsOr(opened.view))
  })

  it.each(asMember)('%s, signed in', async (route) => {
    const opened = await open(route, 'owner')
    if (opened === null) throw new Error(`${route} is no page`)
    const named = { ...opened, name: `${route} (signed in)` }
    seen.push(named)
    await inspect(named, viewsOr(named.view))
  })

  it('shows a page of each layout, in every language, width and colour scheme', async () => {
    if (seen.length === 0) throw new Error('Layouts are known once the other tests of this file have run')
    const richest = richestOfLayouts(seen)
    console.log([...richest].map(([layout, { name }]) => `Layout ${layout}: ${name}`).join('\n'))
    for (const opened of richest.values()) await inspect(opened, viewsBeside(opened.view), true)
  }, 240_000)

  it('shows a pending sign-up, and closed registrations', async () => {
    const problems: string[] = []
    const look = async (name: string, open: (page: Page, language: string) => Promise<unknown>) => {
      for (const view of viewsOr(german)) {
        const visitor = readerOf(view.language, 'visitor')
        const visit = { name, view, sheet, open: (page: Page) => open(page, view.language) }
        problems.push(...(await tabs.use(visitor, (page) => problemsOf(page, visit))))
      }
    }
    await look('sign-up that waits', async (page, language) => {
      const username = newName('siskin')
      await page.goto(`${community.origin}/auth/sign_up`)
      for (const [field, value] of Object.entries({
        username,
        email: `${username}@birds.example`,
        password: 'alder-and-birch',
        password_confirmation: 'alder-and-birch',
        date_of_birth: '1990-05-01',
        reason: 'I like it here',
      }))
        await page.locator(`main [name=${field}]`).fill(value)
      await page.getByRole('checkbox').check()
      await sendForm(page, 'password_confirmation')
      const heading = await page.getByRole('heading', { level: 1 }).innerText()
      expect(heading).toBe(translated(language, 'signUp.done.waitingForApproval'))
    })
    const server = { origin: community.origin, secrets: { SETUP_TOKEN: community.setupToken } }
    await saveSettings(server, { registrations: 'closed' })
    await look('sign-up that is closed', (page) => page.goto(`${community.origin}/auth/sign_up`))
    // Under an address that no cache holds.
    await look('front page without sign-up', (page) => page.goto(`${community.origin}/?closed`))
    expect(problems).toEqual([])
  })
})
