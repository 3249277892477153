/**
 * `npm run check:changed`: types, lint and the nearest tests of what differs from the main branch, in a minute.
 *
 * Three of four test files import the whole application, so "every test that imports the change" is nearly the whole
 * suite: the tests run in order of their distance from the change, as many as fit into half a minute. `npm test` runs all.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { relatedTests, within } from './lib/related-tests.mjs'

/** Seconds of tests, by test/data/durations.json; starting the runtime takes as long again. */
const mostSeconds = 25
const root = fileURLToPath(new URL('..', import.meta.url))
const changed = changedFiles()
if (changed.length === 0) {
  console.log('Nothing differs from the main branch.')
} else {
  const files = readFiles()
  const seconds = JSON.parse(readFileSync(join(root, 'test/data/durations.json'), 'utf8'))
  const related = relatedTests(changed, files)
  const apart = related.filter((path) => /^test\/(e2e|scale|abuse\/socket)\//.test(path))
  const near = related.filter((path) => !apart.includes(path))
  const chosen = within(mostSeconds, near, seconds)
  console.log(`${changed.length} files changed; ${chosen.length} of ${near.length} related test files run.`)
  if (apart.length > 0)
    console.log(`Not run, as they need servers or large databases:\n  ${apart.join('\n  ')}`)
  const lintable = changed.filter((path) => existsSync(join(root, path)))
  const outcomes = await Promise.all([
    run('types', 'node_modules/typescript/bin/tsc', [
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/check-changed.tsbuildinfo',
    ]),
    run('lint', 'node_modules/@biomejs/biome/bin/biome', [
      'check',
      '--error-on-warnings',
      '--no-errors-on-unmatched',
      ...lintable,
    ]),
    chosen.length === 0 ? 0 : run('tests', 'node_modules/vitest/vitest.mjs', ['run', ...chosen]),
  ])
  process.exitCode = Math.max(...outcomes)
}

/** Paths that differ from where this branch left the main branch, or, on the main branch, from its last commit. */
function changedFiles() {
  const main = ['origin/main', 'main'].find((name) => git('rev-parse', '--verify', '--quiet', name) !== '')
  const base = main === undefined ? 'HEAD' : git('merge-base', 'HEAD', main)
  const tracked = git('diff', '--name-only', '--no-renames', base)
  const added = git('ls-files', '--others', '--exclude-standard')
  return [...new Set([...tracked.split('\n'), ...added.split('\n')])].filter((path) => path !== '')
}

function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}

/** Text of every file that can import or be imported, by path. */
function readFiles() {
  const paths = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/')),
  )
  return new Map(
    paths.map((path) => [path, path.endsWith('.json') ? '' : readFileSync(join(root, path), 'utf8')]),
  )
}

/** Runs a tool and shows all it said once it is done, so that the three do not mix. */
function run(name, script, args) {
  return new Promise((settle) => {
    const began = performance.now()
    const child = spawn(process.execPath, [join(root, script), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
    child.once('exit', (code) => {
      console.log(
        `== ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${((performance.now() - began) / 1000).toFixed(0)} s)`,
      )
      process.stdout.write(Buffer.concat(said))
      settle(code ?? 1)
    })
  })
}
