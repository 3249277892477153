// `npm run bench`: what Fieldfare costs. `-- --short` sends fewer requests, `-- --save` keeps the CPU
// ratios to compare later runs with. Ends with 1 when a stated bound is broken.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { judgeCpu, resultsToKeep } from '../../test/bench/cpu.ts'
import { root } from '../lib/server.mjs'
import { measureCpu } from './cpu.mjs'
import { measureDeliveries } from './deliveries.mjs'
import { npx } from './npx.mjs'
import { section, table } from './table.mjs'

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } },
})
/** Ratios to one trivial trip that the code of today keeps with a half to spare. Whoever makes a path cheaper lowers its bound. */
const cpuBounds = {
  home: 5,
  notifications: 5.4,
  public: 5,
  'public, anonymous': 0.9,
  'statuses of an account': 4,
  status: 2.7,
  post: 14,
  search: 5.5,
  // From the memory of the isolate: whatever asked the database would need more than one trip.
  'NodeInfo 2.0': 0.9,
  'NodeInfo 2.1': 0.9,
  'instance v1': 0.9,
  'instance v2': 0.9,
  WebFinger: 0.9,
  actor: 0.9,
  note: 0.9,
}
/** Seconds that `npm start` may take to its first answer, on a machine that defines 1,000 schemas in so many milliseconds. */
const mostStartSeconds = (yardstick) => Math.max(15, 0.15 * yardstick)
const keptFile = join(root, 'scripts/bench/kept-results.json')
const kept = existsSync(keptFile) ? JSON.parse(readFileSync(keptFile, 'utf8')) : null
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-bench-'))
const broken = []

try {
  await step('Building ...', () => npx(['wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist']))
  const counts = await step('Counting at the database ...', countCosts)
  const cpu = await step('Measuring CPU time ...', () =>
    measureCpu({
      requests: values.short ? 1_200 : 2_400,
      doubtful: (figures) =>
        judgeCpu(figures, cpuBounds, kept).flatMap(({ path, broken: why }) => (why === null ? [] : [path])),
    }),
  )
  const deliveries = await step('Delivering ...', () => measureDeliveries({ posts: values.short ? 3 : 10 }))
  const start = await step('Starting ...', measureStart)
  printCosts(counts)
  printTimes(counts)
  printCpu(cpu)
  printDeliveries(deliveries)
  printSize(start)
  if (values.save) {
    const results = resultsToKeep(cpu, new Date().toISOString().slice(0, 10))
    writeFileSync(keptFile, `${JSON.stringify(results, null, 2)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

if (broken.length > 0) {
  console.error(`\nBounds broken:\n${broken.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
} else console.log('\nAll bounds hold.')

async function step(title, work) {
  console.error(title)
  return work()
}

function bound(name, figure, most) {
  if (!(figure <= most)) broken.push(`${name}: ${figure} is not at most ${most}`)
}

/** Runs test/bench, which holds the budgets, and reads the figures out of its report. */
async function countCosts() {
  const report = join(folder, 'costs.json')
  const args = ['vitest', 'run', '-c', 'vitest.bench.config.ts', '--reporter=json', `--outputFile=${report}`]
  const failure = await npx(args).then(
    () => null,
    (reason) => reason,
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const calls = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (calls.length === 0) throw failure
  for (const { title, failureMessages } of calls)
    for (const message of failureMessages ?? []) broken.push(`${title}: ${message.split('\n')[0]}`)
  return calls
}

function printCosts(calls) {
  section('At the database, per call (200 accounts, 2,000 statuses, 50 followed)')
  table(
    ['call', 'trips', 'statements', 'rows read', 'rows written'],
    calls
      .filter(({ meta }) => meta.costs !== undefined)
      .map(({ title, meta }) => {
        const { trips, statements, rowsRead, rowsWritten } = meta.costs
        return [title, trips, statements, rowsRead, rowsWritten]
      }),
  )
}

function printTimes(calls) {
  section('CPU of pure work')
  table(
    ['work', 'milliseconds'],
    calls
      .filter(({ meta }) => meta.milliseconds !== undefined)
      .map(({ title, meta }) => [title, meta.milliseconds.toFixed(2)]),
  )
}

function printCpu(figures) {
  section('CPU seconds of the server per 1000 requests at concurrency 8, without the client')
  const judged = judgeCpu(figures, cpuBounds, kept)
  table(
    ['', 'seconds', 'of one trivial trip', `on ${kept?.savedOn ?? 'main'}`, 'at most', 'of /health/live'],
    [
      ['/health/live, no database', figures.health.toFixed(2), null, null, null, '1.0'],
      [
        'one trivial trip',
        figures.trip.toFixed(2),
        '1.00',
        null,
        null,
        (figures.trip / figures.health).toFixed(1),
      ],
      ...judged.map(({ path, seconds, ofTrip, before, bound, ofHealth }) => [
        path,
        seconds.toFixed(2),
        ofTrip.toFixed(2),
        before?.toFixed(2),
        bound,
        ofHealth.toFixed(1),
      ]),
    ],
  )
  for (const { path, broken: why } of judged) if (why !== null) broken.push(`CPU of ${path}: ${why}`)
}

/** Prints the costs of a delivery: signature, request, share of the fan-out. The signature alone has a budget of 1 ms. */
function printDeliveries({ deliveries, requests, milliseconds }) {
  section('A status for followers on 40 servers')
  table(
    ['per delivery', 'figure'],
    [
      ['calls of a courier, one for each server and status', 1],
      ['requests to other servers', (requests / deliveries).toFixed(2)],
      ['CPU of the runtime, database and objects with it (at most 15 ms)', `${milliseconds.toFixed(2)} ms`],
    ],
  )
  bound('requests per delivery', requests / deliveries, 1)
  bound('CPU milliseconds per delivery', Number(milliseconds.toFixed(2)), 15)
}

function printSize({ firstAnswerSeconds, isolate, yardstick }) {
  const bundle = readFileSync(join(root, 'dist/index.js'))
  const kibibytes = (bytes) => Number((bytes / 1024).toFixed(1))
  const zipped = kibibytes(gzipSync(bundle).byteLength)
  const ofYardstick = Number((isolate / yardstick).toFixed(2))
  const mostSeconds = Number(mostStartSeconds(yardstick).toFixed(1))
  section('Size and start')
  table(
    ['what', 'figure'],
    [
      ['bundle, minified', `${kibibytes(bundle.byteLength)} KiB`],
      ['bundle, minified and gzip (at most 1 MiB)', `${zipped} KiB`],
      [`from spawn to the first 200 (at most ${mostSeconds} s)`, `${firstAnswerSeconds.toFixed(1)} s`],
      ['CPU at the start of the isolate', `${isolate} ms`],
      ['CPU to define 1,000 schemas', `${yardstick} ms`],
      ['start of the isolate, of 1,000 schemas (at most 3)', ofYardstick],
    ],
  )
  bound('bundle, minified and gzip, in KiB', zipped, 1_024)
  bound('CPU at the start of the isolate, of 1,000 schemas', ofYardstick, 3)
  bound('seconds from spawn to the first 200', Number(firstAnswerSeconds.toFixed(1)), mostSeconds)
}

/**
 * CPU milliseconds at the start of an isolate, of the app as it is deployed and of the yardstick (start-up.mjs). Profiles are
 * taken in turns; what else the machine does only adds to a figure, so the least counts.
 */
async function measureStartUps() {
  const turns = 6
  const profile = join(folder, 'startup.cpuprofile')
  const bundles = { isolate: await pack('isolate'), yardstick: await pack('yardstick', yardstickConfig()) }
  const least = { isolate: Number.POSITIVE_INFINITY, yardstick: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, file] of Object.entries(bundles)) {
      const analysis = await npx([
        'wrangler',
        'check',
        'startup',
        '--workerBundle',
        file,
        '--outfile',
        profile,
      ])
      least[name] = Math.min(least[name], Number(/Active: ([\d.]+) ms/.exec(analysis)?.[1] ?? Number.NaN))
    }
  return least
}

async function pack(name, config = 'wrangler.toml') {
  const file = join(folder, `${name}.bundle`)
  await npx(['wrangler', 'deploy', '--config', config, '--dry-run', '--minify', '--outfile', file])
  return file
}

function yardstickConfig() {
  const file = join(folder, 'yardstick.toml')
  const date = /^compatibility_date = .*$/m.exec(readFileSync(join(root, 'wrangler.toml'), 'utf8'))[0]
  const main = JSON.stringify(join(root, 'scripts/bench/start-up.mjs'))
  writeFileSync(file, `name = "yardstick"\nmain = ${main}\n${date}\nkeep_names = false\n`)
  return file
}

/** Repeats a start that takes too long, and takes the least: other work of the machine only adds to it. */
async function measureStart() {
  const least = await measureStartUps()
  const mostSeconds = mostStartSeconds(least.yardstick)
  let firstAnswerSeconds = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && firstAnswerSeconds > mostSeconds; turn += 1)
    firstAnswerSeconds = Math.min(firstAnswerSeconds, await startInstance(join(folder, `instance-${turn}`)))
  return { firstAnswerSeconds, ...least }
}

/** The first instance of a checkout by `npm start`: seconds from its start to its first answer. */
async function startInstance(place) {
  const port = 8797
  // A first start has no bundle of before.
  rmSync(join(root, '.wrangler/bundles'), { recursive: true, force: true })
  const began = performance.now()
  const child = spawn(
    process.execPath,
    [join(root, 'scripts/start.mjs'), '--folder', place, '--port', String(port)],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let isOver = false
  ended.then(() => {
    isOver = true
  })
  while (!(await answers(`http://localhost:${port}/health/live`))) {
    if (isOver) throw new Error('npm start ended before it answered')
    await setTimeout(50)
  }
  const seconds = (performance.now() - began) / 1000
  child.kill('SIGTERM')
  await ended
  return seconds
}

function answers(url) {
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  )
}
