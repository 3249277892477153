// Installs the locked dependencies where others are installed, or none. Plain Node 20, no dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { linkNode } from './lib/link-node.mjs'
import { refuseOldNode } from './lib/node-version.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = `${root}package-lock.json`
const installed = `${root}node_modules`
/** Dependencies of before, while others are being installed: npm deletes them before it asks the network. */
const aside = `${root}node_modules.before`
/** Copy of the lockfile that the dependencies were installed by. Times are no indication: git and copies change them. */
const marker = `${installed}/.fieldfare-lock`

refuseOldNode()
restoreInterrupted()
if (!isInstalled()) install()
linkNode(installed)

function isInstalled() {
  if (existsSync(marker)) return dependenciesIn(marker) === dependenciesIn(lock)
  if (!hasLockedVersions()) return false
  mark()
  return true
}

/** Compares what npm says it installed with the lockfile. Packages of other platforms may be absent. */
function hasLockedVersions() {
  const list = `${installed}/.package-lock.json`
  if (!existsSync(list)) return false
  const has = packagesIn(list)
  return Object.entries(packagesIn(lock)).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true
    const found = has[path]
    return found === undefined ? optional === true || devOptional === true : found.version === version
  })
}

/** Locked packages but for the project itself: a release without other dependencies installs nothing. */
function dependenciesIn(file) {
  const { '': _project, ...packages } = packagesIn(file)
  return JSON.stringify(packages)
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch (failure) {
    // Cut off by an interrupted installation: as good as absent.
    if (failure instanceof SyntaxError) return {}
    throw failure
  }
}

function install() {
  console.log('Installing dependencies (once) ...')
  const isKept = keepAside()
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (result.status === 0) {
    mark()
    rmSync(aside, { recursive: true, force: true })
    return
  }
  if (isKept) restoreInterrupted()
  console.error(
    `The dependencies could not be installed (npm says why above).${isKept ? ' Those of before are back.' : ''}`,
  )
  process.exit(result.status || 1)
}

/** Whether there were any, and they could be moved: they may be a mount. */
function keepAside() {
  if (!existsSync(installed)) return false
  try {
    renameSync(installed, aside)
    return true
  } catch (failure) {
    if (failure.code === undefined) throw failure
    return false
  }
}

/** Restores what a failed or interrupted installation had moved aside. */
function restoreInterrupted() {
  if (!existsSync(aside)) return
  rmSync(installed, { recursive: true, force: true })
  renameSync(aside, installed)
}

function mark() {
  writeFileSync(marker, readFileSync(lock))
}
