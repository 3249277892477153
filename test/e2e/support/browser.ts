import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { hangLimit } from '../../support/hang-limit'
import { newAddress } from './address'
import type { ClientSite } from './client-site'

/** The first is Chromium without windows: it takes a sixth to a third less CPU time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const executablePath = places.find((place) => existsSync(place))

/** `describe` where Chromium is installed; elsewhere the tests are left out, and it is said out loud. */
export const withChromium = executablePath === undefined ? describe.skip : describe

if (executablePath === undefined)
  console.warn(
    `\n  SKIPPED: no browser at ${places.join(' or ')}; on Debian: apt-get install chromium-headless-shell\n`,
  )

export function launch(...more: readonly string[]): Promise<Browser> {
  if (executablePath === undefined) throw new Error('There is no browser on this machine')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  })
}

let shared: Promise<Browser> | undefined

/** The browser that all files of a process share. Playwright ends it with the process. */
export function openBrowser(): Promise<Browser> {
  shared ??= launch()
  return shared
}

/** Closes all windows of the browser that files share. */
export async function closeWindows(): Promise<void> {
  const browser = await shared
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}

interface Place {
  readonly browser: Browser
  readonly site: ClientSite
}

/** A browser and the site of a web client, open while the tests of a `describe` run. */
export function useBrowser(): Place {
  let opened: Place | undefined
  const place = (): Place => {
    if (opened === undefined) throw new Error('The browser is open within tests only')
    return opened
  }
  beforeAll(async () => {
    // Loaded here, because it needs the shared server, which runs with servers of their own do not have.
    const { openClientSite } = await import('./client-site')
    opened = { browser: await openBrowser(), site: await openClientSite() }
  })
  afterAll(async () => {
    opened?.site.close()
    await closeWindows()
  })
  return {
    get browser() {
      return place().browser
    },
    get site() {
      return place().site
    },
  }
}

type ContextOptions = Parameters<Browser['newContext']>[0]

/** Browser windows of one person, and everything the browser complained about in them. */
export interface Windows {
  readonly context: BrowserContext
  readonly complaints: readonly string[]
}

/** Opens the windows of somebody new: no cookies, an address of their own. */
export function newWindows(browser: Browser, options: ContextOptions = {}): Promise<Windows> {
  return openWindows(browser, { ...options, extraHTTPHeaders: { 'CF-Connecting-IP': newAddress() } })
}

/** Windows that add no header of ours: on another site such a header would make the browser ask first. */
export function newPlainWindows(browser: Browser): Promise<Windows> {
  return openWindows(browser, {})
}

async function openWindows(browser: Browser, options: ContextOptions): Promise<Windows> {
  // A worker between page and server would take the requests that tests answer themselves: those about it let it in.
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(hangLimit.timeout)
  const complaints: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    // Chromium also logs answers that a form is refused with; tests look at what the page says instead.
    if (message.type() === 'error' && !/status of 4\d\d/.test(text)) complaints.push(text)
  })
  context.on('weberror', (failure) => complaints.push(failure.error().message))
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'failed'
    // Requests that a navigation aborts are no failure.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${reason}`)
  })
  return { context, complaints }
}

/** Presses a button of a form and waits for the page it leads to. */
export async function press(page: Page, name: string): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name, exact: true }).click()
  await loaded
}

/** Sends the form of a field with the keyboard, in any language, and waits for the page it leads to. */
export async function sendForm(page: Page, field: string): Promise<void> {
  const loaded = page.waitForEvent('load')
  await page.locator(`main [name=${field}]`).press('Enter')
  await loaded
}

/** Width of a page beyond the right edge of its window, in CSS pixels; 0 is right. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  )
}
