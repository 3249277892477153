// The home page of 20 beside an endpoint that touches no database, in one run.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../lib/server.mjs'
import { cpuSeconds, load } from './load.mjs'

/** Measured requests: the home page, an API call without database, and the smallest route. */
const paths = {
  home: 'api/v1/timelines/home?limit=20',
  // Goes the same way as the home page, flood gate included: its local emulation is a database of its own.
  floor: 'api/v1/instance/translation_languages',
  health: 'health',
}
/** Turn and turn about, so that a busy machine troubles all alike. */
const turns = 5

/** CPU seconds per 1000 requests at concurrency 1 and 8, of this whole process tree and of the server in it. */
export async function measureCpu({ requests }) {
  const child = spawn(process.execPath, [join(root, 'scripts/bench/serve.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, token } = await factsOf(child)
    // A token would have to be looked up.
    const headersOf = (path) => (path === paths.home ? { Authorization: `Bearer ${token}` } : {})
    const send = (path, count, concurrency) =>
      load(`${url}${path}`, { count, concurrency, headers: headersOf(path) })
    for (const path of Object.values(paths)) await send(path, 500, 8)
    const rounds = []
    for (const concurrency of [1, 8])
      rounds.push(await measureRound(child.pid, send, { concurrency, requests }))
    return { paths, rounds }
  } finally {
    child.kill('SIGTERM')
  }
}

async function measureRound(pid, send, { concurrency, requests }) {
  const tree = { home: 0, floor: 0, health: 0 }
  const server = { home: 0, floor: 0, health: 0 }
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, path] of Object.entries(paths)) {
      const before = [cpuSeconds(process.pid), cpuSeconds(pid)]
      await send(path, requests / turns, concurrency)
      tree[name] += ((cpuSeconds(process.pid) - before[0]) / requests) * 1_000
      server[name] += ((cpuSeconds(pid) - before[1]) / requests) * 1_000
    }
  return { concurrency, tree, server }
}

/** The line the server prints once it answers. */
function factsOf(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it answered`)))
  })
}
