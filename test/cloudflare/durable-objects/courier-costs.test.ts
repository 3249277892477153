import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DeliveryQueue } from '../../../src/cloudflare/durable-objects/courier/delivery-queue'
import { execute, openDb } from '../../../src/db/query'
import { sealedKeysOf } from '../../../src/domain/accounts/find-actor-refs'
import { rotateKeys } from '../../../src/domain/accounts/rotate-keys'
import { operator } from '../../../src/domain/policy/permissions'
import { touchInstance } from '../../../src/domain/servers/reachability'
import type { QueuedDelivery, SigningFacts } from '../../../src/ports/federation'
import { countingDb } from '../../support/costs'
import { ManualCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { context } from '../../support/test-app'

const { network } = fediverse
const hour = 3_600_000
const day = 24 * hour

let made = 0

async function scene() {
  made += 1
  const host = `cheap${made}.test`
  const inbox = `https://${host}/inbox`
  network.respond(inbox, () => new Response(null, { status: 202 }))
  const counted = countingDb(env.DB)
  const courier = new ManualCourier(host)
  courier.overrides = { db: openDb(counted.db) }
  return { host, inbox, alice: await given.account(), courier, costs: counted.read }
}

function parcel(by: TestAccount, inbox: string, order: number): QueuedDelivery {
  const actor = `https://fieldfare.test/users/${by.username}`
  const body = JSON.stringify({ id: `${actor}#${order}`, type: 'Like', actor })
  return { id: `${order}/0`, order, inboxes: [inbox], senderId: by.id, keyId: `${actor}#main-key`, body }
}

async function signingOf(courier: ManualCourier, by: TestAccount): Promise<SigningFacts> {
  const keys = await execute(context().db, sealedKeysOf(context(), [by.id]))
  return { keys, readAt: courier.clock.now().getTime() }
}

const count = (url: string) => network.requests(url, 'POST').length

describe('database round trips of a courier that gets keys with its deliveries', () => {
  it('reads one row for the first delivery, to find the accepted signature scheme, and none for later ones', async () => {
    const { inbox, alice, courier, costs } = await scene()
    await courier.handWith(await signingOf(courier, alice), [parcel(alice, inbox, 1)])
    await courier.ring()
    expect(costs()).toMatchObject({ trips: 1, statements: 1 })
    expect(costs().rowsRead).toBeLessThanOrEqual(1)
    await courier.handWith(await signingOf(courier, alice), [
      parcel(alice, inbox, 2),
      parcel(alice, inbox, 3),
    ])
    await courier.ring()
    expect([count(inbox), costs().trips]).toEqual([3, 1])
  })

  it('reads again for a retry, because the server may be suspended by then', async () => {
    const { host, inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 503, times: 1 })
    await courier.handWith(await signingOf(courier, alice), [parcel(alice, inbox, 1)])
    await courier.ring()
    await domainLimit(host, 'suspend')
    await courier.pass(day)
    expect([count(inbox), await courier.waiting()]).toEqual([1, 0])
  })

  it('reads again in an evicted object, which keeps no key', async () => {
    const { inbox, alice, courier, costs } = await scene()
    await courier.handWith(await signingOf(courier, alice), [parcel(alice, inbox, 1)])
    expect(await courier.stored()).not.toMatch(/aesgcm\d|PRIVATE/)
    courier.evict()
    await courier.ring()
    expect([count(inbox), costs().trips]).toEqual([1, 1])
    expect(costs().statements).toBe(3)
  })

  it.each([400, 401, 403])('reads again where a replaced key is answered %d', async (status) => {
    const { inbox, alice, courier } = await scene()
    const signing = await signingOf(courier, alice)
    const used = new Set<string>()
    await courier.handWith(signing, [parcel(alice, inbox, 1)])
    await rotateKeys(context(), operator, alice.id)
    const [current] = await execute(context().db, sealedKeysOf(context(), [alice.id]))
    expect(current?.privateKey).not.toBe(signing.keys[0]?.privateKey)
    // The peer takes the third signature alone: neither form by the old key.
    network.respond(inbox, ({ headers }) => {
      used.add(headers.get('signature') ?? '')
      return new Response(null, { status: used.size > 2 ? 202 : status })
    })
    await courier.ring()
    expect(network.requests(inbox, 'POST').at(-1)?.status).toBe(202)
    expect(await courier.waiting()).toBe(0)
  })
})

describe('a server that failed for a week', () => {
  async function given7Days() {
    const made = await scene()
    const { inbox, alice, courier } = made
    await env.DB.prepare('insert into inboxes (url) values (?)').bind(inbox).run()
    const back = network.fail(inbox, { broken: 'refused' })
    for (let order = 1; order <= 8; order += 1) {
      await courier.hand(parcel(alice, inbox, order))
      await courier.pass(day)
    }
    return { ...made, back }
  }

  const since = (inbox: string) =>
    env.DB.prepare('select unreachable_since from inboxes where url = ?')
      .bind(inbox)
      .first('unreachable_since')

  it('a server that failed for a week receives nothing, and later audiences leave out its inboxes', async () => {
    const { inbox, alice, courier } = await given7Days()
    const before = count(inbox)
    await courier.hand(parcel(alice, inbox, 9))
    await courier.pass(10 * day)
    expect([count(inbox), await courier.waiting()]).toEqual([before, 0])
    expect(await since(inbox)).toBeGreaterThan(0)
    expect(courier.lines.map(({ message }) => message)).toContain('A server counts as unreachable')
  })

  it('a failed server receives deliveries again after its first contact', async () => {
    const { host, inbox, alice, courier, back } = await given7Days()
    back()
    await touchInstance(context(), { domain: host, host })
    await courier.wake()
    expect(await since(inbox)).toBeNull()
    await courier.hand(parcel(alice, inbox, 10))
    await courier.pass(0)
    expect(network.requests(inbox, 'POST').at(-1)?.status).toBe(202)
  })

  it('a server that answers sometimes does not count as failed', async () => {
    const { inbox, alice, courier } = await scene()
    let number = 0
    network.respond(inbox, () => {
      number += 1
      return new Response(null, { status: number % 9 === 0 ? 202 : 503 })
    })
    for (let order = 1; order <= 12; order += 1) {
      await courier.hand(parcel(alice, inbox, order))
      await courier.pass(day)
    }
    expect(courier.lines.map(({ message }) => message)).not.toContain('A server counts as unreachable')
  })
})

describe('the queue of a courier', () => {
  /** Rows that the object's own database reads until `deliveries` have arrived. */
  async function rowsFor(deliveries: readonly QueuedDelivery[]): Promise<number> {
    made += 1
    const stub = env.COURIER.get(env.COURIER.idFromName(`queue ${made}`))
    return runInDurableObject(stub, (_, { storage }) => {
      const cursors: { readonly rowsRead: number }[] = []
      const counted = new Proxy(storage.sql, {
        get(target, key) {
          if (key !== 'exec') return Reflect.get(target, key)
          return (text: string, ...values: SqlStorageValue[]) => {
            const cursor = target.exec(text, ...values)
            cursors.push(cursor)
            return cursor
          }
        },
      })
      const queue = new DeliveryQueue(counted)
      const now = new Date(0)
      for (const delivery of deliveries) queue.add(delivery, now)
      let arrived = 0
      for (let due = queue.due(now, 6); due.length > 0; due = queue.due(now, 6)) {
        for (const delivery of due) queue.markDone(delivery, now)
        queue.senders(30)
        queue.nextAt()
        arrived += due.length
      }
      expect(arrived).toBe(deliveries.length)
      return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
    })
  }

  const kinds: Readonly<Record<string, (n: number) => QueuedDelivery>> = {
    'each for another inbox': (n) => ({ ...plain(n), inboxes: [`https://q.test/users/${n}/inbox`] }),
    'all for one inbox': (n) => plain(n),
    'for ten inboxes, by three senders': (n) => ({
      ...plain(n),
      inboxes: [`https://q.test/users/${n % 10}/inbox`],
      senderId: 1 + (n % 3),
    }),
  }

  function plain(n: number): QueuedDelivery {
    return { id: `${n}/0`, order: n, inboxes: ['https://q.test/inbox'], senderId: 1, keyId: 'k', body: '{}' }
  }

  for (const [name, make] of Object.entries(kinds))
    it(`reads at most 40 rows for each delivery, ${name}: ten times as many read ten times as much`, async () => {
      const of = (length: number) => rowsFor(Array.from({ length }, (_, n) => make(n)))
      const [few, many] = [await of(100), await of(1_000)]
      expect(few).toBeGreaterThan(5 * 100)
      expect(many).toBeLessThanOrEqual(11 * few)
      expect(many).toBeLessThanOrEqual(40 * 1_000)
    })
})
