import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Parcel } from '../../../src/context'
import { openDb } from '../../../src/db/db'
import { accounts, follows, remoteActors } from '../../../src/db/schema'
import { DomainEvent } from '../../../src/events'
import { runJob } from '../../../src/jobs/run'
import { as } from '../../support/as'
import { counting } from '../../support/costs'
import { HandledCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type Somebody } from '../../support/given'
import { storedStatus } from '../../support/given-stored'
import { clock, context, settled } from '../../support/world'

const { network } = fediverse

let made = 0

/** `count` people spread over `hosts` servers, all with a shared inbox, who follow `target`. */
async function followersOf(target: Somebody, count: number, hosts: number) {
  made += 1
  const { db, ids } = context()
  const now = clock.now()
  const hostOf = (index: number) => `h${String(index % hosts).padStart(3, '0')}.crowd${made}.test`
  const people = Array.from({ length: count }, (_, index) => ({ id: ids.next(), host: hostOf(index), index }))
  for (let start = 0; start < count; start += 50) {
    const part = people.slice(start, start + 50)
    await db.batch([
      db.select().from(accounts).limit(1),
      ...part.flatMap(({ id, host, index }) => {
        const uri = `https://${host}/users/u${index}`
        return [
          db.insert(accounts).values({
            ...{ id, uri, username: `u${index}`, domain: host, createdAt: now, updatedAt: now },
          }),
          db.insert(remoteActors).values({
            ...{ accountId: id, inbox: `${uri}/inbox`, sharedInbox: `https://${host}/inbox`, fetchedAt: now },
          }),
          db.insert(follows).values({
            ...{ id: ids.next(), accountId: id, targetAccountId: target.id, createdAt: now },
          }),
        ]
      }),
    ])
  }
  return [...new Set(people.map(({ host }) => host))]
}

/** Couriers that only tests ring, and a queue that waits to be worked off. */
function handledPorts() {
  const couriers = new Map<string, HandledCourier>()
  const calls: string[] = []
  const queue: unknown[] = []
  const of = (host: string) => {
    const known = couriers.get(host) ?? new HandledCourier(host)
    couriers.set(host, known)
    return known
  }
  return {
    ...{ couriers, calls, queue },
    overrides: {
      couriers: {
        hand: async (host: string, parcels: readonly Parcel[]) => {
          calls.push(host)
          await of(host).hand(...parcels)
        },
        wake: async () => undefined,
      },
      jobs: { send: async (job: unknown) => void queue.push(job) },
    },
  }
}

describe('a status for 500 followers on 200 servers, half of them dead', () => {
  it('reaches every live one in order; no invocation makes over 40 requests', async () => {
    const alice = await given.account()
    const hosts = await followersOf(alice, 500, 200)
    const isDead = (host: string) => Number(host.slice(1, 4)) % 2 === 1
    for (const host of hosts)
      if (isDead(host)) network.fail(`https://${host}/`, { broken: 'refused' })
      else network.respond(`https://${host}/inbox`, () => new Response(null, { status: 202 }))
    const { couriers, calls, queue, overrides } = handledPorts()

    const start = network.mark()
    for (const status of ['first', 'second', 'third'])
      expect((await as(alice).post('/api/v1/statuses', { status }, { overrides })).status).toBe(200)
    await settled()
    // Nothing was sent by the request itself; the rest of the servers is the work of a job.
    expect(network.since(start)).toEqual([])
    for (let job = queue.shift(); job !== undefined; job = queue.shift())
      await runJob(context(overrides), DomainEvent.parse(job))
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
  }, 120_000)

  it('is handed over in two trips to the database for each hundred servers', async () => {
    const alice = await given.account()
    const hosts = await followersOf(alice, 60, 60)
    const { calls, overrides } = handledPorts()
    const counted = counting(env.DB)
    const ctx = context({ ...overrides, db: openDb(counted.db) })
    const statusId = await storedStatus({ accountId: alice.id })
    const event = { kind: 'status.created' as const, accountId: alice.id, statusId }
    await ctx.delivery.tell(event, ctx.ids.next())
    expect(calls.toSorted()).toEqual(hosts.toSorted())
    expect(counted.read()).toMatchObject({ trips: 2, rowsWritten: 0 })
    expect(counted.read().statements).toBeLessThanOrEqual(4)
  })
})
