// Fieldfare with counters around it, and accounts that follow one author.
import { join } from 'node:path'
import { build } from 'esbuild'
import { listenersOf } from '../../../test/bench/streaming/listeners.ts'
import { root } from '../../lib/server.mjs'
import { fill, openMiniflare } from '../miniflare.mjs'

/** Bundles test/bench/streaming/worker.ts into `folder` and serves it with so many people. */
export async function openCrowdedServer(folder, people) {
  const bundle = join(folder, 'worker.js')
  // As wrangler bundles it, in a tenth of the time.
  await build({
    entryPoints: [join(root, 'test/bench/streaming/worker.ts')],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'error',
  })
  const { server, url, db } = await openMiniflare(bundle, undefined, { inspectorPort: 0 })
  const { inserts, ...facts } = await listenersOf(people, new Date())
  await fill(db, inserts)
  return { server, url, ...facts }
}
