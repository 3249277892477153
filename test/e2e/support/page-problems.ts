import type { ConsoleMessage, Page, Request, Response } from 'playwright-core'
import { newAddress } from './address'
import type { ContactSheet } from './contact-sheet'
import {
  addAxe,
  flaws,
  gzipBytes,
  type Look,
  layoutShift,
  mistakes,
  setLook,
  squeezed,
  tooWide,
  violations,
  widths,
} from './page-checks'

/** Language that a page is opened in, and the looks that its window gets one after the other. */
export interface View {
  readonly language: string
  readonly looks: readonly [Look, ...Look[]]
}

/** Look in which most mistakes show: all columns below each other. */
const hardest: View['looks'] = [{ width: 360, scheme: 'dark' }]

/** The hardest view for texts and their size: from right to left, in letters of two bytes. */
export const arabic: View = { language: 'ar', looks: hardest }

/** The hardest view for menus, tables and forms: of long words. */
export const german: View = { language: 'de', looks: hardest }

/** Views of each language; together, their looks pair each width with each colour scheme. */
export const allViews: readonly View[] = [
  {
    language: 'en',
    looks: [
      { width: 360, scheme: 'light' },
      { width: 1280, scheme: 'dark' },
    ],
  },
  {
    language: 'de',
    looks: [
      { width: 768, scheme: 'light' },
      { width: 360, scheme: 'dark' },
    ],
  },
  {
    language: 'ar',
    looks: [
      { width: 1280, scheme: 'light' },
      { width: 768, scheme: 'dark' },
    ],
  },
]

/** Views and looks that `seen` is not one of. */
export function viewsBeside(seen: View): readonly View[] {
  const isNew = (look: Look) =>
    !seen.looks.some(({ width, scheme }) => width === look.width && scheme === look.scheme)
  return allViews.flatMap(({ language, looks }) => {
    const [first, ...others] = language === seen.language ? looks.filter(isNew) : looks
    return first === undefined ? [] : [{ language, looks: [first, ...others] }]
  })
}

/** Views of a page: the one given, or all where `npm run test:pages -- --all` asks for them. */
export function viewsOr(view: View): readonly View[] {
  return process.env['PAGES_IN_ALL_VIEWS'] === '1' ? allViews : [view]
}

/** Pages for everybody that hold no form: they have to stay small. */
const maxPublicBytes = 30 * 1024
const isPublic = (path: string) =>
  !/^\/(admin|settings|auth|authorize_interaction|oauth|start|invites|statuses_cleanup)/.test(path)

interface Visit {
  /** Name of the page in the contact sheet. */
  readonly name: string
  readonly view: View
  readonly sheet: ContactSheet | null
  /** Opens the page, by its address or by the form that leads to it. */
  readonly open: (page: Page) => Promise<unknown>
  /** Status of the page, where that is a failure. */
  readonly status?: number
  /** Address that the page is opened from; by default one that no other page is opened from. */
  readonly address?: string
  readonly noteSize?: (size: string) => void
  /** Whether the page was looked at in another language: its structure is known to be right. */
  readonly isKnown?: boolean
}

/** Opens a page and reads what is wrong with it: in its HTML, in its looks, in what the browser reports. */
export async function problemsOf(page: Page, visit: Visit): Promise<readonly string[]> {
  const { name, view, sheet, open, status, address = newAddress(), noteSize, isKnown = false } = visit
  const { language, looks } = view
  const { problems, document, stop } = listen(page, status)
  await page.setExtraHTTPHeaders({ 'CF-Connecting-IP': address })
  await setLook(page, looks[0])
  await open(page)
  const response = document()
  if (status !== undefined && response.status() !== status)
    problems.push(`status ${response.status()}, not ${status}`)
  const html = await response.text()
  const shift = await layoutShift(page)
  if (shift > 0) problems.push(`layout shift of ${shift}`)
  const read = await page.evaluate<string>('document.documentElement.lang')
  if (read !== language) problems.push(`in the language ${read}`)
  if (!isKnown) problems.push(...(await mistakes(html)))
  problems.push(...(await flaws(page)))
  await addAxe(page)
  for (const [index, look] of looks.entries()) {
    if (index > 0) await setLook(page, look)
    // A phone whose reader made all letters twice as large (WCAG 1.4.4), and one with the usual letters.
    if (look.width === 360)
      for (const percent of [100, 200] as const) problems.push(...(await squeezed(page, percent)))
    await sheet?.add(page, name, { look, language })
    const rules = isKnown || index > 0 ? 'of looks' : 'all'
    problems.push(...(await violations(page, rules)), ...(await tooWide(page, look)))
  }
  // The width of a page does not depend on its colours.
  const { scheme } = looks[0]
  for (const width of widths.filter((one) => !looks.some((look) => look.width === one))) {
    await setLook(page, { width, scheme })
    problems.push(...(await tooWide(page, { width, scheme })))
  }
  if (isPublic(new URL(page.url()).pathname)) {
    const bytes = gzipBytes(html)
    if (language === 'ar') noteSize?.(`${name} ${bytes}`)
    if (bytes > maxPublicBytes) problems.push(`${bytes} bytes of HTML`)
  }
  stop()
  return problems.map((problem) => `${name}, ${language}: ${problem}`)
}

/** Collects what a browser complains about in a page and requests that fail, and notes the document that is shown. */
function listen(page: Page, status?: number) {
  const problems: string[] = []
  let shown: Response | undefined
  const onConsole = (message: ConsoleMessage) => {
    const isRefusal =
      /status of 4\d\d/.test(message.text()) || message.text().includes(`status of ${status} `)
    if (message.type() === 'error' && !isRefusal) problems.push(`console: ${message.text()}`)
  }
  const onPageError = (failure: Error) => problems.push(`script: ${failure.message}`)
  const onRequestFailed = (request: Request) =>
    problems.push(`request: ${request.url()} ${request.failure()?.errorText ?? ''}`)
  const onResponse = (response: Response) => {
    if (response.request().isNavigationRequest()) shown = response
    else if (response.status() >= 400) problems.push(`request: ${response.url()} ${response.status()}`)
  }
  page.on('console', onConsole)
  page.on('pageerror', onPageError)
  page.on('requestfailed', onRequestFailed)
  page.on('response', onResponse)
  const document = () => {
    if (shown === undefined) throw new Error('No document was opened')
    return shown
  }
  const stop = () => {
    page.off('console', onConsole)
    page.off('pageerror', onPageError)
    page.off('requestfailed', onRequestFailed)
    page.off('response', onResponse)
  }
  return { problems, document, stop }
}
