import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { failingHosts } from '../../../src/db/schema'
import { ManualCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { context } from '../../support/test-app'

const { network } = fediverse
const hour = 3_600_000
const day = 24 * hour

let made = 0

async function scene(status: number) {
  made += 1
  const host = `reporting${made}.test`
  const inbox = `https://${host}/inbox`
  network.respond(inbox, () => new Response(null, { status }))
  const by = await given.account()
  const courier = new ManualCourier(host)
  const actor = `https://fieldfare.test/users/${by.username}`
  const hand = (order: number) =>
    courier.hand({
      id: `${order}/0`,
      order,
      inboxes: [inbox],
      senderId: by.id,
      keyId: `${actor}#main-key`,
      body: JSON.stringify({ id: `${actor}#${order}`, type: 'Like', actor }),
    })
  const report = async () => {
    const [row] = await context().db.select().from(failingHosts).where(eq(failingHosts.host, host))
    return row ?? null
  }
  return { courier, hand, inbox, report }
}

describe('the report of a courier', () => {
  it('reports after five failures, with the waiting deliveries and the last error class, and clears with a success', async () => {
    const { courier, hand, inbox, report } = await scene(202)
    await hand(1)
    await courier.pass(1_000)
    const lastSuccessAt = courier.clock.now()
    network.respond(inbox, () => new Response(null, { status: 503 }))
    await hand(2)
    const failingSince = courier.clock.now()
    await courier.pass(30 * 60_000)
    expect(await report()).toBeNull()
    await courier.pass(2 * hour)
    const failing = await report()
    expect(failing).toMatchObject({
      failingSince,
      error: 'http 503',
      waiting: 1,
      oldestAt: failingSince,
      unreachable: false,
    })
    expect(failing?.failures).toBeGreaterThanOrEqual(5)
    expect((failing?.lastSuccessAt?.getTime() ?? 0) / 1_000).toBeCloseTo(lastSuccessAt.getTime() / 1_000, -1)
    expect(await courier.control('state')).toMatchObject({ lastError: 'http 503', pending: 1 })
    network.respond(inbox, () => new Response(null, { status: 202 }))
    await courier.pass(day)
    expect(await report()).toBeNull()
    expect(await courier.control('state')).toMatchObject({ lastError: null, pending: 0 })
  })

  it('lists a server that was given up until it makes contact', async () => {
    const { courier, hand, report } = await scene(500)
    for (let passed = 0; passed < 8; passed += 1) {
      await hand(passed)
      await courier.pass(day)
    }
    expect(await report()).toMatchObject({ unreachable: true, waiting: 0 })
    await courier.wake()
    expect(await report()).toBeNull()
  })

  it('deletes the report with the storage of the courier', async () => {
    const { courier, hand, report } = await scene(500)
    for (let passed = 0; passed < 8; passed += 1) {
      await hand(passed)
      await courier.pass(day)
    }
    await courier.pass(60 * day)
    expect(await report()).toBeNull()
    expect(await courier.kept()).toEqual([])
  })

  it('withdraws the report where an operator drops waiting deliveries', async () => {
    const { courier, hand, report } = await scene(500)
    await hand(1)
    await courier.pass(5 * hour)
    expect(await report()).not.toBeNull()
    await courier.control('drop')
    await courier.control('retry')
    expect(await report()).toBeNull()
  })

  it('a failed report does not delay the next attempt, and is sent later', async () => {
    const { courier, hand, inbox, report } = await scene(500)
    await hand(1)
    await courier.pass(10 * 60_000)
    const broken = new Proxy(context().db, {
      get: (target, key) =>
        key === 'insert'
          ? () => {
              throw new Error('down')
            }
          : Reflect.get(target, key),
    })
    courier.overrides = { db: broken }
    const before = network.requests(inbox, 'POST').length
    await courier.pass(5 * hour)
    expect(network.requests(inbox, 'POST').length).toBeGreaterThan(before)
    expect(await report()).toBeNull()
    courier.overrides = {}
    await courier.pass(12 * hour)
    expect(await report()).not.toBeNull()
  })
})
