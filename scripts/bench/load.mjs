// Sends requests and reads what they cost the server in CPU time.
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

/** Sends `count` requests, `concurrency` at a time over kept-alive connections. Throws at the first that is not 200. */
export async function load(url, { count, concurrency, headers = {} }) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
  let left = count
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await once(url, { agent, headers })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  agent.destroy()
}

function once(url, options) {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => {
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
      response.resume()
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Ticks of the kernel's clock a second; the same on every Linux that Node runs on. */
const ticksPerSecond = 100

/** CPU seconds, user and system, that a process and all that descend from it have used so far. */
export function cpuSeconds(pid) {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf)
  const family = new Set([pid])
  // A child may be listed before its parent, so go on until nobody joins.
  for (let size = 0; size !== family.size; ) {
    size = family.size
    for (const { id, parent } of processes) if (family.has(parent)) family.add(id)
  }
  const ticks = processes.filter(({ id }) => family.has(id)).reduce((sum, { used }) => sum + used, 0)
  return ticks / ticksPerSecond
}

function statOf(name) {
  let stat
  try {
    stat = readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch (failure) {
    // The process ended between the listing and the reading.
    if (failure.code === 'ENOENT' || failure.code === 'ESRCH') return []
    throw failure
  }
  // The command in parentheses may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [{ id: Number(name), parent: Number(fields[1]), used: Number(fields[11]) + Number(fields[12]) }]
}
