// Serves the built Worker with a filled database straight from Miniflare: no proxy, no file watching, no assets router.
// Prints one line of JSON when it answers. Runs as a process of its own, so that its CPU time is the server's alone.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler'
import { neighbourhood } from '../../test/bench/neighbourhood.ts'
import { root } from '../lib/server.mjs'

const origin = 'http://localhost'

const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'))
const { assets: _assets, cronTriggers: _crons, ...options } = workerOptions
const variables = { ORIGIN: origin, INSTANCE_SECRET: 'a secret of enough characters for a benchmark' }

const server = new Miniflare(
  convertV4MiniflareOptions({
    ...options,
    name: 'fieldfare',
    cf: false,
    port: 0,
    modules: [
      {
        type: 'ESModule',
        path: 'index.js',
        contents: await readFile(process.argv[2] ?? join(root, 'dist/index.js'), 'utf8'),
      },
    ],
    bindings: { ...options.bindings, ...variables },
    // The flood gate would stop the benchmark after a second.
    ratelimits: { FLOOD: { ...options.ratelimits.FLOOD, simple: { limit: 1_000_000_000, period: 60 } } },
  }),
)

const url = await server.ready
const db = await server.getD1Database('DB')
await migrate(db)
const { inserts, ...facts } = await neighbourhood(origin, new Date())
for (const { text, json } of inserts) await db.prepare(text).bind(json).run()
process.stdout.write(`${JSON.stringify({ url: url.href, ...facts })}\n`)

process.once('SIGTERM', async () => {
  await server.dispose()
  process.exit(0)
})

async function migrate(database) {
  const folder = join(root, 'migrations')
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()) {
    const statements = unstable_splitSqlQuery(await readFile(join(folder, file), 'utf8'))
    await database.batch(statements.map((statement) => database.prepare(statement)))
  }
}
