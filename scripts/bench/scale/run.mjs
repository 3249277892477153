// `npm run bench:scale`: what calls, deliveries and tasks cost on instances of 1,000 and 30,000 statuses, side by side;
// `-- --full` adds 1,000,000, `-- --statistics` compares 30,000 without and with statistics of the query planner,
// `-- --prune` takes out exceptions that nothing needs. Ends with 1 where something grows that should not, or a
// statement breaks a rule.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkTimes, judge } from '../../../test/bench/scale/judge.ts'
import { checkPlans } from '../../../test/bench/scale/plans.ts'
import { spaceIn } from '../../../test/bench/scale/storage.ts'
import { scales } from '../../../test/support/scale/figures.ts'
import { buildInstance } from '../../../test/support/scale/on-disk.ts'
import { root } from '../../lib/server.mjs'
import { section, table } from '../table.mjs'

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    statistics: { type: 'boolean', default: false },
    prune: { type: 'boolean', default: false },
  },
})
const exceptionsFile = join(root, 'test/bench/scale/exceptions.json')
const exceptions = JSON.parse(readFileSync(exceptionsFile, 'utf8'))
const sizes = values.statistics ? ['30000', '30000'] : ['1000', '30000', ...(values.full ? ['1000000'] : [])]
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-scale-'))
const problems = []

try {
  const runs = []
  // A million by itself: it needs the memory of both.
  const beside = values.full ? [sizes.slice(0, 2), sizes.slice(2)] : [sizes]
  for (const group of beside)
    runs.push(...(await Promise.all(group.map((size, at) => runOf(size, values.statistics && at === 1)))))
  const unused = runs.slice(1).map((run, at) => compare(runs[at], run))
  // An exception may be needed by one step alone.
  const costs = exceptions.costs.filter(
    (one) => (values.full || one.atMillion !== true) && unused.every((some) => some.includes(one)),
  )
  if (!values.statistics) reportUnused({ costs, plans: checkStatements(runs[1]) })
  reportSlowest(runs)
  printPlanChanges(runs)
  await measureSpace()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

if (problems.length > 0) {
  console.error(`\nBroken:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
} else console.log('\nWhat should not grow does not.')

/** Measures the instance of a size in a runtime of its own, and reads the report. */
async function runOf(size, withStatistics) {
  const name = withStatistics ? `${size} with statistics` : size
  console.error(`Measuring ${name} statuses ...`)
  const report = join(folder, `${name.replaceAll(' ', '-')}.json`)
  const args = [
    'vitest',
    'run',
    '-c',
    'vitest.bench-scale.config.ts',
    '--reporter=json',
    `--outputFile=${report}`,
  ]
  const ended = await new Promise((resolve) => {
    const child = spawn('npx', args, {
      cwd: root,
      env: { ...process.env, SCALE: size, STATISTICS: withStatistics ? 'yes' : 'no' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('exit', (code) => resolve({ code, output }))
  })
  let results
  try {
    results = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(
      ({ assertionResults }) => assertionResults,
    )
  } catch {
    throw new Error(`The run of ${size} statuses left no report:\n${ended.output.slice(-4_000)}`)
  }
  for (const { fullName, failureMessages } of results)
    for (const message of failureMessages ?? [])
      problems.push(`${size}: ${fullName}: ${message.split('\n').slice(0, 6).join(' ')}`)
  const measured = results.filter(({ meta }) => meta.report !== undefined)
  return {
    size: name,
    scale: scales[size],
    cases: Object.fromEntries(measured.map(({ fullName, meta }) => [fullName, meta.report])),
    statements: results.flatMap(({ meta }) => meta.statements ?? []),
    tables: results.flatMap(({ meta }) => meta.tables ?? []),
    planChanges: results.flatMap(({ meta }) => meta.planChanges ?? []),
  }
}

/** Prints what differs, and returns the exceptions that it does not need. */
function compare(small, large) {
  const { growths, broken, unused } = judge(small, large, exceptions.costs)
  const grown = Map.groupBy(growths, (one) => one.case)
  section(
    `${small.size} → ${large.size} statuses; ${values.all ? 'every case' : 'cases that differ, all with --all'}`,
  )
  const shown = Object.keys(large.cases).filter((name) => values.all || grown.has(name))
  const both = (name, figure) => {
    const [before, after] = [small.cases[name]?.figures[figure] ?? '-', large.cases[name].figures[figure]]
    return before === after ? String(after) : `${before} → ${after}`
  }
  table(
    ['case', 'rows read', 'written', 'statements', 'trips', 'objects', 'queued', 'bytes'],
    shown.map((name) => [
      `${grown.has(name) ? '* ' : '  '}${name}`,
      ...['rowsRead', 'rowsWritten', 'statements', 'trips', 'objectCalls', 'queued', 'bytes'].map((figure) =>
        both(name, figure),
      ),
    ]),
  )
  for (const name of grown.keys()) printPlans(name, large.cases[name])
  problems.push(...broken.map((line) => `${small.size} → ${large.size}: ${line}`))
  return unused
}

function printPlans(name, { worst, costliest }) {
  const reason = exceptions.costs.find((one) => one.case === name)?.reason ?? 'no exception'
  console.log(`\n  * ${name}${worst === name ? '' : ` (${worst})`}: ${reason}`)
  for (const { text, rows, plan } of costliest) {
    console.log(`      ${rows} rows: ${text.replaceAll(/\s+/g, ' ').slice(0, 160)}`)
    for (const step of plan.slice(0, 12)) console.log(`        ${step}`)
  }
}

function checkStatements({ statements, tables }) {
  const { broken, unused } = checkPlans(statements, new Set(tables), exceptions.plans)
  section(`${statements.length} different statements`)
  problems.push(...broken.map((line) => `statement with ${line.slice(0, 400)}`))
  return unused
}

/** Fails for exceptions that nothing needs, or takes them out of the file. */
function reportUnused({ costs, plans }) {
  if (values.prune) {
    const kept = {
      costs: exceptions.costs.filter((one) => !costs.includes(one)),
      plans: exceptions.plans.filter((one) => !plans.includes(one)),
    }
    writeFileSync(exceptionsFile, `${JSON.stringify(kept, null, 2)}\n`)
    return
  }
  for (const { case: name } of costs) problems.push(`nothing needs the exception for ${name}`)
  for (const { finding, statement } of plans)
    problems.push(`nothing needs the exception for ${finding} in: ${statement}`)
}

/** Prints the slowest statement or batch of each run; any that is too slow fails. */
function reportSlowest(runs) {
  section('Slowest statement or batch, of the machine that measures')
  for (const { size, cases } of runs) {
    const { slowest, broken } = checkTimes({ cases })
    console.log(`  ${size} statuses: ${slowest}`)
    problems.push(...broken.map((line) => `${size} statuses: slower than it may be: ${line}`))
  }
}

/** Plans before and after `pragma optimize`; decision 40 says why it is not run. */
function printPlanChanges(runs) {
  section('Plans that statistics change')
  for (const { size, planChanges } of runs) {
    console.log(`  ${size} statuses: ${planChanges.length}${values.all ? '' : ' (shown with --all)'}`)
    if (!values.all) continue
    for (const { before, after } of planChanges) {
      const only = (some, others) => some.plan.filter((step) => !others.plan.includes(step)).join('; ')
      console.log(`    ${before.text.replaceAll(/\s+/g, ' ').slice(0, 100)}`)
      console.log(`      before: ${only(before, after)}`)
      console.log(`      after:  ${only(after, before)}`)
    }
  }
}

/** Bytes of a database of 30,000 statuses. */
async function measureSpace() {
  process.chdir(root)
  const { db } = await buildInstance('30000')
  const space = spaceIn(db)
  db.close()
  section('Bytes in the database, with indexes')
  table(
    ['of one', 'bytes', 'of them in indexes', 'at most'],
    space.map(({ name, bytes, inIndexes, atMost }) => [name, bytes, inIndexes, atMost]),
  )
  for (const { name, bytes, atMost } of space)
    if (atMost !== null && bytes > atMost) problems.push(`${name}: ${bytes} bytes are more than ${atMost}`)
}
