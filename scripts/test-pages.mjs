// Opens every page in Chromium: `npm run test:pages`, and with `-- --all` in every language, width and colour scheme.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const files = ['every-page', 'failure-pages', 'pages'].map((name) => `test/e2e/browser/${name}.test.ts`)
const isWhole = process.argv.includes('--all')
const options = process.argv.slice(2).filter((option) => option !== '--all')

const child = spawn(
  process.execPath,
  [resolve('node_modules/vitest/vitest.mjs'), 'run', '-c', 'vitest.e2e.config.ts', ...files, ...options],
  { stdio: 'inherit', env: { ...process.env, ...(isWhole ? whole() : {}) } },
)
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})

/** Variables that ask for every view, with the screenshots in a folder of their own. */
function whole() {
  const folder = process.env.CONTACT_SHEET ?? mkdtempSync(join(tmpdir(), 'fieldfare-contact-sheet-'))
  return { PAGES_IN_ALL_VIEWS: '1', CONTACT_SHEET: folder }
}
