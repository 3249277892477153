import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { migrate } from './support/empty-database'
import { network } from './support/fediverse/shared-network'
import { rejectNameCapture } from './support/reject-name-capture'
import { beginFile, settleLateWork } from './support/test-app'

// Work of the file before that is still under way would write into the database of this one.
await settleLateWork()
// The reset leaves out databases that were evicted: asked, they are there.
for (const db of [env.DB, env.CROWDED, env.APART]) await db.prepare('select 1').run()
await reset()
await migrate(env.DB)
const left = await env.DB.prepare('select count(*) as count from accounts').first('count')
if (left !== 0) throw new Error(`The database was not reset: ${left} accounts of another test file`)
beginFile()
network.clear()

rejectNameCapture(env.DB)

// No test reaches a network: requests and Durable Objects alike meet servers that tests made.
globalThis.fetch = network.fetch
