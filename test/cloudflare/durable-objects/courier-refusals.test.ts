import { describe, expect, it } from 'vitest'
import type { QueuedDelivery } from '../../../src/ports/federation'
import { ManualCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'

const { network } = fediverse
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let made = 0

/** A server of its own for each test. Its inbox accepts everything unless told otherwise. */
async function scene() {
  made += 1
  const host = `refusing${made}.test`
  const inbox = `https://${host}/inbox`
  network.respond(inbox, () => new Response(null, { status: 202 }))
  return { host, inbox, alice: await given.account(), courier: new ManualCourier(host) }
}

function parcel(by: TestAccount, inbox: string, order: number): QueuedDelivery {
  const actor = `https://fieldfare.test/users/${by.username}`
  const body = JSON.stringify({ id: `${actor}#${order}`, type: 'Like', actor })
  return { id: `${order}/0`, order, inboxes: [inbox], senderId: by.id, keyId: `${actor}#main-key`, body }
}

const requests = (url: string) => network.requests(url, 'POST')
const orders = (url: string) => requests(url).map(({ body }) => Number(JSON.parse(body).id.split('#')[1]))
const statuses = (url: string) => requests(url).map(({ status }) => status)
const isRfc = ({ headers }: { readonly headers: Headers }) => headers.has('signature-input')

/** Serves an inbox that answers by the number of the request. */
function answering(inbox: string, status: (number: number, request: Request) => number): void {
  let number = 0
  network.respond(inbox, (request) => {
    number += 1
    return new Response(null, { status: status(number, request) })
  })
}

describe('a delivery answered 401', () => {
  it('retries after 401 with growing gaps, until the peer has applied the key rotation', async () => {
    const { inbox, alice, courier } = await scene()
    const start = courier.clock.now().getTime()
    const applied = start + 15 * minute
    answering(inbox, () => (courier.clock.now().getTime() < applied ? 401 : 202))

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.pass(hour)

    expect(statuses(inbox).filter((status) => status === 202)).toHaveLength(2)
    expect(orders(inbox).at(-1)).toBe(2)
    expect(await courier.waiting()).toBe(0)
  })

  it('gives up after five days of 401', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 401 })

    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(6 * day)

    const tries = requests(inbox).length
    expect(tries).toBeGreaterThan(20)
    expect(tries).toBeLessThan(80)
    expect(await courier.waiting()).toBe(0)
    expect(courier.lines.map(({ message }) => message)).toContain('Deliveries expired')
  })

  it('delays later deliveries of the same actor to that inbox, and no others', async () => {
    const { inbox, alice, courier } = await scene()
    const bob = await given.account()
    const isOf = (request: Request, { username }: TestAccount) =>
      request.headers.get('signature')?.includes(`/users/${username}#main-key`) === true ||
      request.headers.get('signature-input')?.includes(`/users/${username}#main-key`) === true
    answering(inbox, (_, request) => (isOf(request, alice) ? 401 : 202))

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2), parcel(bob, inbox, 3))
    await courier.pass(30 * minute)

    expect(new Set(orders(inbox))).toEqual(new Set([1, 3]))
    expect(orders(inbox).filter((order) => order === 3)).toHaveLength(1)
  })

  it('does not mark the server as silent, because it answers', async () => {
    const { host, inbox, alice, courier } = await scene()
    const other = `https://${host}/users/other/inbox`
    network.respond(other, () => new Response(null, { status: 202 }))
    network.fail(inbox, { status: 401 })

    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(12 * hour)
    await courier.hand(parcel(alice, other, 2), parcel(alice, other, 3))
    await courier.ring()

    expect(orders(other)).toEqual([2, 3])
  })
})

describe('a delivery answered 403', () => {
  it('tries both signature schemes after 403 while the accepted one is unknown, and then gives up', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 403 })

    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(5 * day)

    expect(requests(inbox).map(isRfc)).toEqual([false, true])
    expect(courier.lines).toMatchObject([{ message: 'A delivery was refused', facts: { status: 403 } }])
  })

  it.each([
    ['draft-cavage', false],
    ['RFC 9421', true],
  ])('gives up after 403 at once where the server is known to accept %s', async (_scheme, wantsRfc) => {
    const { inbox, alice, courier } = await scene()
    answering(inbox, (_, request) => (isRfc(request) === wantsRfc ? 202 : 401))
    await courier.hand(parcel(alice, inbox, 1))
    await courier.ring()
    const before = requests(inbox).length
    network.fail(inbox, { status: 403 })

    await courier.hand(parcel(alice, inbox, 2))
    await courier.pass(5 * day)

    expect(requests(inbox).slice(before).map(isRfc)).toEqual([wantsRfc])
  })

  it('continues with later deliveries after a 403', async () => {
    const { inbox, alice, courier } = await scene()
    answering(inbox, (number) => (number <= 2 ? 403 : 202))

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.ring()

    expect(orders(inbox)).toEqual([1, 1, 2])
  })
})

describe('a missing inbox', () => {
  it('retries a 404, because the server may be misconfigured temporarily', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 404, times: 3 })

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.pass(hour)

    expect(statuses(inbox)).toEqual([404, 404, 404, 202, 202])
  })

  it('marks the inbox as gone after the sixth 404 in a row, drops waiting deliveries, and tries once a day', async () => {
    const { host, inbox, alice, courier } = await scene()
    const other = `https://${host}/users/other/inbox`
    network.respond(other, () => new Response(null, { status: 202 }))
    network.fail(inbox, { status: 404 })

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.pass(day / 2)
    await courier.hand(parcel(alice, inbox, 3), parcel(alice, inbox, 4), parcel(alice, other, 5))
    await courier.pass(3 * day)

    expect(orders(inbox)).toEqual([1, 1, 1, 1, 1, 1, 3])
    expect(orders(other)).toEqual([5])
    const gone = courier.lines.filter(({ message }) => message === 'An inbox is gone')
    expect(gone.map(({ facts }) => facts)).toMatchObject([
      { host, inbox, dropped: 2 },
      { host, inbox, dropped: 2 },
    ])
    expect(await courier.stored()).not.toContain('Like')
  })

  it('counts again once a delivery arrived', async () => {
    const { inbox, alice, courier } = await scene()
    answering(inbox, (number) => (number === 6 ? 202 : 404))

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.pass(day)

    expect(orders(inbox)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
  })

  it('marks the inbox as gone at once after a 410, and drops waiting deliveries', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 410, times: 1 })

    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.pass(2 * day)

    expect(orders(inbox)).toEqual([1])
  })

  it('delivers later activities when the server makes contact', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 410, times: 1 })

    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(0)
    // As the answer to what the server sent may be handed over before it is known that it sent something.
    await courier.hand(parcel(alice, inbox, 2), parcel(alice, inbox, 3))
    await courier.pass(0)
    expect(orders(inbox)).toEqual([1])

    await courier.wake()
    await courier.pass(0)
    expect(orders(inbox)).toEqual([1, 2, 3])
    await courier.hand(parcel(alice, inbox, 4))
    await courier.pass(0)
    expect(orders(inbox)).toEqual([1, 2, 3, 4])
  })

  it('delivers later activities a day later, without contact', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 410, times: 1 })

    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(0)
    await courier.hand(parcel(alice, inbox, 2))
    await courier.pass(day - minute)
    await courier.hand(parcel(alice, inbox, 3))
    expect(orders(inbox)).toEqual([1])
    await courier.pass(2 * minute)

    expect(orders(inbox)).toEqual([1, 2, 3])
  })

  it('does not retry at each of many contacts', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 410 })

    for (let order = 1; order <= 6; order += 1) {
      await courier.hand(parcel(alice, inbox, order))
      await courier.pass(0)
      await courier.wake()
      await courier.pass(0)
    }

    expect(orders(inbox)).toEqual([1, 2])
  })
})
