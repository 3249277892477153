import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { overflow } from './browser'

/** Window and colour scheme that a page is looked at in. */
export interface Look {
  readonly width: 360 | 768 | 1280
  readonly scheme: 'light' | 'dark'
}

export const widths = [360, 768, 1280] as const

const heights = { 360: 740, 768: 1024, 1280: 800 }

/** Gives the window of a page the size and the colours of a look. */
export async function setLook(page: Page, { width, scheme }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme })
  await page.setViewportSize({ width, height: heights[width] })
}

/** Rules of axe whose outcome changes with the window and the colours. */
const rulesOfLooks = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

/** Minified, it takes a page half the time to read. Its last value would be sent back whole. */
const axe = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};0`

/** Puts axe into a page by the protocol of the browser, which copies less than Playwright. */
export async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  await session.detach()
}

/**
 * Violations of WCAG 2.2 A and AA and of axe's best practices, as `rule: element`, in a page that axe was added to. A
 * document that met all rules in one look has to meet only those of looks in the next.
 */
export function violations(page: Page, rules: 'all' | 'of looks'): Promise<readonly string[]> {
  const all = { resultTypes: ['violations'], preload: false, rules: { 'target-size': { enabled: true } } }
  const options = rules === 'of looks' ? { ...all, runOnly: { type: 'rule', values: rulesOfLooks } } : all
  return page.evaluate<string[]>(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify(options)})
    // The height of links within sentences is that of their line, which WCAG allows.
    const isInText = (id, [selector]) => id === 'target-size' && document.querySelector(selector).closest('.prose')
    return violations.flatMap(({ id, nodes }) =>
      nodes.filter(({ target }) => !isInText(id, target)).map(({ html }) => id + ': ' + html.slice(0, 160)))
  })()`)
}

/** Properties that axe does not read: one main heading, pictures that load, controls a finger can hit, forms that need no scripts. */
export function flaws(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)]
    const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0
    const sketch = (element) => element.outerHTML.slice(0, 120)
    const count = (selector) => all(selector).length === 1 ? [] : [all(selector).length + ' of ' + selector]
    return [
      ...count('h1'),
      ...count('main'),
      ...all('img').filter((one) => one.complete && one.naturalWidth === 0).map((one) => 'broken: ' + one.src),
      ...all('button, select, textarea, input:not([type=hidden], [type=checkbox], [type=radio])')
        .filter((one) => isShown(one) && one.getBoundingClientRect().height < 24)
        .map((one) => 'too small: ' + sketch(one)),
      ...all('form:not([data-passkey])')
        .filter((form) => !form.querySelector('button:not([type=button])'))
        .map((form) => 'nothing to send it with but scripts: ' + sketch(form)),
    ]
  })()`)
}

const validator = new HtmlValidate({
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // Questions of taste: how attributes are written that browsers read alike.
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'doctype-style': 'off',
    'no-trailing-whitespace': 'off',
    'valid-id': ['error', { relaxed: true }],
    'void-style': 'off',
    'long-title': 'off',
    // Styles and scripts come from the server that sends the page, under addresses by their content.
    'require-sri': 'off',
  },
})

/** Mistakes in the document as it was sent, as `rule: message`. */
export async function mistakes(html: string): Promise<readonly string[]> {
  const report = await validator.validateString(html)
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} at ${selector ?? '?'}`),
  )
}

/** Says by how many pixels a page scrolls sideways in its window; nothing where it does not. */
export async function tooWide(page: Page, { width }: Look): Promise<readonly string[]> {
  const pixels = await overflow(page)
  return pixels > 0 ? [`${pixels} px too wide at ${width}`] : []
}

export function gzipBytes(html: string): number {
  return gzipSync(html).byteLength
}

/** Sum of the layout shifts since the page was opened. Read it before the window gets another size. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => {
      resolve(observer.takeRecords().reduce((sum, { value }) => sum + value, 0))
    }))
  })`)
}
