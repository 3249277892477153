// Bundles that were made before, kept in the checkout by all that goes into one: bundling takes half of the time of a start.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** Bundles kept for one checkout: that of `npm start`, and those of other configurations, such as tests have. */
const mostKept = 4

/**
 * Puts the bundle of the checkout `root` with a configuration file into the folder `into`: one that was kept, or what
 * `make` writes there, which is kept.
 */
export async function withKeptBundle({ root, config, into }, make) {
  const kept = join(root, '.wrangler/bundles', keyOf(root, config))
  if (copyKept(kept, into)) return
  await make()
  keep(into, kept)
}

/** Digest of all that decides what a bundle holds: sources, locked packages, configuration, the address of the checkout. */
function keyOf(root, config) {
  const digest = createHash('sha256')
  const add = (path) => {
    const bytes = existsSync(path) ? readFileSync(path) : null
    digest.update(JSON.stringify([path, bytes?.length ?? null]))
    if (bytes !== null) digest.update(bytes)
  }
  add(config)
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    '.env',
    '.env.local',
    '.dev.vars',
  ])
    add(join(root, name))
  add(join(dirname(config), '.dev.vars'))
  add(join(root, 'scripts/lib/bundle.mjs'))
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  const files = sources.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.toSorted()) add(file)
  return digest.digest('hex')
}

/** Whether the kept bundle is there and was copied. Another process may remove it meanwhile. */
function copyKept(kept, into) {
  try {
    cpSync(kept, into, { recursive: true })
    return true
  } catch (failure) {
    if (failure.code === 'ENOENT') return false
    throw failure
  }
}

function keep(made, kept) {
  const bundles = dirname(kept)
  // Renamed when it is whole: a start beside this one must not copy half a bundle.
  const unfinished = `${kept}.${process.pid}`
  mkdirSync(bundles, { recursive: true })
  cpSync(made, unfinished, { recursive: true })
  try {
    renameSync(unfinished, kept)
  } catch (failure) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process made the same meanwhile.
    if (failure.code !== 'ENOTEMPTY' && failure.code !== 'EEXIST') throw failure
  }
  dropOldest(bundles)
}

function dropOldest(bundles) {
  const ages = readdirSync(bundles).flatMap((name) => {
    const path = join(bundles, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats === undefined ? [] : [{ path, madeAt: stats.mtimeMs }]
  })
  const old = ages.toSorted((a, b) => b.madeAt - a.madeAt).slice(mostKept)
  for (const { path } of old) rmSync(path, { recursive: true, force: true })
}
