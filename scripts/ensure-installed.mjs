// Installs the locked dependencies when they are missing or older than the lockfile. Plain Node 20, no dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = `${root}package-lock.json`
const installed = `${root}node_modules/.package-lock.json`

const upToDate = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs

if (!upToDate) {
  console.log('Installing dependencies (once) ...')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) process.exit(result.status ?? 1)
}
