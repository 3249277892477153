// `npm run bench:cpu`: CPU time of a request, beside the 10 ms that one has on the free plan: of the Worker alone by the
// profiler of its isolate, and of the whole runtime, with the stand-ins of database and bucket, as the system counts it. The
// second is the more exact and above what is billed; what lies between the two is in doubt. `-- --short` repeats each request
// less; `-- --write` writes the table of docs/operate/limits-and-costs.md. `-- --against BUNDLE` compares the Worker with
// that of another commit instead.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writePart } from '../../lib/document-part.mjs'
import { childrenOf } from '../../lib/processes.mjs'
import { root } from '../../lib/server.mjs'
import { cpuSeconds } from '../load.mjs'
import { npx } from '../npx.mjs'
import { section, table } from '../table.mjs'
import { compare } from './compare.mjs'
import { medianOf, rateWorkerCpu, tableOfCpu } from './judge.mjs'
import { openMeasured, rest } from './measured.mjs'

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
})
const [warmUps, repeats] = values.short ? [5, 7] : [15, 25]

console.error('Building ...')
await npx(['wrangler', 'deploy', '--dry-run', '--minify', '--outdir', 'dist'])
const bundle = join(root, 'dist/index.js')
if (values.against === undefined) await measure()
else await compare({ before: values.against, now: bundle }, { warmUps, repeats })

async function measure() {
  const { requests, profiler, close } = await openMeasured(bundle, { isShort: values.short })
  try {
    const figures = []
    for (const [action, request] of Object.entries(requests)) {
      const { count = repeats, warm = warmUps, send } = request
      for (let index = 0; index < warm; index += 1) await send(index)
      const before = runtimeMilliseconds()
      for (let index = 0; index < count; index += 1) await send(warm + index)
      await rest()
      const runtime = (runtimeMilliseconds() - before) / count
      const measured = []
      for (let index = 0; index < count; index += 1)
        measured.push(await profiler.profile(() => send(warm + count + index).then(rest)))
      figures.push({ action, worker: medianOf(measured), runtime })
    }
    print(figures)
  } finally {
    await close()
  }
}

/** CPU time of the processes of the runtime so far: not of this one, in which Images have their stand-in. */
function runtimeMilliseconds() {
  return childrenOf(process.pid).reduce((sum, pid) => sum + cpuSeconds(pid) * 1_000, 0)
}

function print(figures) {
  section('CPU time of a request, ms')
  table(
    ['request', 'Worker', 'whole runtime', 'on Free'],
    figures.map(({ action, worker, runtime }) => [
      action,
      worker.toFixed(1),
      runtime?.toFixed(1),
      rateWorkerCpu({ worker, runtime }),
    ]),
  )
  if (values.write)
    writePart(join(root, 'docs/operate/limits-and-costs.md'), 'bench:cpu', tableOfCpu(figures))
}
