// CPU time of the server for what is asked most, beside a route without a database and one trivial trip, in one run.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../lib/server.mjs'
import { cpuSeconds, load } from './load.mjs'

/** Paths that are measured, by name. Those without `anonymous` are asked with the token of the reader. */
const pathsOf = ({ author, status }) => ({
  health: { path: 'health', anonymous: true },
  // `select 1` beside the app: see trip.mjs.
  trip: { path: 'bench/trip', anonymous: true },
  home: { path: 'api/v1/timelines/home?limit=20' },
  notifications: { path: 'api/v1/notifications?limit=20' },
  public: { path: 'api/v1/timelines/public?limit=20' },
  'public, anonymous': { path: 'api/v1/timelines/public?limit=20', anonymous: true },
  'statuses of an account': { path: `api/v1/accounts/${author}/statuses?limit=20` },
  status: { path: `api/v1/statuses/${status}` },
  search: { path: 'api/v2/search?q=neighbour&limit=20' },
  NodeInfo: { path: 'nodeinfo/2.0', anonymous: true },
  instance: { path: 'api/v2/instance', anonymous: true },
  WebFinger: { path: '.well-known/webfinger?resource=acct:neighbour0@localhost', anonymous: true },
  actor: { path: 'users/neighbour0', anonymous: true, accept: 'application/activity+json' },
})
/** Turn and turn about, so that a busy machine troubles all alike. */
const turns = 5
const concurrency = 8
/** The kernel counts hundredths of a second: what everything is compared with needs enough of them. */
const moreOfCheap = 2

/** CPU seconds for 1,000 requests of each path: of the process tree of the server alone, without the client. */
export async function measureCpu({ requests }) {
  const child = spawn(process.execPath, [join(root, 'scripts/bench/serve.mjs')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const { url, token, ...facts } = await factsOf(child)
    const paths = Object.entries(pathsOf(facts))
    const send = ({ path, anonymous, accept = '*/*' }, count) =>
      load(`${url}${path}`, {
        count,
        concurrency,
        headers: { Accept: accept, ...(anonymous ? {} : { Authorization: `Bearer ${token}` }) },
      })
    for (const [, path] of paths) await send(path, 400)
    const figures = Object.fromEntries(paths.map(([name]) => [name, 0]))
    for (let turn = 0; turn < turns; turn += 1)
      for (const [name, path] of paths) {
        const count = (requests / turns) * (name === 'health' || name === 'trip' ? moreOfCheap : 1)
        const before = cpuSeconds(child.pid)
        await send(path, count)
        figures[name] += (((cpuSeconds(child.pid) - before) / count) * 1_000) / turns
      }
    return figures
  } finally {
    child.kill('SIGTERM')
  }
}

/** The line the server prints once it answers. */
function factsOf(child) {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it answered`)))
  })
}
