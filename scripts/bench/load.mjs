// Sends requests and reads their CPU time on the server.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** Clients whose addresses take turns: one alone would soon be counted for the limits of one address. */
const clients = 4_096

/**
 * Sends `count` requests, `concurrency` at a time over kept-alive connections. Throws at the first that is not 200.
 * `requestAt` makes method, headers and body of each by its number.
 */
export async function load(url, { count, concurrency, requestAt }) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let left = count
  const worker = async () => {
    while (left > 0) {
      left -= 1
      const client = left % clients
      const address = `10.0.${client >> 8}.${client & 255}`
      const { headers, ...options } = requestAt(left)
      await once(url, { agent, ...options, headers: { ...headers, 'CF-Connecting-IP': address } })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  agent.destroy()
}

function once(url, { body, ...options }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
      response.resume()
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/**
 * CPU seconds, user and system, that a process and all that descend from it have used so far: of the threads that run,
 * to the nanosecond, as /proc/PID/task/TID/schedstat counts them.
 */
export function cpuSeconds(pid) {
  const processes = idsIn('/proc').flatMap(parentOf)
  const family = new Set([pid])
  // A child may be listed before its parent, so repeat until none is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id)
  }
  const threads = [...family].flatMap((id) =>
    idsIn(`/proc/${id}/task`).map((thread) => `/proc/${id}/task/${thread}`),
  )
  return threads.reduce((sum, thread) => sum + nanosecondsOf(thread), 0) / 1e9
}

function idsIn(folder) {
  return unlessEnded(() => readdirSync(folder).filter((name) => /^\d+$/.test(name))) ?? []
}

function parentOf(id) {
  const stat = unlessEnded(() => readFileSync(`/proc/${id}/stat`, 'utf8'))
  if (stat === null) return []
  // The command in parentheses may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [{ id: Number(id), parent: Number(fields[1]) }]
}

function nanosecondsOf(thread) {
  const schedstat = unlessEnded(() => readFileSync(`${thread}/schedstat`, 'utf8'))
  return schedstat === null ? 0 : Number(schedstat.split(' ')[0])
}

/** Result of a read in /proc; null for a process or thread that ended between the listing and the reading. */
function unlessEnded(read) {
  try {
    return read()
  } catch (failure) {
    if (failure.code === 'ENOENT' || failure.code === 'ESRCH') return null
    throw failure
  }
}
