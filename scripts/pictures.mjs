// Takes the pictures of docs/try/first-steps.md from a demonstration of its own, in the order of the page:
//   npm run pictures -- [--port 8798]
// Needs Chromium (Debian: chromium-headless-shell).
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'

const { values } = parseArgs({ options: { port: { type: 'string', default: '8798' } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const into = join(root, 'docs/images/first-steps')
// The library that resizes pictures in Miniflare.
const sharp = createRequire(createRequire(import.meta.url).resolve('miniflare'))('sharp')
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-pictures-'))

const demo = spawn(
  process.execPath,
  ['scripts/start.mjs', '--demo', '--folder', folder, '--port', values.port],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
)
try {
  const printed = await untilOpen()
  const [, password] = /password {2}(\S+)/.exec(printed)
  mkdirSync(into, { recursive: true })
  await walk(`http://localhost:${values.port}`, password)
} finally {
  const ended = new Promise((resolve) => demo.once('exit', resolve))
  demo.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

function untilOpen() {
  return new Promise((resolve, reject) => {
    let text = ''
    demo.stdout.on('data', (chunk) => {
      text += chunk
      if (/is open at/.test(text)) resolve(text)
    })
    demo.once('exit', () => reject(new Error(`The demonstration ended:\n${text}`)))
  })
}

async function walk(origin, password) {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  })
  const context = await browser.newContext({
    viewport: { width: 1040, height: 660 },
    colorScheme: 'light',
    locale: 'en',
  })
  const page = await context.newPage()
  const take = async (name) => {
    await page.waitForLoadState('networkidle')
    await sharp(await page.screenshot())
      .webp({ quality: 75 })
      .toFile(join(into, `${name}.webp`))
  }
  await page.goto(origin)
  await take('1-front-page')
  await page.goto(`${origin}/auth/sign_in`)
  await page.fill('[name=username]', 'owner')
  await page.fill('[name=password]', password)
  await take('2-sign-in')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await take('3-home')
  await page.goto(`${origin}/search?q=saoirse`)
  await take('4-search')
  await page.goto(`${origin}/@saoirse`)
  await take('5-profile')
  await page
    .getByRole('button', { name: /^Follow/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Following/ })
    .first()
    .waitFor()
  await take('6-following')
  await browser.close()
}
