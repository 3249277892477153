import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { expectCosts } from '../../support/expect-costs'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { followedByMany, manualPorts } from '../../support/many-followers'
import { runJob } from '../../support/run-job'
import { context, settleLateWork } from '../../support/test-app'

const { network } = fediverse

describe('a status for 500 followers on 200 servers, half of them dead', () => {
  it('reaches every live server in order, with at most 40 requests per invocation', async () => {
    const alice = await given.account()
    const hosts = await followedByMany(alice, { count: 500, hosts: 200 })
    const isDead = (host: string) => Number(host.slice(1, 4)) % 2 === 1
    for (const host of hosts)
      if (isDead(host)) network.fail(`https://${host}/`, { broken: 'refused' })
      else network.respond(`https://${host}/inbox`, () => new Response(null, { status: 202 }))
    const { couriers, calls, queue, overrides } = manualPorts()

    const start = network.mark()
    for (const status of ['first', 'second', 'third'])
      expect((await as(alice).post('/api/v1/statuses', { status }, { overrides })).status).toBe(200)
    await settleLateWork()
    // Ids only (pitfall 73).
    expect(JSON.stringify(queue)).not.toMatch(/aesgcm\d|PRIVATE|keyId/)
    // The request itself sends nothing; a job delivers to the rest of the servers.
    expect(network.since(start)).toEqual([])
    for (let job = queue.shift(); job !== undefined; job = queue.shift())
      await runJob(context(overrides), Job.parse(job))
    expect(calls).toHaveLength(3 * hosts.length)
    expect(couriers.size).toBe(hosts.length)

    const requests: number[] = []
    for (const courier of couriers.values()) {
      const before = network.mark()
      await courier.ring()
      requests.push(network.since(before).length)
    }
    expect(Math.max(...requests)).toBeLessThanOrEqual(40)
    for (const host of hosts) {
      const got = network.requests(`https://${host}/inbox`, 'POST')
      if (isDead(host)) expect(got.map(({ status }) => status)).toEqual([0])
      else
        expect(got.map(({ body }) => JSON.parse(body).object.content)).toEqual([
          '<p>first</p>',
          '<p>second</p>',
          '<p>third</p>',
        ])
    }
  })

  it('queues the status in two database round trips per hundred servers', async () => {
    const alice = await given.account()
    const hosts = await followedByMany(alice, { count: 60, hosts: 60 })
    const { calls, overrides } = manualPorts()
    const counted = countingDb(env.DB)
    const ctx = context({ ...overrides, db: openDb(counted.db) })
    const statusId = await storedStatus({ accountId: alice.id })
    const event = { kind: 'status.created' as const, accountId: alice.id, statusId }
    await ctx.delivery.federate(event, ctx.ids.next())
    expect(calls.toSorted()).toEqual(hosts.toSorted())
    expectCosts(counted.read(), { trips: 2, rowsWritten: 0 })
    // The keys of the sender and the limits on servers are read here, once, and not by each courier.
    expect(counted.read().statements).toBeLessThanOrEqual(6)
  })
})
