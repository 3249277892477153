// `npm run bench:federation`: CPU time that other servers cost us, beside Fedify. `-- --short` measures less. Ends with 1 when a
// bound is broken.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestHarness } from 'wrangler'
import { openInstance } from '../../../test/e2e/federation/support/instance.ts'
import { Router } from '../../../test/e2e/federation/support/router.ts'
import { quiet, root } from '../../lib/server.mjs'
import { section, table } from '../table.mjs'
import { descendantsCalled, onCpu } from './on-cpu.mjs'
import { createNote, farewell, openSender } from './sender.mjs'

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
const loops = values.short ? 5 : 12
const perLoop = 100
const storm = values.short ? 500 : 2_000
/**
 * Milliseconds for reading, verifying and parsing one Create{Note}: twice what the lean prototype needed, or on a slower
 * machine a seventh of what Fedify takes there.
 */
const mostReading = (fedify) => Math.max(0.6, fedify / 7)

const router = new Router()
const sender = await openSender()
const broken = []
const closing = []
let notes = 0

Object.assign(process.env, quiet)
router.install()
router.add('sender.test', async (request) => answerOfSender(new URL(request.url)))
try {
  const local = await openFieldfare()
  const theirs = await openFedify()
  const measured = await measureInbox(local, theirs)
  const deletion = await measureStorm(local)
  printInbox(measured)
  printStorm(deletion, measured)
} finally {
  for (const close of closing.toReversed()) await close()
  router.uninstall()
}
if (broken.length > 0) {
  console.error(`\nBounds broken:\n${broken.map((line) => `  ${line}`).join('\n')}`)
  process.exitCode = 1
} else console.log('\nAll bounds hold.')

function answerOfSender(url) {
  if (url.href === sender.uri) return json(sender.document, 'application/activity+json')
  if (url.pathname !== '/.well-known/webfinger') return new Response('', { status: 404 })
  const self = { rel: 'self', type: 'application/activity+json', href: sender.uri }
  return json({ subject: 'acct:wren@sender.test', links: [self] }, 'application/jrd+json')
}

function json(body, type) {
  return new Response(JSON.stringify(body), { headers: { 'content-type': type } })
}

/** An instance with a follower of the sender. */
async function openFieldfare() {
  const main = join(root, 'test/bench/federation/fieldfare-worker.ts')
  const instance = await openInstance('a', router, { main })
  closing.push(instance.close)
  const reader = await instance.member('reader')
  const call = async (path, method) => {
    const headers = { authorization: `Bearer ${reader.token}` }
    const answer = await instance.fetch(path, { method, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const [{ id }] = await call('/api/v1/accounts/search?q=@wren@sender.test&resolve=true', 'GET')
  await call(`/api/v1/accounts/${id}/follow`, 'POST')
  const follow = { type: 'Follow', actor: reader.uri, object: sender.uri }
  const accept = { id: `${sender.uri}#accept`, type: 'Accept', actor: sender.uri, object: follow }
  await deliver(instance, accept)
  const [relationship] = await call(`/api/v1/accounts/relationships?id[]=${id}`, 'GET')
  if (!relationship.following) throw new Error('Nobody follows the sender')
  const addressee = { mentioned: reader.uri, handle: reader.handle }
  return { instance, inbox: `${instance.origin}/inbox`, addressee, pids: descendantsCalled('workerd') }
}

async function deliver(instance, activity) {
  const { headers, body } = await sender.sign(`${instance.origin}/inbox`, activity)
  const answer = await instance.fetch('/inbox', { method: 'POST', headers, body })
  if (answer.status !== 202) throw new Error(`A delivery got ${answer.status}: ${await answer.text()}`)
}

async function openFedify() {
  const others = new Set(descendantsCalled('workerd'))
  const main = join(root, 'test/bench/federation/fedify-worker.ts')
  const config = {
    name: 'fern',
    main,
    compatibility_date: '2026-10-01',
    compatibility_flags: ['nodejs_compat'],
  }
  const harness = createTestHarness({ root, workers: [{ config }] })
  await harness.listen()
  closing.push(() => harness.close())
  const pids = descendantsCalled('workerd').filter((pid) => !others.has(pid))
  const addressee = { mentioned: 'https://fern.test/users/fern', handle: 'fern@fern.test' }
  const fetch = (path, init) => harness.getWorker('fern').fetch(`https://fern.test${path}`, init)
  return { instance: { fetch }, inbox: 'https://fern.test/inbox', addressee, pids }
}

function freshDeliveries(count, { inbox, addressee }) {
  const sign = () => {
    notes += 1
    return sender.sign(inbox, createNote(sender.uri, notes, addressee))
  }
  return Promise.all(Array.from({ length: count }, sign))
}

/**
 * The best loop of each, turn and turn about, so that a busy machine troubles all alike. What else the machine does, and
 * code that is not compiled yet, only add to a figure: one above its bound gets more loops.
 */
async function measureInbox(local, theirs) {
  for (const one of await freshDeliveries(20, local)) await post(local, one)
  const best = { reading: Infinity, whole: Infinity, database: Infinity, fedify: Infinity }
  const isOver = () => best.reading > mostReading(best.fedify)
  for (let loop = 0; loop < loops || (loop < 4 * loops && isOver()); loop += 1) {
    best.reading = Math.min(best.reading, await measureLoad(local, '/load/reading'))
    best.whole = Math.min(best.whole, await measureLoad(local, '/load/whole'))
    best.fedify = Math.min(best.fedify, await measureLoad(theirs, '/load'))
    best.database = Math.min(best.database, await measureReal(local))
  }
  return best
}

async function measureLoad(target, path) {
  const deliveries = await freshDeliveries(perLoop, target)
  const before = onCpu(target.pids)
  const body = JSON.stringify({ publicKey: sender.document.publicKey.publicKeyPem, deliveries })
  const answer = await target.instance.fetch(path, { method: 'POST', body })
  const text = await answer.text()
  const spent = onCpu(target.pids) - before
  const { statuses } = answer.ok ? JSON.parse(text) : { statuses: [] }
  if (statuses.length !== perLoop || statuses.some((status) => status !== 202))
    throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`)
  return spent / perLoop
}

async function measureReal(target) {
  const deliveries = await freshDeliveries(perLoop, target)
  const before = onCpu(target.pids)
  for (const one of deliveries) await post(target, one)
  return (onCpu(target.pids) - before) / perLoop
}

async function post({ instance }, { headers, body }) {
  const answer = await instance.fetch('/inbox', { method: 'POST', headers, body })
  if (answer.status !== 202) throw new Error(`A delivery got ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** CPU milliseconds of each of many deletions of unknown accounts, with the database and the socket. */
async function measureStorm({ instance, inbox, pids }) {
  const gone = Array.from({ length: storm }, (_, number) => sender.sign(inbox, farewell(number)))
  const deliveries = await Promise.all(gone)
  const before = onCpu(pids)
  for (const one of deliveries) await post({ instance }, one)
  return (onCpu(pids) - before) / storm
}

function printInbox({ reading, whole, database, fedify }) {
  section(`One Create{Note} at the inbox, warm: CPU of the runtime, best of ${loops} loops of ${perLoop}`)
  const most = Number(mostReading(fedify).toFixed(2))
  const row = (name, figure) => [name, figure.toFixed(2), (fedify / figure).toFixed(1)]
  table(
    ['', 'ms', 'Fedify / this'],
    [
      row(`read, digest, verify, parse (at most ${most})`, reading),
      row('the whole request, database answers from memory', whole),
      row('the whole request, with the database and the socket', database),
      row('Fedify 2.3.8 in the same runtime, all in memory', fedify),
    ],
  )
  if (reading > most) broken.push(`reading one Create{Note}: ${reading.toFixed(2)} ms of ${most}`)
  if (whole > fedify)
    broken.push(`the whole request: ${whole.toFixed(2)} ms, and Fedify ${fedify.toFixed(2)}`)
}

function printStorm(deletion, { fedify }) {
  section(`${storm} deletions of unknown accounts`)
  table(
    ['', 'ms', 'Fedify / this'],
    [
      [
        'CPU of the runtime for each, with the database and the socket',
        deletion.toFixed(2),
        (fedify / deletion).toFixed(1),
      ],
    ],
  )
}
