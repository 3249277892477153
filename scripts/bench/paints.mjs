// `npm run bench:paints`: how long public pages take to their first content, as ratios to a bare page of the same run, and how
// long the web client takes from the press of a button until the next frame shows it.
// `-- --short` opens each page less often. Ends with 1 where a bound is broken, or where there is no browser.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { root } from '../lib/server.mjs'
import { origin } from './miniflare.mjs'
import { npx } from './npx.mjs'
import { openBenchServer } from './open-server.mjs'
import { sessionCookie } from './session-cookie.mjs'
import { section, table } from './table.mjs'

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const paths = ['/', '/about', '/public/local', '/@neighbour0', '/explore']
const turns = values.short ? 3 : 10
/** Bare pages that a page may take to its first content. */
const most = 5
/** Milliseconds from a press until it is on screen: under these it feels immediate. */
const mostOfPress = 100
const presses = ['favourite', 'bookmark', 'boost']

const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(existsSync)
if (executablePath === undefined) throw new Error('No browser was found: install Chromium')

const bare = createServer((_, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.end('<!doctype html><html lang="en"><title>Bare</title><p>Nothing else.</p></html>')
})
await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve))
console.error('Building ...')
await npx(['wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist'])
const server = await openBenchServer()
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Policies of pages name the address that the server has for itself.
    `--host-resolver-rules=MAP ${new URL(origin).host} ${new URL(server.url).host}`,
  ],
})
try {
  console.error('Painting ...')
  const yardstick = await leastPaint(`http://127.0.0.1:${bare.address().port}/`)
  const rows = []
  for (const path of paths) {
    const milliseconds = await leastPaint(new URL(path, origin).href)
    rows.push({ path, milliseconds, ratio: milliseconds / yardstick })
  }
  section(`First content of a page (a bare page: ${yardstick.toFixed(0)} ms; at most ${most} of them)`)
  table(
    ['page', 'bare pages', 'ms'],
    rows.map(({ path, milliseconds, ratio }) => [path, ratio.toFixed(1), milliseconds.toFixed(0)]),
  )
  const broken = rows.filter(({ ratio }) => ratio > most)
  const shown = []
  for (const act of presses) shown.push({ act, ...(await press(act)) })
  section(`From a press to the frame that shows it (at most ${mostOfPress} ms each)`)
  table(
    ['act', 'presses', 'median ms', 'longest ms'],
    shown.map(({ act, count, median, longest }) => [act, count, median.toFixed(0), longest.toFixed(0)]),
  )
  broken.push(...shown.filter(({ longest }) => longest > mostOfPress).map(({ act }) => ({ path: act })))
  if (broken.length > 0) {
    console.error(`\nBounds broken: ${broken.map(({ path }) => path).join(', ')}`)
    process.exitCode = 1
  } else console.log('\nAll bounds hold.')
} finally {
  await browser.close()
  bare.close()
  server.close()
}

/** Milliseconds to the first content, the least of several turns: whatever else the machine does only adds to them. */
async function leastPaint(url) {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < turns; turn += 1) least = Math.min(least, await paint(url))
  return least
}

/** Opens a page in a browser that has kept nothing. */
async function paint(url) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const response = await page.goto(url)
    if (response?.status() !== 200) throw new Error(`${url} answered ${response?.status()}`)
    return await page.evaluate(
      () =>
        new Promise((resolve) => {
          new PerformanceObserver((list) => {
            const [entry] = list.getEntriesByName('first-contentful-paint')
            if (entry !== undefined) resolve(entry.startTime)
          }).observe({ type: 'paint', buffered: true })
        }),
    )
  } finally {
    await context.close()
  }
}

/** Milliseconds from presses of a button of posts of home until the frame after the button shows them. */
async function press(act) {
  const context = await browser.newContext()
  try {
    await context.addCookies([{ name: 'session', value: sessionCookie(server.session), url: origin }])
    // The platform serves these files before the Worker is asked.
    await context.route('**/assets/**', (route) =>
      route.fulfill({ path: join(root, 'public', new URL(route.request().url()).pathname) }),
    )
    const page = await context.newPage()
    const response = await page.goto(new URL('/home', origin).href)
    if (response?.status() !== 200) throw new Error(`/home answered ${response?.status()}`)
    const buttons = page.locator(`form.acts button[value="${act}"]`)
    const times = []
    for (let index = 0; index < turns; index += 1) {
      const button = await buttons.first().elementHandle()
      const shown = button.evaluate(
        (one) =>
          new Promise((resolve) => {
            let began = 0
            one.addEventListener('click', () => (began = performance.now()), { capture: true, once: true })
            new MutationObserver((_, observer) => {
              if (one.getAttribute('aria-pressed') !== 'true') return
              observer.disconnect()
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
            }).observe(one, { attributes: true })
          }),
      )
      const [milliseconds] = await Promise.all([shown, button.click()])
      times.push(milliseconds)
      await page.waitForLoadState('networkidle')
    }
    const sorted = times.toSorted((one, other) => one - other)
    return { count: times.length, median: sorted[Math.floor(sorted.length / 2)], longest: sorted.at(-1) }
  } finally {
    await context.close()
  }
}
