// Database and bucket of a folder of this machine, where npm start keeps them.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { unstable_getMiniflareWorkerOptions } from 'wrangler'
import { Problem } from '../problem.mjs'
import { root } from '../server.mjs'

const worker = 'export default { fetch: () => new Response(null, { status: 404 }) }'

/** Opens database and bucket of a folder, where nothing else may run. */
export async function openStore(folder) {
  mkdirSync(folder, { recursive: true })
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.full.toml'))
  const { d1Databases, r2Buckets, compatibilityDate } = workerOptions
  const server = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: worker,
      compatibilityDate,
      d1Databases,
      r2Buckets,
      cf: false,
      resourcePersistencePath: join(folder, 'v3'),
    }),
  )
  return { server, database: await server.getD1Database('DB'), bucket: await server.getR2Bucket('MEDIA') }
}

/**
 * A folder as a target: `describe()`, `query(sql)` for rows, `run(statements)` for whole statements that happen together
 * or not at all, `hasObject(object)`, `putObject(object, bytes)`, `begin(name)`, `begun()` for that name until `end()`,
 * and `close()`. `bytesAtOnce`: size of the statements of a run that is worth its round trip.
 */
export async function openLocalTarget(folder) {
  const { server, database, bucket } = await openStore(folder)
  const note = join(folder, 'restoring.json')
  return {
    bytesAtOnce: 1_000_000,
    describe: () => folder,
    query: async (sql) => (await database.prepare(sql).all()).results,
    run: async (statements) => {
      try {
        await database.batch(statements.map((sql) => database.prepare(sql)))
      } catch (failure) {
        if (!failure.message.startsWith('D1_ERROR')) throw failure
        throw new Problem(`The database refused a part of the backup: ${failure.message}`)
      }
    },
    hasObject: async ({ key, size, etag }) => {
      const held = await bucket.head(key)
      return held !== null && held.size === size && held.etag === etag
    },
    putObject: async ({ key, type }, bytes) =>
      void (await bucket.put(key, bytes, {
        httpMetadata: { contentType: type, cacheControl: 'public, max-age=31536000, immutable' },
      })),
    // npm start refuses the folder until all is there.
    begin: (name) => writeFileSync(note, `${JSON.stringify({ backup: name })}\n`),
    begun: () => (existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')).backup : null),
    end: () => rmSync(note, { force: true }),
    close: () => server.dispose(),
  }
}
