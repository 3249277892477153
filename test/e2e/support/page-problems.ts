import type { Page } from 'playwright-core'
import { newAddress } from './address'
import type { ContactSheet } from './contact-sheet'
import {
  flaws,
  gzipBytes,
  type Look,
  layoutShift,
  mistakes,
  overflows,
  setLook,
  violations,
} from './page-checks'

/** Languages that pages are looked at in, each with two windows; the looks pair each size with each scheme. */
export const views: readonly { readonly language: string; readonly looks: readonly [Look, Look] }[] = [
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

/** Pages for everybody that hold no form: they have to stay small. */
const maxPublicBytes = 30 * 1024
const isPublic = (path: string) =>
  !/^\/(admin|settings|auth|authorize_interaction|oauth|start|invites|statuses_cleanup)/.test(path)

interface Visit {
  /** Name of the page in the contact sheet. */
  readonly name: string
  readonly url: string
  readonly language: string
  readonly looks: readonly [Look, Look]
  readonly sheet: ContactSheet
  /** Status of the page, where it is a failure that is looked at. */
  readonly status?: number
  /** Address that the page is opened from; by default one that nobody else has. */
  readonly address?: string
  readonly noteSize?: (size: string) => void
}

/** Opens a page, and reads all that is wrong with it: in its HTML, in its looks, in what the browser says. */
export async function problemsOf(page: Page, visit: Visit): Promise<readonly string[]> {
  const { name, url, language, looks, sheet, status, address = newAddress(), noteSize } = visit
  const problems = listen(page, status)
  await page.setExtraHTTPHeaders({ 'CF-Connecting-IP': address })
  await setLook(page, looks[0])
  const response = await page.goto(url)
  if (status !== undefined && response?.status() !== status)
    problems.push(`status ${response?.status()}, not ${status}`)
  const html = (await response?.text()) ?? ''
  const shift = await layoutShift(page)
  if (shift > 0) problems.push(`layout shift of ${shift}`)
  const read = await page.evaluate<string>('document.documentElement.lang')
  if (read !== language) problems.push(`in the language ${read}`)
  problems.push(...(await mistakes(html)), ...(await flaws(page)))
  problems.push(...(await overflows(page, looks[0].scheme)))
  for (const [index, look] of looks.entries()) {
    await sheet.add(page, name, { look, language })
    problems.push(...(await violations(page, { isAgain: index > 0 })))
  }
  if (isPublic(new URL(url).pathname)) {
    const bytes = gzipBytes(html)
    if (language === 'ar') noteSize?.(`${name} ${bytes}`)
    if (bytes > maxPublicBytes) problems.push(`${bytes} bytes of HTML`)
  }
  return problems.map((problem) => `${language}: ${problem}`)
}

/** Collects what a browser complains about in a page, and requests that fail. */
function listen(page: Page, status?: number): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    const isRefusal =
      /status of 4\d\d/.test(message.text()) || message.text().includes(`status of ${status} `)
    if (message.type() === 'error' && !isRefusal) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (failure) => problems.push(`script: ${failure.message}`))
  page.on('requestfailed', (request) =>
    problems.push(`request: ${request.url()} ${request.failure()?.errorText ?? ''}`),
  )
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest()
    if (response.status() >= 400 && !isPage) problems.push(`request: ${response.url()} ${response.status()}`)
  })
  return problems
}
