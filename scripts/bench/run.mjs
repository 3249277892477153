// `npm run bench`: what Fieldfare costs. `-- --short` sends fewer requests, `-- --save` keeps the CPU
// ratios to compare later runs with. Ends with 1 when a stated bound is broken.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { judgeCpu, resultsToKeep } from '../../test/bench/cpu.ts'
import { migrate, root, startServer } from '../lib/server.mjs'
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
  notifications: 5.9,
  public: 5,
  'public, anonymous': 0.9,
  'statuses of an account': 4,
  status: 2.7,
  post: 14,
  search: 6.5,
  // From the memory of the isolate: whatever asked the database would need more than one trip.
  'NodeInfo 2.0': 0.9,
  'NodeInfo 2.1': 0.9,
  'instance v1': 0.9,
  'instance v2': 0.9,
  WebFinger: 0.9,
  actor: 0.9,
  note: 0.9,
}
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

function printSize({ firstAnswerSeconds, isolateMilliseconds }) {
  const bundle = readFileSync(join(root, 'dist/index.js'))
  const kibibytes = (bytes) => Number((bytes / 1024).toFixed(1))
  const zipped = kibibytes(gzipSync(bundle).byteLength)
  section('Size and start')
  table(
    ['what', 'figure'],
    [
      ['bundle, minified', `${kibibytes(bundle.byteLength)} KiB`],
      ['bundle, minified and gzip (at most 1 MiB)', `${zipped} KiB`],
      ['from spawn to the first 200 (at most 15 s)', `${firstAnswerSeconds.toFixed(1)} s`],
      ['CPU at the start of the isolate (at most 150 ms)', `${isolateMilliseconds} ms`],
    ],
  )
  bound('bundle, minified and gzip, in KiB', zipped, 1_024)
  bound('CPU milliseconds at the start of the isolate', isolateMilliseconds, 150)
  bound('seconds from spawn to the first 200', Number(firstAnswerSeconds.toFixed(1)), 15)
}

/** Profiles of the start-up of the isolate: what else the machine does only adds to the figure, so the least counts. */
async function leastStartUp() {
  const startUps = 6
  const profile = join(folder, 'startup.cpuprofile')
  const figures = []
  for (let round = 0; round < startUps; round += 1) {
    const analysis = await npx(['wrangler', 'check', 'startup', '--outfile', profile])
    figures.push(Number(/Active: ([\d.]+) ms/.exec(analysis)?.[1] ?? Number.NaN))
  }
  return Math.min(...figures)
}

/** A fresh instance as `npm start` makes it: migrations, then the first answer. */
async function measureStart() {
  const isolateMilliseconds = await leastStartUp()
  const began = performance.now()
  await migrate(folder)
  const server = await startServer({ folder, port: 8797, logLevel: 'error', inherit: false })
  const firstAnswerSeconds = (performance.now() - began) / 1000
  await server.stop()
  return { firstAnswerSeconds, isolateMilliseconds }
}
