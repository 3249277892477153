import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { UsageMeter } from '../../../src/cloudflare/usage-meter'
import { usageDays } from '../../../src/db/schema'
import { readUsage } from '../../../src/domain/usage/read'
import { storeUsage } from '../../../src/domain/usage/store'
import { dayOf } from '../../../src/lib/days'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { givenStaff } from '../../support/given-staff'
import { clock, context, fetchApp, settleLateWork } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/usage'
const quotaOf = async (name: string, ctx = context()) => {
  const { quotas } = await readUsage(ctx)
  return quotas.find((quota) => quota.name === name && quota.period !== 'month')
}

it('shows staff the use of each quota, in one round trip, and nobody else', async () => {
  const admin = await givenStaff({ permissions: ['viewDashboard'] })
  expect((await as(await given.account()).get(path)).status).toBe(403)
  const answer = await as(admin).get(path)
  expect(answer.costs).toMatchObject({ trips: 1, rowsWritten: 0 })
  expect(answer.body).toMatchObject({ plan: 'free', resets_at: '2026-11-02T00:00:00.000Z', paused: [] })
  const { quotas } = z
    .object({ quotas: z.array(z.object({ name: z.string(), period: z.string() })) })
    .parse(answer.body)
  expect(quotas.map(({ name, period }) => `${name} ${period}`)).toEqual([
    'requests day',
    'rows_read day',
    'rows_written day',
    'object_calls day',
    'queue_operations day',
    'storage_writes month',
    'storage_reads month',
    'image_transformations month',
    'database_bytes total',
    'media_bytes total',
  ])
})

it('counts requests, statements and rows of a request as D1 reports them, and stores them after it', async () => {
  const meter = new UsageMeter()
  const alice = await given.account()
  const before = await readUsage(context())
  const body = { status: 'Counted' }
  const posted = await as(alice).post('/api/v1/statuses', body, { overrides: { meter } })
  expect(posted.status).toBe(200)
  await settleLateWork()
  const [held] = meter.take(clock.now())
  expect(held).toMatchObject({ day: dayOf(clock.now()), counts: { requests: 1 } })
  expect(held?.counts.statements).toBeGreaterThanOrEqual(posted.costs.statements)
  expect(held?.counts.rowsWritten).toBeGreaterThanOrEqual(posted.costs.rowsWritten)
  expect(held?.counts.rowsRead).toBeGreaterThanOrEqual(posted.costs.rowsRead)
  expect(held?.databaseBytes).toBeGreaterThan(100_000)

  if (held !== undefined) meter.putBack(clock.now(), [held])
  await storeUsage(context({ meter }))
  const after = await readUsage(context())
  expect(after.today.requests - before.today.requests).toBe(1)
  expect(after.today.rowsWritten - before.today.rowsWritten).toBe(held?.counts.rowsWritten)
})

it('costs a request nothing: an isolate writes its counts as one row, at most once a minute', async () => {
  const meter = new UsageMeter()
  const request = () => fetchApp(new Request('https://fieldfare.test/api/v1/instance/rules'), { meter })
  await request()
  const stores = []
  for (let index = 0; index < 120; index += 1) {
    const before = meter.unstored(dayOf(clock.now())).requests
    expect((await request()).costs.rowsWritten).toBe(0)
    stores.push(meter.unstored(dayOf(clock.now())).requests < before)
  }
  expect(stores.filter(Boolean)).toHaveLength(1)
})

it('stores counts after a request that is refused for its host, too', async () => {
  const meter = new UsageMeter()
  meter.add(clock.now(), 'requests', 130)
  const { response } = await fetchApp(new Request('https://other-name.example/'), { meter })
  expect(response.status).toBe(503)
  expect(meter.unstored(dayOf(clock.now())).requests).toBe(0)
})

it('reads the counts of other isolates when it stores its own', async () => {
  const [one, other] = [new UsageMeter(), new UsageMeter()]
  await context().db.delete(usageDays)
  context({ meter: one }).usage.add('rowsWritten', 81_000)
  await settleLateWork()
  context({ meter: other }).usage.add('rowsWritten', 100)
  await settleLateWork()
  expect(context({ meter: other }).usage.paused()).toEqual(['imports', 'backfill'])
  // The rows of both statements included, of which each wrote one.
  expect(await quotaOf('rowsWritten', context({ meter: other }))).toMatchObject({
    used: 81_101,
    limit: 100_000,
    share: 0.81101,
  })
})

it('restarts counting at midnight UTC, in memory and in the table', async () => {
  const meter = new UsageMeter()
  await context().db.delete(usageDays)
  const start = clock.now()
  try {
    context({ meter }).usage.add('queueOperations', 9_900)
    await settleLateWork()
    expect(context({ meter }).usage.paused()).toHaveLength(6)
    clock.set(new Date('2026-11-01T23:59:59.999Z'))
    expect(context({ meter }).usage.paused()).toHaveLength(6)
    clock.advance(1)
    expect(context({ meter }).usage.paused()).toEqual([])
    expect(await quotaOf('queueOperations', context({ meter }))).toMatchObject({ used: 0, share: 0 })
  } finally {
    clock.set(start)
  }
})

it('keeps its counts where they cannot be stored', async () => {
  const meter = new UsageMeter()
  const lines: string[] = []
  const log = { info: () => undefined, error: (line: string) => void lines.push(line) }
  const unavailable = new Proxy(env.DB, {
    get: (target, key) =>
      key === 'batch' ? () => Promise.reject(new Error('away')) : Reflect.get(target, key).bind(target),
  })
  meter.add(clock.now(), 'requests', 70)
  await storeUsage(context({ meter, log }, unavailable))
  expect(lines).toEqual(['Failed to store the usage of quotas'])
  expect(meter.unstored(dayOf(clock.now())).requests).toBe(70)
})

it('forecasts when the database will be full by its growth in two weeks', async () => {
  await context().db.delete(usageDays)
  const { used = 0 } = (await quotaOf('databaseBytes')) ?? {}
  const day = dayOf(clock.now()) - 10
  await context()
    .db.insert(usageDays)
    .values({ day, databaseBytes: used - 100_000 })
  const expected = await quotaOf('databaseBytes')
  expect(expected).toMatchObject({ limit: 500_000_000, forecast: used + 300_000, fullAt: null })
})
