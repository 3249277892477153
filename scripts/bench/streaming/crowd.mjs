// Many sockets with the time of each received message, and the counters of the measured Worker.
import { WebSocket } from 'ws'
import { name } from '../miniflare.mjs'

/** Connections opened at once: a crowd comes, but not in the same instant. */
const atOnce = 20
const timeoutMilliseconds = 60_000

/** A stream connection of a person; `received` has the arrival time of every event by its subject. */
class Listener {
  received = new Map()
  extra = 0

  constructor(ws, accountId) {
    this.ws = ws
    this.accountId = accountId
    ws.on('message', (data) => this.#note(String(data)))
    // An error closes the socket, which is counted.
    ws.on('error', () => undefined)
  }

  /** False once the other side closed. */
  get isOpen() {
    return this.ws.readyState === WebSocket.OPEN
  }

  #note(text) {
    const at = performance.now()
    const { event, payload } = JSON.parse(text)
    const key = `${event} ${event === 'update' ? JSON.parse(payload).id : payload}`
    if (this.received.has(key)) this.extra += 1
    else this.received.set(key, at)
  }
}

/** Evicts the connection object of each person, whose sockets stay open. */
export function evict(server, people) {
  return Promise.all(
    people.map(({ id }) =>
      server.unsafeEvictDurableObject(name, 'Connection', { name: String(id), webSockets: 'hibernate' }),
    ),
  )
}

/** Opens `each` sockets to the home stream of every person. */
export async function gather(url, people, each) {
  const wanted = people.flatMap((person) => Array.from({ length: each }, () => person))
  const crowd = []
  const next = wanted.values()
  const open = async () => {
    for (const { id, token } of next) crowd.push(await connect(url, id, token))
  }
  await Promise.all(Array.from({ length: atOnce }, open))
  return crowd
}

function connect(url, accountId, token) {
  return new Promise((resolve, reject) => {
    const address = new URL('/api/v1/streaming?stream=user', url)
    address.protocol = 'ws:'
    const headers = { Authorization: `Bearer ${token}` }
    const ws = new WebSocket(address.href, { headers, perMessageDeflate: false })
    const listener = new Listener(ws, accountId)
    ws.once('open', () => resolve(listener))
    ws.once('error', reject)
  })
}

/** Arrival times of an event at each connection, or at as many as received it within a minute. */
export async function arrivals(crowd, key) {
  await until(() => crowd.every(({ received }) => received.has(key)))
  return crowd.flatMap(({ received }) => received.get(key) ?? [])
}

/** Waits until something holds, but no longer than a minute; does it? */
export async function until(holds) {
  const end = performance.now() + timeoutMilliseconds
  while (!holds()) {
    if (performance.now() > end) return false
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return true
}

/** Counters of the measured Worker (test/bench/streaming/worker.ts), once nothing is under way. */
export async function idleCounts(url) {
  const end = performance.now() + timeoutMilliseconds
  for (;;) {
    const { isIdle, counts } = await (await fetch(new URL('/counts', url))).json()
    if (isIdle) return counts
    if (performance.now() > end)
      throw new Error(`The server does not come to rest: ${JSON.stringify(counts)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Runs some work. Returns its result, and the increase of the counters. */
export async function counting(url, work) {
  const before = await idleCounts(url)
  const result = await work()
  const after = await idleCounts(url)
  const change = Object.entries(after).map(([key, figure]) => [key, figure - before[key]])
  return { result, change: Object.fromEntries(change) }
}

/** Posts a status, and returns the key of its event and the times of its request. */
export async function post(url, { token }) {
  const began = performance.now()
  const answer = await fetch(new URL('/api/v1/statuses', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: 'Two fieldfares in the apple tree this morning #birds' }),
  })
  const answeredAt = performance.now()
  if (!answer.ok) throw new Error(`Posting answered ${answer.status}: ${await answer.text()}`)
  const { id } = await answer.json()
  return { key: `update ${id}`, began, answeredAt }
}

/** Number of connections that answer a ping of the protocol. */
export async function pingAll(crowd) {
  let pongs = 0
  for (const { ws } of crowd) {
    ws.once('pong', () => {
      pongs += 1
    })
    ws.ping()
  }
  await until(() => pongs === crowd.length)
  return pongs
}

export function disperse(crowd) {
  for (const { ws } of crowd) ws.terminate()
}
