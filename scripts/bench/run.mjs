// `npm run bench`: CPU time of the server, as ratios to yardsticks of the same run. `-- --short` sends fewer requests, `-- --save`
// keeps the ratios to compare later runs with. Ends with 1 when a stated bound is broken. What is counted is tested in test/scale.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkCpu, resultsToKeep } from '../../test/bench/cpu.ts'
import { root } from '../lib/server.mjs'
import { measureCpu } from './cpu.mjs'
import { measureDeliveries } from './deliveries.mjs'
import { npx } from './npx.mjs'
import { startInstance } from './start-instance.mjs'
import { section, table } from './table.mjs'

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, save: { type: 'boolean', default: false } },
})
/** Ratios to one trivial round trip, with 50 % to spare today. Lower the bound when a path becomes cheaper. */
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
const mostTripsOfDelivery = 12
/** Seconds that `npm start` may take to its first answer, on a machine that defines 1,000 schemas in so many milliseconds. */
const mostStartSeconds = (yardstick) => Math.max(15, 0.15 * yardstick)
const keptFile = join(root, 'scripts/bench/kept-results.json')
const kept = existsSync(keptFile) ? JSON.parse(readFileSync(keptFile, 'utf8')) : null
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-bench-'))
const broken = []

try {
  await step('Building ...', () => npx(['wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist']))
  const filters = await step('Filtering ...', measureFilters)
  const cpu = await step('Measuring CPU time ...', () =>
    measureCpu({
      requests: values.short ? 1_200 : 2_400,
      doubtful: (figures) =>
        checkCpu(figures, cpuBounds, kept).flatMap(({ path, broken: why }) => (why === null ? [] : [path])),
    }),
  )
  const deliveries = await step('Delivering ...', () => measureDeliveries({ posts: values.short ? 3 : 10 }))
  const start = await step('Starting ...', measureStart)
  printFilters(filters)
  printCpu(cpu)
  printDeliveries(deliveries, cpu)
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

/** Runs test/bench/filters.bench.ts in workerd, and reads the figures out of its report. */
async function measureFilters() {
  const report = join(folder, 'filters.json')
  const args = ['vitest', 'run', '-c', 'vitest.bench.config.ts', '--reporter=json', `--outputFile=${report}`]
  const failure = await npx(args).then(
    () => null,
    (reason) => reason,
  )
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const measured = testResults.flatMap(({ assertionResults }) => assertionResults)
  if (measured.length === 0) throw failure
  for (const { title, failureMessages } of measured)
    for (const message of failureMessages ?? []) broken.push(`${title}: ${message.split('\n')[0]}`)
  return measured
}

function printFilters(measured) {
  section('CPU of filters')
  table(
    ['work', 'milliseconds', 'of its JSON'],
    measured
      .filter(({ meta }) => meta.filters !== undefined)
      .map(({ title, meta: { filters } }) => [
        title,
        filters.milliseconds.toFixed(2),
        filters.ofJson.toFixed(1),
      ]),
  )
}

function printCpu(figures) {
  section('CPU seconds of the server per 1000 requests at concurrency 8, without the client')
  const judged = checkCpu(figures, cpuBounds, kept)
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

/** Prints the CPU of a delivery: signature, request, share of the fan-out. */
function printDeliveries(milliseconds, { trip }) {
  // Seconds of a thousand trips are milliseconds of one.
  const ofTrip = Number((milliseconds / trip).toFixed(2))
  section('A status for followers on 40 servers')
  table(
    ['for each delivery', 'milliseconds', 'of one trivial trip', 'at most'],
    [
      [
        'CPU of the runtime, database and objects with it',
        milliseconds.toFixed(2),
        ofTrip,
        mostTripsOfDelivery,
      ],
    ],
  )
  bound('CPU of a delivery, in trivial trips', ofTrip, mostTripsOfDelivery)
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
      ['bundle, minified and gzip', `${zipped} KiB`],
      [`from spawn to the first 200 (at most ${mostSeconds} s)`, `${firstAnswerSeconds.toFixed(1)} s`],
      ['CPU at the start of the isolate', `${isolate} ms`],
      ['CPU to define 1,000 schemas', `${yardstick} ms`],
      ['start of the isolate, of 1,000 schemas (at most 3)', ofYardstick],
    ],
  )
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

async function pack(name, config = 'wrangler.full.toml') {
  const file = join(folder, `${name}.bundle`)
  await npx(['wrangler', 'deploy', '--config', config, '--dry-run', '--minify', '--outfile', file])
  return file
}

function yardstickConfig() {
  const file = join(folder, 'yardstick.toml')
  const date = /^compatibility_date = .*$/m.exec(readFileSync(join(root, 'wrangler.full.toml'), 'utf8'))[0]
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
    firstAnswerSeconds = Math.min(firstAnswerSeconds, await startFirst(join(folder, `instance-${turn}`)))
  return { firstAnswerSeconds, ...least }
}

/** Seconds to the first answer of the first instance of a checkout, which has no bundle of before. */
function startFirst(place) {
  rmSync(join(root, '.wrangler/bundles'), { recursive: true, force: true })
  return startInstance({ place })
}
