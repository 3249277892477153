import { describe, expect, it } from 'vitest'
import { ShortMemory } from '../../src/lib/short-memory'
import type { Ctx, Memory } from '../../src/platform/ports'
import { databaseAnswers } from '../../src/web/health'
import { Browser } from '../support/browser'
import { clock, context } from '../support/world'

/** A memory that nothing was put into before, as a new isolate has it. */
function freshMemory(): Memory {
  const kept = new ShortMemory(100)
  return {
    recall: (key) => kept.recall(key, clock.now()),
    remember: (key, value, seconds) => kept.remember(key, { value, seconds }, clock.now()),
    count: (key, seconds) => kept.count(key, seconds, clock.now()),
    counted: (key) => kept.counted(key, clock.now()),
    forget: (key) => kept.forget(key),
  }
}

function withBatch(batch: () => Promise<unknown>): Pick<Ctx, 'db' | 'log' | 'memory'> {
  const db = new Proxy(context().db, {
    get: (target, key) => (key === 'batch' ? batch : Reflect.get(target, key)),
  })
  const log = { info: () => undefined, error: () => undefined }
  return { db, log, memory: freshMemory() }
}

it('GET /health answers OK', async () => {
  const page = await new Browser({ memory: freshMemory() }).get('/health')
  expect([page.status, page.html]).toEqual([200, 'OK'])
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.costs).toMatchObject({ trips: 1, statements: 1, rowsRead: 1 })
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
    expect(await databaseAnswers(context(hanging), 1)).toBe(false)
  })

  it('passes no flood gate: a monitor is never too fast', async () => {
    const throttle = { ...context().throttle, admits: async () => false }
    expect((await new Browser({ throttle }).get('/health')).status).toBe(200)
  })
})
