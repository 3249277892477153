import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { openDb } from '../../src/db/query'
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
/** Messages of the queue that are processed at once. */
const consumers = 10

it('a post for 20,000 followers on 3,000 servers reaches their couriers by 80 messages in 12 round trips, and reads 30,000 rows at most with its deliveries', async () => {
  const author = await given.account()
  await followedByMasses(author, await remoteMasses({ count: 20_000, inboxes: servers }))
  const counted = countingDb(env.DB)
  const { couriers, calls, queue, overrides } = manualPorts()
  // Clock of the couriers, whose alarms ring when the test says so.
  const clock = new TestClock()
  clock.set(new Date('2040-01-01T00:00:00.000Z'))
  const ports = { ...overrides, clock, db: openDb(counted.db) }
  const { status } = await as(author).post('/api/v1/statuses', { status: 'Hello' }, { overrides: ports })
  await settleLateWork()
  const ctx = context(ports)
  let messages = 0
  while (queue.length > 0) {
    const taken = queue.splice(0, consumers)
    messages += taken.length
    await Promise.all(taken.map((job) => runJob(ctx, Job.parse(job))))
  }
  const { rowsRead: handedOver, trips } = counted.read()
  expect([status, couriers.size, calls.length]).toEqual([200, servers, servers])
  expect(messages).toBeLessThanOrEqual(80)
  expect(trips).toBeLessThanOrEqual(12)
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
})
