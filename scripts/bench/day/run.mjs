// `npm run bench:day`: what a day of 1, 5, 10 and 100 people uses of Cloudflare's quotas, and the bill. Each action is measured
// on the real Worker, and multiplied by how often it happens (model.mjs). `-- --short` repeats each action less; `-- --write`
// keeps the results and writes the table of docs/operate/limits-and-costs.md; `-- --writes` prints the rows that each
// statement of an action wrote, with its indexes and triggers. Ends with 1 where one person uses more than
// half of a quota of the free plan.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writePart } from '../../lib/document-part.mjs'
import { root } from '../../lib/server.mjs'
import { section, table } from '../table.mjs'
import { allDays, carriedByFree, mostOfOnePerson, overdrawn, tableOf } from './day.mjs'
import { measureActions } from './measure.mjs'
import { actionsOf } from './model.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    debug: { type: 'boolean', default: false },
    writes: { type: 'boolean', default: false },
  },
})

const costs = await measureActions({
  // Divisible by three: one post of three has hashtags.
  repeats: values.short ? 2 : 9,
  log: (name, cost, writes) => {
    if (values.debug) console.error(name, JSON.stringify(cost))
    if (values.writes) printWrites(name, writes)
  },
})
const days = allDays(costs)
printActions()
for (const day of days) printDay(day)
const { people: most, followsOfTen } = carriedByFree(costs)
console.log(`\nThe free plan carries ${most} people of 400 follows each, or ten of ${followsOfTen}.`)
if (values.write) {
  const named = new Set(Object.keys(actionsOf(1)))
  const kept = Object.fromEntries(Object.entries(costs).filter(([name]) => named.has(name)))
  const measuredOn = new Date().toISOString().slice(0, 10)
  writeFileSync(
    join(root, 'scripts/bench/day/kept-results.json'),
    `${JSON.stringify({ measuredOn, costs: kept }, null, 2)}\n`,
  )
  writePart(join(root, 'docs/operate/limits-and-costs.md'), 'bench:day', tableOf(kept))
}
const broken = days.flatMap(overdrawn)
if (broken.length > 0) {
  console.error(`\nOne person uses more than ${mostOfOnePerson * 100} % of the free plan:`)
  for (const { name, ofFree, biggest } of broken)
    console.error(
      `  ${name}: ${(ofFree * 100).toFixed(0)} %, most of it ${biggest.map((one) => `${one.name} (${(one.share * 100).toFixed(0)} %)`).join(', ')}`,
    )
  process.exitCode = 1
} else console.log('\nOne person leaves half of each quota of the free plan.')

function printWrites(name, writes) {
  const sorted = writes.toSorted((one, other) => other.rows - one.rows)
  section(`Rows written: ${name}`)
  table(
    ['rows', 'statement'],
    sorted.map(({ text, rows }) => [Number(rows.toFixed(2)), text.replaceAll(/\s+/g, ' ').slice(0, 160)]),
  )
}

function printActions() {
  section('Costs of an action')
  const [one, hundred] = [actionsOf(1), actionsOf(100)]
  table(
    [
      'action',
      'a day, 1',
      'a day, 100',
      'requests',
      'D1 read',
      'written',
      'objects',
      'queue',
      'out',
      'CPU ms',
    ],
    Object.keys(one).map((name) => {
      const cost = costs[name]
      const counts = [one[name], hundred[name]].map((count) => count.toFixed(count < 10 ? 1 : 0))
      const figures = [
        cost.requests,
        cost.rowsRead,
        cost.rowsWritten,
        cost.objectCalls,
        2 * cost.queueWritten + cost.queueRead,
        cost.subrequests,
        cost.cpuMilliseconds,
      ]
      return [name, ...counts, ...figures.map((figure) => Number(figure.toFixed(1)))]
    }),
  )
}

function printDay({ people, rows, bill, milliseconds, cpuDollars }) {
  section(`A day of ${people === 1 ? 'one person' : `${people} people`}`)
  table(
    ['quota', 'used', 'of Free', 'of Paid', 'dollars', 'most of it'],
    rows.map(({ name, used, ofFree, ofPaid, dollars, biggest }) => [
      name,
      Math.round(used).toLocaleString('en-US'),
      `${(ofFree * 100).toFixed(1)} %`,
      `${(ofPaid * 100).toFixed(1)} %`,
      dollars.toFixed(2),
      biggest.map((one) => `${one.name} ${(one.share * 100).toFixed(0)} %`).join(', '),
    ]),
  )
  console.log(
    `CPU of Worker, database and objects in the local runtime: ${(milliseconds / 1000).toFixed(0)} s`,
  )
  console.log(
    `Bill on the paid plan: $${bill.toFixed(2)} a month, and $${cpuDollars.toFixed(2)} for CPU as measured here`,
  )
}
