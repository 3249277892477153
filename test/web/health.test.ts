import { describe, expect, it } from 'vitest'
import { blockedNetworksKey } from '../../src/domain/instance/blocks/blocked-networks'
import { ExpiringCache } from '../../src/lib/expiring-cache'
import type { Ctx, MemoryCache } from '../../src/platform/ports'
import { canReachDatabase } from '../../src/web/health'
import { Browser } from '../support/browser'
import { expectCosts } from '../support/expect-costs'
import { clock, context } from '../support/test-app'

/** The memory of a new isolate that has read its list of blocked networks, which no path goes without. */
function freshMemory(): MemoryCache {
  const kept = new ExpiringCache(100)
  kept.remember(blockedNetworksKey, { value: '', seconds: 86_400 }, clock.now())
  return {
    get: (key) => kept.recall(key, clock.now()),
    set: (key, value, seconds) => kept.remember(key, { value, seconds }, clock.now()),
    increment: (key, seconds) => kept.count(key, seconds, clock.now()),
    currentCount: (key) => kept.counted(key, clock.now()),
    delete: (key) => kept.forget(key),
  }
}

function withBatch(batch: () => Promise<unknown>): Pick<Ctx, 'db' | 'log' | 'memory'> {
  const db = new Proxy(context().db, {
    get: (target, key) => (key === 'batch' ? batch : Reflect.get(target, key)),
  })
  const log = { info: () => undefined, error: () => undefined }
  return { db, log, memory: freshMemory() }
}

it('GET /health answers OK [T-765]', async () => {
  const page = await new Browser({ memory: freshMemory() }).get('/health')
  expect([page.status, page.html]).toEqual([200, 'OK'])
  expect(page.headers.get('cache-control')).toBe('no-store')
  expectCosts(page.costs, { trips: 1, statements: 1, rowsRead: 1 })
})

describe('GET /health', () => {
  it('asks the database no more than once in five seconds, however often it is asked', async () => {
    const browser = new Browser({ memory: freshMemory() })
    await browser.get('/health')
    expect((await browser.get('/health')).costs.trips).toBe(0)
    clock.advance(5_001)
    expect((await browser.get('/health')).costs.trips).toBe(1)
  })

  it('answers 503 while the database fails, and OK a second after it is back', async () => {
    const broken = withBatch(() => Promise.reject(new Error('secret detail')))
    const down = await new Browser(broken).get('/health')
    expect([down.status, down.html]).toEqual([503, 'The database does not answer'])
    clock.advance(1_001)
    const up = await new Browser({ memory: broken.memory }).get('/health')
    expect([up.status, up.html]).toEqual([200, 'OK'])
  })

  it('waits for a database that hangs no longer than its patience', async () => {
    const hanging = withBatch(() => new Promise(() => undefined))
    expect(await canReachDatabase(context(hanging), 1)).toBe(false)
  })

  it('passes no flood gate: a monitor is never too fast', async () => {
    const throttle = { ...context().throttle, admits: async () => false }
    expect((await new Browser({ throttle }).get('/health')).status).toBe(200)
  })
})
