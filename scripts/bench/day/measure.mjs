// Costs of each action of a day, at the bindings of the real Worker in its runtime.
import { createECDH, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { neighbourhood } from '../../../test/bench/neighbourhood.ts'
import { openInstance } from '../../../test/e2e/federation/support/instance.ts'
import { Router } from '../../../test/e2e/federation/support/router.ts'
import { root } from '../../lib/server.mjs'
import { descendantsCalled, onCpu } from '../federation/on-cpu.mjs'
import { followFromEach } from '../followers.mjs'
import { arrivals, readings, writings } from './actions.mjs'
import { call, connect, deliver, disconnect, followRemote, whenever } from './calls.mjs'
import { openWorld } from './world.mjs'

const hosts = Array.from({ length: 50 }, (_, index) => `h${index}.test`)
/** Time for which a delivery keeps its courier awake on the real internet; here the answer comes at once. */
const deliveryMilliseconds = 500
const moreFollowers = 10
const mostBackupMinutes = 30
/** Rows in a part of a full database, which that of the bench is not: 192 KiB of rows of 220 bytes. */
const rowsOfPart = 900
/** Rows of the deletion of a status among 200,000, with all that pruning does: test/scale/pruning.test.ts holds them. */
const pruned = { rowsRead: 98, rowsWritten: 2.3 }
/**
 * Rows of the deletion of an account without relations: read as the budget of pruning counts them, and written as the same
 * test measures them. Of its index entries D1 counts those that are written, not those that go.
 */
const prunedAccount = { rowsRead: 120, rowsWritten: 5.1 }
/** Rows of an id that is forgotten: thirty days of them are read every two days, and one is deleted for each that comes. */
const forgotten = { rowsRead: 15, rowsWritten: 1 }
/** Rows by which an entry of a full feed costs more than one of a shorter feed: test/cron/tasks.test.ts holds them. */
const trimmed = { rowsRead: 6, rowsWritten: 0 }

/**
 * Rows of the counts of a server on a day: the row of a day with its index entry, the day before put into its block and
 * deleted, and those pruned.
 */
const countedByDay = { rowsRead: 40, rowsWritten: 5 }
/** A late status changes the row of its server and that of its author. */
const countedByItself = { rowsRead: 4, rowsWritten: 2 }
/** Rows of an author by whom statuses are counted: those of the statuses are read for their server as well. */
const countedAuthor = { rowsRead: 8, rowsWritten: 1 }

/**
 * The mean costs of each action by its name. `repeats` says how often each is done; `log` takes each with its costs and
 * the rows that each statement of it wrote.
 */
export async function measureActions({ repeats, log }) {
  const router = new Router()
  router.install()
  const instance = await openInstance('home', router, { main: join(root, 'test/bench/day/worker.ts') })
  const closing = []
  try {
    const scene = await prepare(instance, router)
    closing.push(...scene.closing)
    const costs = {}
    const measure = async (name, work, count = repeats) => {
      const { cost, writes } = await costOf(scene, work, count)
      costs[name] = cost
      log(name, cost, writes)
    }
    for (const [name, work] of readings(scene)) await measure(name, work)
    for (const [name, work] of writings(scene)) await measure(name, work)
    for (const [name, work] of arrivals(scene)) await measure(name, work)
    await measure('hour of cron', () => instance.tick({ wholeHour: true }), 1)
    await measure('backup', () => backUp(instance), 1)
    const { parts } = await latestBackup(instance)
    const part = parted(costs.backup, parts)
    costs['part of a backup'] = { ...part, rowsRead: part.rowsRead + rowsOfPart }
    await measureFollowers(scene, costs, measure)
    costs['status pruned'] = { ...noCost(costs.favourite), ...pruned }
    costs['account pruned'] = { ...noCost(costs.favourite), ...prunedAccount }
    costs['activity forgotten'] = { ...noCost(costs.favourite), ...forgotten }
    costs['usage stored'] = { ...noCost(costs.favourite), rowsRead: 1, rowsWritten: 1 }
    costs['server counted by day'] = { ...noCost(costs.favourite), ...countedByDay }
    costs['status counted by itself'] = { ...noCost(costs.favourite), ...countedByItself }
    costs['author counted by day'] = { ...noCost(costs.favourite), ...countedAuthor }
    costs['entry trimmed from a home feed'] = { ...noCost(costs.favourite), ...trimmed }
    return costs
  } finally {
    for (const close of closing) close()
    await instance.close()
    router.uninstall()
  }
}

const latestBackup = async (instance) => (await instance.setup('backups/list', {})).backups[0]

/** A backup as the clock makes it: the first parts in a tick, the others by the queue. */
async function backUp(instance) {
  const { name } = await instance.setup('backups/create', {})
  for (let minute = 0; minute < mostBackupMinutes; minute += 1) {
    await instance.tick()
    const { state } = await instance.setup('backups/show', { name })
    if (state === 'complete') return
    await rest(instance)
  }
  throw new Error('The backup does not end')
}

const parted = (cost, parts) =>
  Object.fromEntries(Object.entries(cost).map(([key, value]) => [key, Number((value / parts).toFixed(3))]))

const noCost = (like) => Object.fromEntries(Object.keys(like).map((key) => [key, 0]))

/** Mean increase of all counters by `count` runs of a work. */
async function costOf({ instance, router, pids }, work, count) {
  // The first time fills caches that the next ones find full.
  await work(0)
  const [before, cpu, passages] = [await rest(instance), onCpu(pids), outgoing(router)]
  const written = await writesOf(instance)
  for (let index = 1; index <= count; index += 1) await work(index)
  const after = await rest(instance)
  const spent = onCpu(pids) - cpu
  const deliveries = outgoing(router) - passages
  const mean = Object.fromEntries(
    Object.keys(after).map((key) => [key, Number(((after[key] - before[key]) / count).toFixed(3))]),
  )
  const cost = {
    ...mean,
    objectMilliseconds: mean.objectMilliseconds + (deliveries / count) * deliveryMilliseconds,
    subrequests: deliveries / count,
    cpuMilliseconds: Number((spent / count).toFixed(2)),
  }
  const writes = Object.entries(await writesOf(instance))
    .map(([text, rows]) => ({ text, rows: (rows - (written[text] ?? 0)) / count }))
    .filter(({ rows }) => rows > 0)
  return { cost, writes }
}

/** Requests that left for other servers so far. */
function outgoing(router) {
  return router.count
}

/** Rows that each statement wrote so far, by its text. */
async function writesOf(instance) {
  return (await instance.fetch('/bench/writes')).json()
}

/** Waits until nothing is under way and every queued message was read. Returns the counters. */
async function rest(instance) {
  const { counts } = await whenever(instance, ({ isIdle }) => isIdle)
  return counts
}

async function prepare(instance, router) {
  countPassages(router)
  const pids = descendantsCalled('workerd')
  const facts = await neighbourhood(instance.origin, new Date())
  for (const { text, json } of facts.inserts) await instance.query(text, json)
  const world = await openWorld(router)
  for (const host of hosts) router.add(host, world.answer)
  for (const host of ['push.test', 'linked.test', 'elsewhere.example']) router.add(host, world.answer)
  // With a key, which rows alone do not have.
  const me = await instance.member('me')
  await takeOver(instance, { from: facts.reader, to: Number(me.id) })
  await followFromEach(hosts, { instance, target: me.id })
  const wren = world.account('wren')
  const scene = { instance, router, world, facts, me, wren, pids, closing: [] }
  await followRemote(scene, wren)
  await subscribeToPush(instance, me.token)
  scene.stranger = world.account('lark')
  return scene
}

/** Moves the timelines of an account to another. */
async function takeOver(instance, { from, to }) {
  for (const table of ['home_entries', 'follows', 'notifications', 'favourites', 'bookmarks'])
    await instance.query(`update ${table} set account_id = ? where account_id = ?`, to, from)
}

/** Router with a counter of all requests but those to the instance itself. */
function countPassages(router) {
  router.count = 0
  const route = router.route.bind(router)
  router.route = (request) => {
    const { hostname } = new URL(request.url)
    if (hostname.endsWith('.test') && hostname !== 'home.test') router.count += 1
    return route(request)
  }
}

async function subscribeToPush(instance, token) {
  const pair = createECDH('prime256v1')
  const keys = { p256dh: pair.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
  await call(instance, token, '/api/v1/push/subscription', {
    method: 'POST',
    body: {
      subscription: { endpoint: 'https://push.test/device', keys },
      data: { alerts: { favourite: true, mention: true, follow: true } },
    },
  })
}

/** Measures further followers of an author, and followers with an open stream. */
async function measureFollowers(scene, costs, measure) {
  const { instance, wren, me, closing } = scene
  const post = () => deliver(instance, wren, wren.write())
  await measure('inbound post, alone', post)
  const socket = await connect(instance, me.token)
  closing.push(() => socket.terminate())
  await measure('inbound post, connected', post)
  await disconnect(instance, socket)
  for (let index = 0; index < moreFollowers; index += 1) {
    const member = await instance.member(`member${index}`)
    await instance.query(
      'insert into follows (id, account_id, target_account_id, created_at) values (?, ?, ?, ?)',
      1_000 + index,
      Number(member.id),
      Number(wren.id),
      Date.now(),
    )
  }
  await measure('inbound post, more followers', post)
  const alone = costs['inbound post, alone']
  costs['one connected follower of an author'] = less(costs['inbound post, connected'], alone, 1)
  costs['one more local follower of an author'] = less(
    costs['inbound post, more followers'],
    alone,
    moreFollowers,
  )
}

function less(one, other, parts) {
  return Object.fromEntries(
    Object.keys(one).map((key) => [key, Number((Math.max(0, one[key] - other[key]) / parts).toFixed(3))]),
  )
}
