// `npm run bench:streaming`: the cost of many connections. `-- --short` measures less, `-- --people 1000 --each 1` opens one
// socket for each of a thousand people. Ends with 1 when a bound is broken.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as later } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { quiet } from '../../lib/server.mjs'
import { descendantsCalled, onCpu } from '../federation/on-cpu.mjs'
import { section, table } from '../table.mjs'
import { exchange, openBareObjects } from './bare.mjs'
import { arrivals, counting, disperse, evict, idleCounts, pingAll, post, until } from './crowd.mjs'
import { gatherInParts } from './memory.mjs'
import { openCrowdedServer } from './server.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    people: { type: 'string', default: '200' },
    each: { type: 'string', default: '5' },
  },
})
const accounts = Number(values.people)
const each = Number(values.each)
/**
 * Bounds of five sockets each, and of one. `aboveBare` are KiB for each socket above those of an object that only accepts it:
 * 65 to 72 and 134 to 190 measured. The first message makes each object read and store rules, all at once: its temporary memory
 * stays resident.
 */
const most =
  each > 1
    ? { aboveBare: 100, asleep: 200, tripsToOpen: 2.5, tripsToPublish: 1, median: 1_000 }
    : {
        aboveBare: 225,
        asleep: 200,
        tripsToOpen: 3,
        tripsToPublish: 2,
        median: Math.max(300, 0.3 * accounts),
      }
/** Parts in which the crowd comes. */
const parts = values.short ? 2 : 5
const posts = values.short ? 5 : 20
/** The runtime hibernates objects after ten seconds without a call. */
const idleSeconds = values.short ? 15 : 30
/** Objects that are restarted while a post goes round. */
const restarted = 50

const broken = []
Object.assign(process.env, quiet)
const folder = mkdtempSync(join(tmpdir(), 'fieldfare-bench-'))
let bench = null
try {
  bench = await open()
  const measured = await measure(bench)
  printLatency(measured)
  printCosts(measured)
  printMemory(measured)
  printCrowd(measured)
} finally {
  await bench?.server.dispose()
  rmSync(folder, { recursive: true, force: true })
}
if (broken.length > 0) {
  console.error(`\nBounds broken:\n${broken.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
} else console.log('\nAll bounds hold.')

/** The measured server, and its processes. */
async function open() {
  console.error('Building ...')
  const place = await openCrowdedServer(folder, accounts)
  return { ...place, pids: descendantsCalled('workerd') }
}

async function measure({ server, url, pids, author, listeners, clientId }) {
  const counted = (work) => counting(url, work)
  let touches = 0
  // Makes a trip to the database, and calls no object.
  const touch = async () => {
    touches += 1
    const headers = { Authorization: `Bearer ${author.token}` }
    const answer = await fetch(new URL('/api/v1/accounts/verify_credentials', url), { headers })
    if (!answer.ok) throw new Error(`Verifying a token answered ${answer.status}`)
    await answer.text()
  }

  console.error('Posting to nobody ...')
  for (let nth = 0; nth < 5; nth += 1) await post(url, author)
  const alone = await counted(() => inTurn(posts, () => post(url, author)))

  const opening = await counted(() => openSockets({ server, url, people: listeners, each, pids, touch }))
  const { gathering, bare } = opening.result
  const { crowd, seconds: openSeconds, asleep } = gathering
  const openTrips = (opening.change.trips + opening.change.tripsOfObjects - touches) / crowd.length
  const reach = async () => {
    const posted = await post(url, author)
    return { ...posted, times: await arrivals(crowd, posted.key) }
  }
  const first = await counted(reach)

  console.error('Posting to all ...')
  const cpuBefore = onCpu(pids)
  const told = await counted(() => inTurn(posts, reach))
  const cpu = (onCpu(pids) - cpuBefore) / posts
  // Measured after the posts: a collection may discard compiled code, and the next ones would be slower.
  await gathering.measure()
  const memory = { awake: gathering.sum, asleep, bare }

  console.error(`Idle for ${idleSeconds} s ...`)
  const beforeIdle = onCpu(pids)
  const asleepFrom = await idleCounts(url)
  await later(idleSeconds * 1000)
  const idleCpu = (onCpu(pids) - beforeIdle) / idleSeconds
  const pinged = await pingAll(crowd)
  const afterPing = await idleCounts(url)
  const woken = await counted(reach)

  console.error('Restarting objects in mid-broadcast ...')
  const evicted = listeners.slice(0, restarted)
  const stormy = await counted(async () => {
    const posted = await post(url, author)
    await evict(server, evicted)
    return { ...posted, times: await arrivals(crowd, posted.key) }
  })
  const calm = await counted(reach)

  console.error('Ending a session ...')
  const ended = await endSession(url, clientId, listeners[0], crowd)

  const reached = [first.result, ...told.result, woken.result, stormy.result, calm.result]
  const missed = reached.reduce((sum, { times }) => sum + crowd.length - times.length, 0)
  const twice = crowd.reduce((sum, { extra }) => sum + extra, 0)
  const lost = crowd.filter(({ isOpen, accountId }) => !isOpen && accountId !== listeners[0].id).length
  disperse(crowd)

  const { largestBranch } = await idleCounts(url)
  const sleptThrough = { pings: crowd.length - pinged, woken: afterPing.woken - asleepFrom.woken }
  const rebuilt = stormy.change.woken + calm.change.woken
  const crowded = { missed, twice, lost, rebuilt, sleptThrough }
  return {
    alone,
    told,
    woken,
    stormy,
    ended,
    crowded,
    openSeconds,
    openTrips,
    memory,
    cpu,
    largestBranch,
    idleCpu,
    sockets: crowd.length,
  }
}

/** Opens the sockets of a crowd, and as many of bare objects; what these take is returned. */
async function openSockets(place) {
  const bare = await openBareObjects()
  try {
    console.error(`Opening ${accounts * each} sockets in ${parts} parts, and as many of bare objects ...`)
    const [gathering, yardstick] = await gatherInParts([place, { ...place, ...bare }], parts)
    const { crowd, asleep } = yardstick
    await exchange(crowd, 'wake')
    await yardstick.measure()
    const cpuBefore = onCpu(bare.pids)
    const milliseconds = await exchange(crowd, 'again')
    const cpu = onCpu(bare.pids) - cpuBefore
    disperse(crowd)
    return { gathering, bare: { awake: yardstick.sum, asleep, milliseconds, cpu } }
  } finally {
    await bare.server.dispose()
  }
}

function printLatency({ alone, told, memory: { bare }, sockets }) {
  const each = (look) => told.result.map(({ times, answeredAt }) => look(times) - answeredAt)
  const all = told.result.flatMap(({ times, answeredAt }) => times.map((at) => at - answeredAt))
  const answers = ({ result }) => result.map(({ began, answeredAt }) => answeredAt - began)
  const last = milliseconds(each((times) => Math.max(...times)))
  section(`A post reaching ${sockets} sockets of ${accounts} accounts, ${posts} times`)
  table(
    ['milliseconds', 'p50', 'p99', 'at most'],
    [
      ['from the answer to the first socket', ...milliseconds(each((times) => Math.min(...times)))],
      ['from the answer to a socket', ...milliseconds(all)],
      [
        'from the answer to the last socket',
        ...milliseconds(
          each((times) => Math.max(...times)),
          'latency to the last socket',
          { median: most.median, worst: Math.max(3_000, 3 * accounts) },
        ),
      ],
      [
        'from a word to each socket of bare objects to the last answer',
        Math.round(bare.milliseconds),
        '-',
        '-',
      ],
      ['to the last socket, of that', (last[0] / bare.milliseconds).toFixed(1), '-', '-'],
      ['answering, with everybody listening', ...milliseconds(answers(told))],
      ['answering, with nobody listening', ...milliseconds(answers(alone))],
    ],
  )
}

function printCosts({ alone, told, cpu, memory: { bare }, largestBranch }) {
  // The author is not connected: each hundred listeners take a branch.
  const branches = accounts > 100 ? Math.ceil(accounts / 100) : 0
  const per = (figure) => Math.round((figure / posts) * 10) / 10
  const trips = per(told.change.trips - alone.change.trips)
  section('What a post costs')
  table(
    ['', 'nobody listens', 'all listen', 'at most'],
    [
      row('calls of connection objects', per(told.change.deliveries), accounts, per(alone.change.deliveries)),
      row('calls of branches', per(told.change.branches), branches, 0),
      row('calls that one branch makes', largestBranch, 100, 0),
      row('trips to the database for those who listen', trips, most.tripsToPublish, 0),
      row('trips of the objects themselves', per(told.change.tripsOfObjects), 0, 0),
      row('CPU of the runtime, ms', Math.round(cpu), Math.max(2_000, 2 * accounts), '-'),
      ['CPU of bare objects that send a word back, ms', '-', Math.round(bare.cpu), '-'],
      ['CPU of the runtime, of that', '-', (cpu / bare.cpu).toFixed(1), '-'],
    ],
  )
}

function printMemory({ memory: { awake, asleep, bare } }) {
  section('Resident memory of the runtime for each socket, KiB')
  const line = (title, own, yardstick, most) =>
    row(title, own.toFixed(0), most, yardstick.toFixed(0), (own - yardstick).toFixed(0))
  table(
    ['', 'bare object', 'above it', 'Fieldfare', 'at most'],
    [
      line(
        'all objects awake, after messages to each',
        awake,
        bare.awake,
        Math.round(bare.awake + most.aboveBare),
      ),
      line('objects asleep, what parts of the crowd after the first add', asleep, bare.asleep, most.asleep),
    ],
  )
}

function printCrowd({ woken, stormy, ended, crowded, openSeconds, openTrips, idleCpu }) {
  const { missed, twice, lost, rebuilt, sleptThrough } = crowded
  section('The crowd')
  table(
    ['', 'figure', 'at most'],
    [
      row('opening all sockets, s', openSeconds.toFixed(1), Math.max(90, 0.09 * accounts * each)),
      row('trips to the database for each socket opened', openTrips.toFixed(2), most.tripsToOpen),
      row(`CPU while idle for ${idleSeconds} s, ms a second`, idleCpu.toFixed(1), 40),
      row('objects woken by a ping of every socket', sleptThrough.woken, 0),
      row('pings without an answer', sleptThrough.pings, 0),
      row('objects that had not slept when the next post came', accounts - woken.change.woken, 0),
      row('to the last socket after that, ms', lastOf(woken), Math.max(5_000, 5 * accounts)),
      row(`to the last socket while ${restarted} objects restart, ms`, lastOf(stormy), 5_000),
      row('of these, objects not built anew', Math.max(0, restarted - rebuilt), 0),
      row('from the end of a session to that of its sockets, ms', ended, 1_000),
      row('posts that a socket missed', missed, 0),
      row('events that came twice', twice, 0),
      row('sockets lost', lost, 0),
    ],
  )
}

/** A table row that ends with the measured value and its bound. */
function row(title, figure, most, ...before) {
  return [title, ...before, bound(title, figure, most), most]
}

function bound(title, figure, most) {
  if (!(Number(figure) <= most)) broken.push(`${title}: ${figure} is more than ${most}`)
  return figure
}

function milliseconds(figures, title, limits) {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))])
  if (title === undefined) return [at(0.5), at(0.99), '-']
  const { median, worst } = limits
  return [bound(`median ${title}`, at(0.5), median), bound(title, at(0.99), worst), `${median}, ${worst}`]
}

function lastOf({ result: { times, answeredAt } }) {
  return Math.round(Math.max(...times) - answeredAt)
}

async function inTurn(count, work) {
  const results = []
  for (let nth = 0; nth < count; nth += 1) results.push(await work())
  return results
}

async function endSession(url, clientId, { id, token }, crowd) {
  const own = crowd.filter(({ accountId }) => accountId === id)
  const body = new URLSearchParams({ client_id: clientId, token })
  const answer = await fetch(new URL('/oauth/revoke', url), { method: 'POST', body })
  const answeredAt = performance.now()
  if (!answer.ok) throw new Error(`Revoking answered ${answer.status}: ${await answer.text()}`)
  const areClosed = await until(() => own.every(({ isOpen }) => !isOpen))
  return areClosed ? Math.round(performance.now() - answeredAt) : Number.NaN
}
