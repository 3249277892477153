import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../src/db/db'
import { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { fediverse } from '../support/fediverse'
import { given } from '../support/given'
import { manualPorts } from '../support/many-followers'
import { followedByMasses, remoteMasses } from '../support/masses'
import { runJob } from '../support/run-job'
import { context, settleLateWork, TestClock } from '../support/test-app'

const servers = 3_000
/** Messages of the queue that are worked off at once. */
const consumers = 10
/** Trivial round trips of 0.42 ms (docs/decisions/0058) in ten seconds: a slower machine gets the time of as many. */
const tripsInTenSeconds = 23_800

/** Milliseconds of a trivial round trip on this machine. */
async function trivialTrip(): Promise<number> {
  const count = 1_000
  const start = performance.now()
  for (let trip = 0; trip < count; trip += 1) await env.DB.prepare('select 1').first()
  return (performance.now() - start) / count
}

it('a post for 20,000 followers on 3,000 servers reads 30,000 rows at most in all its legs, and the courier of the last server has it within ten seconds', async () => {
  const author = await given.account()
  await followedByMasses(author, await remoteMasses({ count: 20_000, inboxes: servers }))
  const counted = countingDb(env.DB)
  const { couriers, queue, overrides } = manualPorts()
  // Clock of the couriers, whose alarms ring when the test says so.
  const clock = new TestClock()
  clock.set(new Date('2040-01-01T00:00:00.000Z'))
  const ports = { ...overrides, clock, db: openDb(counted.db) }
  const tripMilliseconds = await trivialTrip()
  const start = performance.now()
  const { status } = await as(author).post('/api/v1/statuses', { status: 'Hello' }, { overrides: ports })
  await settleLateWork()
  const ctx = context(ports)
  while (queue.length > 0)
    await Promise.all(queue.splice(0, consumers).map((job) => runJob(ctx, Job.parse(job))))
  const milliseconds = performance.now() - start
  expect([status, couriers.size]).toEqual([200, servers])
  expect(milliseconds).toBeLessThanOrEqual(Math.max(10_000, tripsInTenSeconds * tripMilliseconds))
  const { rowsRead: handedOver } = counted.read()
  // Keys and limits came with the deliveries; the first asks which signature the server takes. A part stands for all.
  const part = [...couriers.values()].slice(-100)
  const inboxes = part.map(({ host }) => `https://${host}/inbox`)
  for (const inbox of inboxes) fediverse.network.respond(inbox, () => new Response(null, { status: 202 }))
  for (const courier of part) {
    courier.overrides = { db: openDb(counted.db) }
    await courier.ring()
  }
  expect(inboxes.flatMap((inbox) => fediverse.network.requests(inbox, 'POST'))).toHaveLength(part.length)
  const byEach = (counted.read().rowsRead - handedOver) / part.length
  expect(handedOver + byEach * servers).toBeLessThanOrEqual(30_000)
}, 120_000)
