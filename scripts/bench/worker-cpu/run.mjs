// `npm run bench:cpu`: CPU time of a request, beside the 10 ms that one has on the free plan: of the Worker alone by the
// profiler of its isolate, and of the whole runtime, with the stand-ins of database and bucket, as the system counts it. The
// second is the more exact and above what is billed; what lies between the two is in doubt. `-- --short` repeats each request
// less; `-- --write` writes the table of docs/operate/limits-and-costs.md.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { neighbourhood } from '../../../test/bench/neighbourhood.ts'
import { writePart } from '../../lib/document-part.mjs'
import { childrenOf } from '../../lib/processes.mjs'
import { root } from '../../lib/server.mjs'
import { cpuSeconds } from '../load.mjs'
import { fill, name, openMiniflare, origin } from '../miniflare.mjs'
import { npx } from '../npx.mjs'
import { section, table } from '../table.mjs'
import { judgeWorkerCpu, tableOfCpu } from './judge.mjs'
import { pictureOf } from './pictures.mjs'
import { openProfiler } from './profiler.mjs'

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
})
const [warmUps, repeats] = values.short ? [5, 7] : [15, 25]
/** Quiet after which late work is taken for done. */
const restMilliseconds = 150

console.error('Building ...')
await npx(['wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist'])
const { server, url, db } = await openMiniflare(join(root, 'dist/index.js'), undefined, {
  hasObjectsApart: true,
  inspectorPort: 0,
})
try {
  const facts = await neighbourhood(origin, new Date())
  await fill(db, facts.inserts)
  const profiler = await openProfiler(server, name)
  const figures = []
  for (const [action, { count = repeats, warm = warmUps, isOnce = false, send }] of Object.entries(
    requestsOf(facts),
  )) {
    for (let index = 0; index < warm; index += 1) await send(index)
    const rest = () => new Promise((resolve) => setTimeout(resolve, restMilliseconds))
    const before = runtimeMilliseconds()
    if (!isOnce) for (let index = 0; index < count; index += 1) await send(warm + index)
    await rest()
    const runtime = isOnce ? null : (runtimeMilliseconds() - before) / count
    const measured = []
    for (let index = 0; index < count; index += 1)
      measured.push(
        await profiler.profile(async () => {
          await send(warm + count + index)
          await rest()
        }),
      )
    figures.push({ action, worker: median(measured), runtime })
  }
  profiler.close()
  print(figures)
} finally {
  await server.dispose()
}

/** CPU time of the processes of the runtime so far: not of this one, in which Images have their stand-in. */
function runtimeMilliseconds() {
  return childrenOf(process.pid).reduce((sum, pid) => sum + cpuSeconds(pid) * 1_000, 0)
}

function median(figures) {
  return figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]
}

function print(figures) {
  section('CPU time of a request, ms')
  table(
    ['request', 'Worker', 'whole runtime', 'on Free'],
    figures.map(({ action, worker, runtime }) => [
      action,
      worker.toFixed(1),
      runtime?.toFixed(1),
      judgeWorkerCpu({ worker, runtime }),
    ]),
  )
  if (values.write)
    writePart(join(root, 'docs/operate/limits-and-costs.md'), 'bench:cpu', tableOfCpu(figures))
}

function requestsOf({ token, author, thread, note, writers }) {
  const call = async (path, { accept = '*/*', as = token, ...init } = {}) => {
    const headers = { accept, ...(as === null ? {} : { authorization: `Bearer ${as}` }), ...init.headers }
    const answer = await fetch(new URL(path, url), { ...init, headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  }
  const get = (path, options) => ({ send: () => call(path, options) })
  // A parameter of its own keeps an answer from the memory of the isolate.
  const visit = (path, accept) => ({ send: (index) => call(`${path}?visit=${index}`, { as: null, accept }) })
  // Each size by an account of its own: one may upload thirty files in half an hour.
  const upload = (bytes, as) => ({
    count: values.short ? 3 : 7,
    warm: 2,
    send: () => {
      const form = new FormData()
      form.append('file', new Blob([pictureOf(bytes)], { type: 'image/png' }), 'noise.png')
      return call('api/v2/media', { method: 'POST', body: form, as })
    },
  })
  return {
    'home, 20 posts': get('api/v1/timelines/home?limit=20'),
    'home, 40 posts': get('api/v1/timelines/home?limit=40'),
    'notifications, 40': get('api/v1/notifications?limit=40'),
    'public timeline, 20 posts': get('api/v1/timelines/public?limit=20'),
    'thread of 60 posts': get(`api/v1/statuses/${thread}/context`),
    'posts of a profile, 20': get(`api/v1/accounts/${author}/statuses?limit=20`),
    search: get('api/v2/search?q=neighbour&limit=20'),
    'profile page': visit('@neighbour0', 'text/html'),
    'document of an actor': visit('users/neighbour0', 'application/activity+json'),
    'document of a post': visit(note, 'application/activity+json'),
    'openapi.json, the first of an isolate': {
      isOnce: true,
      count: 1,
      warm: 0,
      send: () => call('api/openapi.json', { as: null }),
    },
    'a post, with what follows it': {
      send: (index) =>
        call('api/v1/statuses', {
          method: 'POST',
          as: writers[index % writers.length],
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status: 'Two fieldfares in #bread', visibility: 'unlisted' }),
        }),
    },
    'upload of 300 KB': upload(300_000, writers[0]),
    'upload of 3 MB': upload(3_000_000, writers[1]),
    'upload of 15 MB': upload(15_000_000, writers[2]),
  }
}
