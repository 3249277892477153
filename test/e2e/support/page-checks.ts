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

/** Letters that a line has at least of a word that is broken: fewer are a column of letters. */
const fewestLetters = 5

/**
 * Words on lines of fewer than five letters, and whether the page scrolls sideways, with letters of `percent` of their usual
 * size and all folded parts open. Sets both back.
 */
export function squeezed(page: Page, percent: 100 | 200): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const root = document.documentElement
    const folded = [...document.querySelectorAll('details:not([open])')]
    folded.forEach((one) => { one.open = true })
    root.style.fontSize = '${percent}%'
    const found = []
    const pixels = root.scrollWidth - root.clientWidth
    if (pixels > 0) found.push(pixels + ' px too wide')
    const range = document.createRange()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text; (text = texts.nextNode()); ) {
      // Most texts have one line: their words are not looked at.
      range.selectNodeContents(text)
      if (range.getClientRects().length < 2) continue
      // Lines may end at a hyphen, and anywhere in scripts without spaces.
      for (const { 0: word, index } of text.data.matchAll(/[^\\s-]{2,}/gu)) {
        if (/[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]/u.test(word)) continue
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
        if (lines > 1 && [...word].length / lines < ${fewestLetters})
          found.push(word + ' on ' + lines + ' lines in ' + text.parentElement.outerHTML.slice(0, 80))
      }
    }
    root.style.removeProperty('font-size')
    folded.forEach((one) => { one.open = false })
    return found.slice(0, 5).map((one) => one + ' at ${percent} % text')
  })()`)
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
