// Chooses the tests of a change by imports and by path. Plain Node, no dependencies.
import { dirname, join } from 'node:path/posix'

const importing =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"](\.[^'"?]+)|\bimport\(\s*['"](\.[^'"?]+)|(?:^|\n)import\s*['"](\.[^'"?]+)/g

/**
 * Files that join the whole application. Three of four test files import one of them and so import everything:
 * a path of imports through one of them says nothing about what a test is about.
 */
const joins = new Set(['src/app.ts', 'src/index.ts', 'src/api/index.ts', 'test/support/test-app.ts'])

/**
 * Ranks the test files of a change: changed test files first, then those that import a changed file, by the number of
 * imports in between, and what their path connects.
 *
 * `files` maps every path of the project to its text; paths are relative to the project. Returns paths, nearest first.
 */
export function relatedTests(changed, files) {
  const readers = readersOf(files)
  const distances = new Map()
  let reached = changed.filter((path) => files.has(path))
  for (let distance = 0; reached.length > 0; distance += 1) {
    const next = []
    for (const path of reached) {
      if (distances.has(path)) continue
      distances.set(path, distance)
      if (distance === 0 || !joins.has(path)) next.push(...(readers.get(path) ?? []))
    }
    reached = next
  }
  for (const path of changed)
    for (const [mirrored, steps] of mirrorsOf(path, files))
      distances.set(mirrored, Math.min(distances.get(mirrored) ?? Number.POSITIVE_INFINITY, steps))
  return [...distances]
    .filter(([path]) => isTest(path))
    .toSorted(([one, near], [other, far]) => near - far || (one < other ? -1 : 1))
    .map(([path]) => path)
}

/** As many of `tests` from the start as fit into `most` seconds, one at least; `seconds` are the known durations. */
export function within(most, tests, seconds, secondsOfOthers = 0.5) {
  let sum = 0
  const fitting = tests.findIndex((path) => {
    sum += seconds[path] ?? secondsOfOthers
    return sum > most
  })
  return fitting === -1 ? tests : tests.slice(0, Math.max(1, fitting))
}

export function isTest(path) {
  return /^test\/.*\.test\.tsx?$/.test(path)
}

/** Files that import each file. */
function readersOf(files) {
  const readers = new Map()
  for (const [path, text] of files)
    for (const match of text.matchAll(importing)) {
      const named = join(dirname(path), match[1] ?? match[2] ?? match[3])
      const found = [named, `${named}.ts`, `${named}.tsx`, `${named}/index.ts`].find((one) => files.has(one))
      if (found === undefined) continue
      const known = readers.get(found)
      if (known === undefined) readers.set(found, [path])
      else known.push(path)
    }
  return readers
}

/**
 * Test files that a path alone connects with a source file, with the distance that counts as: the same name in the
 * mirrored folder 1, elsewhere 2 (`mutes` for `mute`), another name in the mirrored folder 4.
 */
function mirrorsOf(path, files) {
  if (!path.startsWith('src/')) return []
  const folder = dirname(path).replace(/^src/, 'test')
  const name = nameOf(path)
  return [...files.keys()].filter(isTest).flatMap((test) => {
    const isInFolder = dirname(test) === folder
    if (nameOf(test).startsWith(name)) return [[test, isInFolder ? 1 : 2]]
    return isInFolder ? [[test, 4]] : []
  })
}

const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '')
