import { describe, expect, it, vi } from 'vitest'
import type { QueuedDelivery } from '../../../src/ports/federation'
import { ManualCourier } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { testKey } from '../../support/fediverse/keys'
import { given, type TestAccount } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { hangLimit } from '../../support/hang-limit'

const { network } = fediverse
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let made = 0

/** A server of its own for each test, whose inbox accepts everything unless told otherwise. */
async function scene() {
  made += 1
  const host = `courier${made}.test`
  const inbox = `https://${host}/inbox`
  network.respond(inbox, () => new Response(null, { status: 202 }))
  const alice = await given.account()
  return { host, inbox, alice, courier: new ManualCourier(host) }
}

function parcel(
  by: TestAccount,
  inbox: string,
  order: number,
  more: Partial<QueuedDelivery> = {},
): QueuedDelivery {
  const actor = `https://fieldfare.test/users/${by.username}`
  const id = `${order}/0`
  const body = JSON.stringify({ id: `${actor}#${order}`, type: 'Like', actor })
  return { id, order, inboxes: [inbox], senderId: by.id, keyId: `${actor}#main-key`, body, ...more }
}

const bodies = (url: string) => network.requests(url, 'POST').map(({ body }) => JSON.parse(body).id)
const orders = (url: string) => bodies(url).map((id) => Number(String(id).split('#')[1]))
const count = (url: string) => network.requests(url, 'POST').length

describe('a courier', () => {
  it('sends a signed POST with a digest over the exact bytes (pitfalls 1, 2, 3)', async () => {
    const { inbox, host, alice, courier } = await scene()
    const sent = parcel(alice, inbox, 1)
    await courier.hand(sent)
    expect(await courier.ring()).toBe(true)
    const [request] = network.requests(inbox, 'POST')
    expect(request?.body).toBe(sent.body)
    const sha = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sent.body))
    const digest = `SHA-256=${new Uint8Array(sha).toBase64()}`
    expect(request?.headers.get('digest')).toBe(digest)
    expect(request?.headers.get('content-type')).toBe('application/activity+json')
    const signature = request?.headers.get('signature') ?? ''
    const covered = /headers="([^"]*)"/.exec(signature)?.[1]?.split(' ') ?? []
    expect(covered.slice(0, 4)).toEqual(['(request-target)', 'host', 'date', 'digest'])
    expect(covered).not.toContain('(created)')
    const text = covered.map((name) => {
      const value = { '(request-target)': 'post /inbox', host }[name] ?? request?.headers.get(name)
      return `${name}: ${value}`
    })
    const bytes = Uint8Array.fromBase64(/signature="([^"]*)"/.exec(signature)?.[1] ?? '')
    const { publicKey } = await testKey('rsa')
    const signed = new TextEncoder().encode(text.join('\n'))
    expect(await crypto.subtle.verify('RSASSA-PKCS1-v1_5', publicKey, bytes, signed)).toBe(true)
    expect(await courier.waiting()).toBe(0)
  })

  it('sends a repeated delivery once, also after it arrived', async () => {
    const { inbox, alice, courier } = await scene()
    await courier.hand(parcel(alice, inbox, 1))
    await courier.hand(parcel(alice, inbox, 1))
    await courier.ring()
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(day)
    expect(count(inbox)).toBe(1)
  })

  it('keeps order to an inbox: nothing overtakes a delivery that waits for its retry (pitfall 70) [T-705]', async () => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status: 503, times: 2 })
    // Handed over in disorder, as after a sweep.
    await courier.hand(parcel(alice, inbox, 2), parcel(alice, inbox, 1))
    await courier.ring()
    await courier.hand(parcel(alice, inbox, 3))
    await courier.pass(0)
    expect(orders(inbox)).toEqual([1])
    await courier.pass(hour)
    expect(orders(inbox)).toEqual([1, 1, 1, 2, 3])
  })

  it('one waiting inbox does not delay others of the server', async () => {
    const { host, alice, courier } = await scene()
    const inboxes = ['a', 'b'].map((name) => `https://${host}/users/${name}/inbox`)
    const [first = '', second = ''] = inboxes
    network.respond(second, () => new Response(null, { status: 202 }))
    network.respond(first, () => new Response(null, { status: 500 }))
    await courier.hand(parcel(alice, first, 1, { inboxes }), parcel(alice, second, 2))
    await courier.ring()
    expect(orders(second)).toEqual([1, 2])
    expect(count(first)).toBe(1)
  })

  it('retries for five days with growing gaps, then gives up with a log line (pitfall 68) [T-706]', async () => {
    const { inbox, host, alice, courier } = await scene()
    const start = courier.clock.now().getTime()
    const times: number[] = []
    network.respond(inbox, () => {
      times.push(courier.clock.now().getTime() - start)
      return new Response(null, { status: 502 })
    })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(6 * day)
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    expect(gaps.slice(0, 4)).toEqual([minute, 3 * minute, 8 * minute, 20 * minute])
    expect(Math.max(...gaps)).toBeLessThanOrEqual(6 * hour)
    expect(times.at(-1)).toBeGreaterThan(4 * day)
    expect(times.at(-1)).toBeLessThanOrEqual(5 * day + 6 * hour)
    expect(await courier.waiting()).toBe(0)
    const given = courier.lines.filter(({ message }) => message === 'Deliveries expired')
    expect(given.map(({ facts }) => facts)).toMatchObject([{ host, count: 1 }])
  })

  it.each([405, 413, 422])('gives up at once on %d (pitfall 68) [T-707]', async (status) => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(5 * day)
    expect(count(inbox)).toBe(1)
    expect(courier.lines).toMatchObject([{ message: 'A delivery was refused', facts: { status } }])
  })

  it.each([408, 429, 500, 503])('retries after %d (pitfall 68)', async (status) => {
    const { inbox, alice, courier } = await scene()
    network.fail(inbox, { status, times: 1 })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(hour)
    expect(count(inbox)).toBe(2)
  })

  it('retries without an answer, and does not follow a redirect (pitfall 6)', async () => {
    const { inbox, host, alice, courier } = await scene()
    network.fail(inbox, { broken: 'timeout', times: 1 })
    network.fail(inbox, { redirect: `https://${host}/elsewhere`, status: 307, times: 1 })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(hour)
    expect(network.requests(inbox, 'POST').map(({ status }) => status)).toEqual([0, 307, 202])
    expect(count(`https://${host}/elsewhere`)).toBe(0)
  })

  it('drops deliveries to a forbidden address at once', async () => {
    const { host, inbox, alice, courier } = await scene()
    const inward = `http://${host}/inbox`
    await courier.hand({ ...parcel(alice, inward, 1), inboxes: [inward, inbox] })
    await courier.pass(hour)
    expect([count(inward), count(inbox)]).toEqual([0, 1])
    // A delivery that still waited would have its text stored.
    expect(await courier.stored()).not.toContain('#1')
  })

  it('waits as long as Retry-After says, with everything for that server (pitfall 72) [T-708]', async () => {
    const { inbox, host, alice, courier } = await scene()
    const other = `https://${host}/users/other/inbox`
    network.respond(other, () => new Response(null, { status: 202 }))
    network.fail(inbox, { status: 429, headers: { 'retry-after': '1800' }, times: 1 })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.ring()
    await courier.hand(parcel(alice, other, 2))
    await courier.pass(29 * minute)
    expect([count(inbox), count(other)]).toEqual([1, 0])
    await courier.wake()
    await courier.pass(30_000)
    expect([count(inbox), count(other)]).toEqual([1, 0])
    await courier.pass(2 * minute)
    expect([count(inbox), count(other)]).toEqual([2, 1])
  })

  it.each([400, 401, 403])(
    'tries the other signature scheme on %d and remembers the accepted one (pitfall 9)',
    async (status) => {
      const { inbox, alice, courier } = await scene()
      network.respond(inbox, ({ headers }) =>
        headers.has('signature-input') ? new Response(null, { status: 202 }) : new Response(null, { status }),
      )
      await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
      await courier.ring()
      const kinds = network.requests(inbox, 'POST').map(({ headers }) => headers.has('signature-input'))
      expect(kinds).toEqual([false, true, true])
      const [, second] = network.requests(inbox, 'POST')
      expect(second?.headers.get('content-digest')).toMatch(/^sha-256=:[\w+/]+=*:$/)
      expect(second?.headers.get('signature-input')).toContain('"content-digest"')
    },
  )
})

describe('a courier to a dead server', () => {
  it('stops after five failures, tries one delivery at a time, and sends all when it answers (pitfall 69) [T-709]', async () => {
    const { host, alice, courier } = await scene()
    const inboxes = Array.from({ length: 12 }, (_, index) => `https://${host}/users/u${index}/inbox`)
    const back = network.fail(`https://${host}/`, { broken: 'refused' })
    for (const inbox of inboxes) network.respond(inbox, () => new Response(null, { status: 202 }))
    await courier.hand(parcel(alice, '', 1, { inboxes }))
    await courier.ring()
    expect(count(`https://${host}/`)).toBe(6)
    await courier.ring()
    expect(count(`https://${host}/`)).toBe(7)
    await courier.pass(5 * hour)
    expect(count(`https://${host}/`)).toBeLessThan(20)
    back()
    await courier.pass(6 * hour)
    for (const inbox of inboxes)
      expect(network.requests(inbox, 'POST').filter(({ status }) => status === 202)).toHaveLength(1)
  })

  it('does not treat one failing inbox as a dead server', async () => {
    const { host, inbox, alice, courier } = await scene()
    const broken = `https://${host}/broken`
    network.respond(broken, () => new Response(null, { status: 500 }))
    await courier.hand(parcel(alice, broken, 1))
    await courier.pass(2 * hour)
    expect(count(broken)).toBeGreaterThanOrEqual(5)
    await courier.hand(parcel(alice, inbox, 2))
    await courier.pass(3 * hour)
    expect(orders(inbox)).toEqual([2])
  })

  it('wakes at a contact of the server, at most once a minute (pitfall 69) [T-710]', async () => {
    const { inbox, alice, courier } = await scene()
    const back = network.fail(inbox, { broken: 'refused' })
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(2 * day)
    const before = count(inbox)
    await courier.wake()
    await courier.wake()
    await courier.pass(10_000)
    expect(count(inbox)).toBe(before + 1)
    back()
    await courier.pass(minute)
    await courier.wake()
    await courier.ring()
    expect(network.requests(inbox, 'POST').at(-1)?.status).toBe(202)
    expect(await courier.waiting()).toBe(0)
  })

  it('does nothing when woken without deliveries', async () => {
    const { courier } = await scene()
    await courier.wake()
    expect(await courier.alarmAt()).toBeNull()
  })
})

describe('a courier with nothing to do', () => {
  it.each([
    ['answers', undefined],
    ['never answers', { broken: 'timeout' as const }],
    ['is gone', { status: 410 }],
  ])('deletes data of a server that %s after a month, and starts again [T-711]', async (_, failure) => {
    const { inbox, alice, courier } = await scene()
    const back = failure === undefined ? () => undefined : network.fail(inbox, failure)
    await courier.hand(parcel(alice, inbox, 1))
    await courier.pass(20 * day)
    expect(await courier.kept()).toEqual(expect.arrayContaining(['parcels', 'standing']))
    await courier.pass(30 * day)
    expect([await courier.kept(), await courier.alarmAt()]).toEqual([[], null])
    back()
    await courier.hand(parcel(alice, inbox, 2))
    await courier.ring()
    expect(orders(inbox).at(-1)).toBe(2)
    expect(network.requests(inbox, 'POST').at(-1)?.status).toBe(202)
  })
})

/** Settles once `condition` holds. Asked by turns: a promise of one object must not be kept by another. */
async function became(condition: () => boolean): Promise<void> {
  await vi.waitUntil(condition, hangLimit)
}

describe('a courier with much to do', () => {
  it('sends at most thirty requests per invocation, and at most six at once', async () => {
    const { host, alice, courier } = await scene()
    const inboxes = Array.from({ length: 50 }, (_, index) => `https://${host}/users/u${index}/inbox`)
    let [open, most, isReleased] = [0, 0, false]
    for (const inbox of inboxes)
      network.respond(inbox, async () => {
        open += 1
        most = Math.max(most, open)
        await became(() => isReleased)
        open -= 1
        return new Response(null, { status: 202 })
      })
    await courier.hand(parcel(alice, '', 1, { inboxes }))
    const rung = courier.ring()
    await became(() => open === 6)
    // Another call of the object: what the alarm would begin as well has begun before it is answered.
    expect(await courier.waiting()).toBe(50)
    isReleased = true
    await rung
    const after = count(`https://${host}/`)
    expect(after).toBeLessThanOrEqual(30)
    expect(after).toBeGreaterThan(20)
    expect(most).toBe(6)
    await courier.ring()
    expect(count(`https://${host}/`)).toBe(50)
  })

  it('counts retries among the thirty', async () => {
    const { host, alice, courier } = await scene()
    const inboxes = Array.from({ length: 40 }, (_, index) => `https://${host}/users/u${index}/inbox`)
    for (const inbox of inboxes) network.respond(inbox, () => new Response(null, { status: 403 }))
    await courier.hand(parcel(alice, '', 1, { inboxes }))
    await courier.ring()
    expect(count(`https://${host}/`)).toBeLessThanOrEqual(30)
  })

  it('repeats interrupted deliveries, and sends the rest once', async () => {
    const { inbox, alice, courier } = await scene()
    const { promise: hanging, resolve: answer } = Promise.withResolvers<void>()
    let first = true
    network.respond(inbox, async () => {
      const hangs = first
      first = false
      if (hangs) await hanging
      return new Response(null, { status: 202 })
    })
    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    const cutOff = courier.ring()
    // Another object on the same storage, while the first still waits for its answer.
    await courier.hand(parcel(alice, inbox, 3))
    await courier.ring()
    answer()
    await cutOff
    await courier.pass(day)
    expect(orders(inbox)).toEqual([1, 2, 3, 1])
    const [one, , , again] = bodies(inbox)
    expect(again).toBe(one)
  })

  it('keeps no key and deletes delivered texts (pitfall 73) [T-712]', async () => {
    const { inbox, alice, courier } = await scene()
    await courier.hand(parcel(alice, inbox, 1))
    const waiting = await courier.stored()
    await courier.ring()
    const settled = await courier.stored()
    expect(waiting).toContain('Like')
    expect(settled).not.toContain('Like')
    for (const text of [waiting, settled]) expect(text).not.toMatch(/aesgcm\d|PRIVATE|"d":/)
  })

  it('sends deliveries that are enqueued while it is sending', async () => {
    const { inbox, alice, courier } = await scene()
    const bob = await given.account()
    const seen = { arrived: false, handed: false }
    network.respond(inbox, async () => {
      seen.arrived = true
      await became(() => seen.handed)
      return new Response(null, { status: 202 })
    })
    await courier.hand(parcel(alice, inbox, 1))
    const under = courier.ring()
    await became(() => seen.arrived)
    await courier.hand(parcel(bob, inbox, 2))
    seen.handed = true
    await under
    expect(orders(inbox)).toEqual([1, 2])
  })

  it('drops everything for a server that was suspended since', async () => {
    const { inbox, host, alice, courier } = await scene()
    network.fail(inbox, { status: 503, times: 1 })
    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    await courier.ring()
    await domainLimit(host, 'suspend')
    await courier.pass(day)
    expect(orders(inbox)).toEqual([1])
    expect(await courier.waiting()).toBe(0)
  })

  it('drops deliveries of a deleted account', async () => {
    const { inbox, alice, courier } = await scene()
    await courier.hand(parcel(alice, inbox, 1, { senderId: 4 }), parcel(alice, inbox, 2))
    await courier.ring()
    expect(orders(inbox)).toEqual([2])
  })
})

describe('a courier controlled by an operator', () => {
  it('shows waiting and failing deliveries, retries them at once, and drops them', async () => {
    const { inbox, alice, courier } = await scene()
    expect(await courier.control('state')).toBeNull()
    expect(await courier.kept()).toEqual([])
    network.fail(inbox, { status: 503, times: 1 })
    await courier.hand(parcel(alice, inbox, 1), parcel(alice, inbox, 2))
    const handedAt = courier.clock.now()
    await courier.ring()
    const failing = { pending: 2, failures: 1, unreachable: false, oldestAt: handedAt }
    expect(await courier.control('state')).toMatchObject(failing)
    expect(await courier.control('retry')).toBe(2)
    expect(await courier.alarmAt()).toEqual(courier.clock.now())
    await courier.ring()
    expect(await courier.control('state')).toMatchObject({ pending: 0, failures: 0, failingSince: null })
    await courier.hand(parcel(alice, inbox, 3))
    expect(await courier.control('drop')).toBe(1)
    expect(await courier.control('state')).toMatchObject({ pending: 0 })
    expect(orders(inbox)).not.toContain(3)
  })
})
