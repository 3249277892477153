// The home page of 20 beside an endpoint that touches no database, in one run.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../lib/server.mjs'
import { cpuSeconds, load } from './load.mjs'

/** Goes the whole way of an API call, flood gate included, and asks the database nothing. */
const floorPath = 'api/v1/instance/translation_languages'
const homePath = 'api/v1/timelines/home?limit=20'
/** Turn and turn about, so that a busy machine troubles both alike. */
const turns = 5

/** CPU seconds per 1000 requests at concurrency 1 and 8, of this whole process tree and of the server in it. */
export async function measureCpu({ requests }) {
  const child = spawn(process.execPath, [join(root, 'scripts/bench/serve.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, token } = await factsOf(child)
    const headers = { Authorization: `Bearer ${token}` }
    const send = (path, count, concurrency) =>
      load(`${url}${path}`, { count, concurrency, headers: path === floorPath ? {} : headers })
    await send(floorPath, 500, 8)
    await send(homePath, 1_000, 8)
    const rounds = []
    for (const concurrency of [1, 8])
      rounds.push(await measureRound(child.pid, send, { concurrency, requests }))
    return { floorPath: `/${floorPath}`, rounds }
  } finally {
    child.kill('SIGTERM')
  }
}

async function measureRound(pid, send, { concurrency, requests }) {
  const tree = { floor: 0, home: 0 }
  const server = { floor: 0, home: 0 }
  for (let turn = 0; turn < turns; turn += 1)
    for (const [name, path] of [
      ['floor', floorPath],
      ['home', homePath],
    ]) {
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
