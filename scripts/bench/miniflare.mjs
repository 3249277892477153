// Serves a built Worker straight from Miniflare: no proxy, no file watching, no assets router.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, Response } from 'miniflare'
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from 'wrangler'
import { root } from '../lib/server.mjs'

export const origin = 'http://localhost'
export const name = 'fieldfare'

export const secret = 'a secret of enough characters for a benchmark'

/** Name of the Worker that runs the Durable Objects, where they run apart. */
const objectsName = 'objects'

/**
 * The Worker of a bundle with an empty, migrated database. `entry` is a module around it that imports `./index.js`;
 * `hasObjectsApart` runs the Durable Objects in an isolate of their own; `more` are further options of Miniflare.
 */
export async function openMiniflare(bundle, entry, { hasObjectsApart = false, inspectorPort, ...more } = {}) {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.full.toml'))
  const { assets: _assets, cronTriggers: _crons, ...options } = workerOptions
  const worker = {
    ...options,
    ...more,
    name,
    modules: await Promise.all(
      [
        ...(entry === undefined ? [] : [{ path: 'entry.js', file: entry }]),
        { path: 'index.js', file: bundle },
      ].map(async ({ path, file }) => ({ type: 'ESModule', path, contents: await readFile(file, 'utf8') })),
    ),
    bindings: { ...options.bindings, ORIGIN: origin, INSTANCE_SECRET: secret },
    serviceBindings: { ...options.serviceBindings, ASSETS: staticFile },
    // The flood gate would stop the benchmark after a second.
    ratelimits: Object.fromEntries(
      Object.entries(options.ratelimits).map(([gate, given]) => [
        gate,
        { ...given, simple: { limit: 1_000_000_000, period: 60 } },
      ]),
    ),
  }
  const elsewhere = Object.entries(options.durableObjects).map(([binding, given]) => [
    binding,
    { ...given, scriptName: objectsName },
  ])
  const workers = hasObjectsApart
    ? [
        { ...worker, durableObjects: Object.fromEntries(elsewhere) },
        { ...worker, name: objectsName, queueConsumers: {} },
      ]
    : [worker]
  const server = new Miniflare(convertV4MiniflareOptions({ cf: false, port: 0, inspectorPort, workers }))
  const url = await server.ready
  const db = await server.getD1Database('DB', name)
  await migrate(db)
  return { server, url, db }
}

/** A file of `public`, as the binding of static files answers with it. */
async function staticFile(request) {
  const file = join(root, 'public', new URL(request.url).pathname)
  return new Response(await readFile(file))
}

/** Puts rows in that were prepared as text and JSON. */
export async function fill(db, inserts) {
  for (const { text, json } of inserts) await db.prepare(text).bind(json).run()
}

async function migrate(database) {
  const folder = join(root, 'migrations')
  for (const file of (await readdir(folder)).filter((one) => one.endsWith('.sql')).toSorted()) {
    const statements = unstable_splitSqlQuery(await readFile(join(folder, file), 'utf8'))
    await database.batch(statements.map((statement) => database.prepare(statement)))
  }
}
