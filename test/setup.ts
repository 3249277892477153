import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect } from 'vitest'
import { migrate } from './support/empty-database'
import { network } from './support/fediverse/shared-network'
import { countInvocations, takeBreaches } from './support/invocations'
import { takeLeaks, watchLog } from './support/log-guard'
import { noticeWrites } from './support/notice-writes'
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
noticeWrites(env.DB)
countInvocations()
// The test in which an invocation used more than the free plan allows fails.
afterEach(() => expect(takeBreaches(), 'invocations beyond the free plan').toEqual([]))

// No test reaches a network: requests and Durable Objects alike meet servers that tests made.
globalThis.fetch = network.fetch

// Logs are read by others than those who may read the database.
watchLog()
afterEach(() => {
  expect(takeLeaks()).toEqual([])
})
