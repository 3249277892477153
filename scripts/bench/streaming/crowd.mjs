// Many sockets, and when each of them heard what.
import { WebSocket } from 'ws'

/** Connections opened at once: a crowd comes, but not in the same instant. */
const atOnce = 20
const timeoutMilliseconds = 60_000

/** A stream connection of a person; `heard` has the arrival time of every event by its subject. */
class Listener {
  heard = new Map()
  extra = 0

  constructor(ws, accountId) {
    this.ws = ws
    this.accountId = accountId
    ws.on('message', (data) => this.#note(String(data)))
    // An error closes the socket, which is counted.
    ws.on('error', () => undefined)
  }

  /** False as soon as it was told that the other side closes. */
  get isOpen() {
    return this.ws.readyState === WebSocket.OPEN
  }

  #note(text) {
    const at = performance.now()
    const { event, payload } = JSON.parse(text)
    const key = `${event} ${event === 'update' ? JSON.parse(payload).id : payload}`
    if (this.heard.has(key)) this.extra += 1
    else this.heard.set(key, at)
  }
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
  await until(() => crowd.every(({ heard }) => heard.has(key)))
  return crowd.flatMap(({ heard }) => heard.get(key) ?? [])
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

export function disperse(crowd) {
  for (const { ws } of crowd) ws.terminate()
}
