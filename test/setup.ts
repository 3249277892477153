import { env } from 'cloudflare:workers'
import { afterEach, expect } from 'vitest'
import { beginOnEmpty } from './support/begin-on-empty'
import { network } from './support/fediverse/shared-network'
import { countInvocations, takeBreaches } from './support/invocations'
import { takeLeaks, watchLog } from './support/log-guard'
import { noticeWrites } from './support/notice-writes'
import { rejectNameCapture } from './support/reject-name-capture'

await beginOnEmpty()

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
