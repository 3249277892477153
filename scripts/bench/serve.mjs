// Serves the built Worker with a filled database. Prints one line of JSON when it answers. Runs as a process of its
// own, so that its CPU time is the server's alone.
import { join } from 'node:path'
import { neighbourhood } from '../../test/bench/neighbourhood.ts'
import { root } from '../lib/server.mjs'
import { fill, openMiniflare, origin } from './miniflare.mjs'

const { server, url, db } = await openMiniflare(
  process.argv[2] ?? join(root, 'dist/index.js'),
  join(root, 'scripts/bench/trip.mjs'),
)
const { inserts, ...facts } = await neighbourhood(origin, new Date())
await fill(db, inserts)
process.stdout.write(`${JSON.stringify({ url: url.href, ...facts })}\n`)

process.once('SIGTERM', async () => {
  await server.dispose()
  process.exit(0)
})
