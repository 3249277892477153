import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { descendantsCalled } from '../../../scripts/bench/federation/on-cpu.mjs'
import {
  arrivals,
  counting,
  disperse,
  evict,
  gather,
  idleCounts,
  type Listener,
  pingAll,
  post,
} from '../../../scripts/bench/streaming/crowd.mjs'
import { collectGarbage } from '../../../scripts/bench/streaming/garbage.mjs'
import { memoryOf } from '../../../scripts/bench/streaming/memory.mjs'
import { type CrowdedServer, openCrowdedServer } from '../../../scripts/bench/streaming/server.mjs'

/** A crowd of two sockets each, in two parts: more than the hundred objects that a post reaches without branches. */

const people = 120
const each = 2
const restarted = 20
/** KiB of the runtime for each person: 740 were measured while the objects are awake, and 290 while they sleep. */
const most = { awake: 1_500, asleep: 750 }

const folder = mkdtempSync(join(tmpdir(), 'fieldfare-crowd-'))
let place: CrowdedServer
let pids: readonly number[]
const crowd: Listener[] = []

beforeAll(async () => {
  const others = new Set(descendantsCalled('workerd'))
  place = await openCrowdedServer(folder, people)
  pids = descendantsCalled('workerd').filter((pid) => !others.has(pid))
})
afterAll(async () => {
  disperse(crowd)
  await place.server.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** Posts, and waits for the event at every socket. */
async function reach(work: () => Promise<unknown> = async () => undefined) {
  const { key } = await post(place.url, place.author)
  await work()
  return { key, missed: crowd.length - (await arrivals(crowd, key)).length }
}

const growth = (sizes: readonly number[]) => (sizes.at(-1) ?? 0) - (sizes[0] ?? 0)

/** Asks a connection something; whether that woke its object. */
async function isAsleep(url: URL, listener: Listener | undefined): Promise<boolean> {
  if (listener === undefined) throw new Error('No object slept while all others were asked')
  const { ws } = listener
  const { change } = await counting(url, async () => {
    const answered = new Promise((resolve) => ws.once('message', resolve))
    ws.send(JSON.stringify({ type: 'subscribe', stream: 'nowhere' }))
    await answered
  })
  return change.woken > 0
}

/** Resident memory without garbage, KiB. */
async function memory(): Promise<number> {
  const headers = { Authorization: `Bearer ${place.author.token}` }
  await collectGarbage(place.server, async () => {
    // A trip to the database that calls no object.
    await (await fetch(new URL('/api/v1/accounts/verify_credentials', place.url), { headers })).text()
  })
  return memoryOf(pids)
}

describe('a hundred and twenty connections', () => {
  let alone = 0
  /** Resident memory before each part, and after the last, while all objects sleep. */
  const asleep: number[] = []

  it('a hundred and twenty connections open their sockets with two and a half round trips each, in bounded memory', async () => {
    const { url, server, author, listeners } = place
    await post(url, author)
    alone = (await counting(url, () => post(url, author))).change.trips
    for (const part of [listeners.slice(0, people / 2), listeners.slice(people / 2)]) {
      asleep.push(await memory())
      const { result, change } = await counting(url, () => gather(url, part, each))
      crowd.push(...result)
      expect((change.trips + change.tripsOfObjects) / result.length).toBeLessThanOrEqual(2.5)
      await evict(server, part)
    }
    asleep.push(await memory())
    // The runtime keeps what objects of the first part freed, for those of the second.
    expect(growth(asleep.slice(1)) / (people / 2)).toBeLessThan(most.asleep)
  })

  it('a hundred and twenty connections receive a post by one call of each object, through branches of a hundred, for one round trip more', async () => {
    const { url } = place
    expect((await reach()).missed).toBe(0)
    const { result, change } = await counting(url, () => reach())
    expect(result.missed).toBe(0)
    expect(change).toMatchObject({ deliveries: people, branches: 2, tripsOfObjects: 0 })
    expect(change.trips - alone).toBeLessThanOrEqual(1)
    const { largestBranch } = await idleCounts(url)
    expect(largestBranch).toBeGreaterThan(0)
    expect(largestBranch).toBeLessThanOrEqual(100)
    const awake = await memory()
    expect(growth([...asleep.slice(0, 1), awake]) / people).toBeLessThan(most.awake)
  })

  it('miss nothing while objects restart', async () => {
    const { url, server, listeners } = place
    const stormy = await counting(url, () => reach(() => evict(server, listeners.slice(0, restarted))))
    const calm = await counting(url, () => reach())
    expect([stormy.result.missed, calm.result.missed]).toEqual([0, 0])
    expect(stormy.change.woken + calm.change.woken).toBeGreaterThanOrEqual(restarted)
  })

  it('hibernate, also with pings, and wake for the next post', async () => {
    const { url } = place
    const { key } = await reach()
    // Begins with the objects that were called last: when one of them sleeps, so do all that come after it.
    const first = new Map(crowd.map((one) => [one.accountId, one]))
    const lastFirst = [...first.values()].toSorted(
      (a, b) => (b.received.get(key) ?? 0) - (a.received.get(key) ?? 0),
    )
    let asked = 0
    await expect
      .poll(() => isAsleep(url, lastFirst[asked++]), { timeout: 100_000, interval: 1_000 })
      .toBe(true)
    expect(await counting(url, () => pingAll(crowd))).toMatchObject({
      result: crowd.length,
      change: { woken: 0 },
    })
    const { change } = await counting(url, () => reach())
    expect(change.woken).toBeGreaterThanOrEqual(people - asked)
    expect(asked).toBeLessThan(people)
  })

  it('a hundred and twenty connections receive nothing twice, and lose no socket', () => {
    expect(crowd.filter(({ extra }) => extra > 0)).toEqual([])
    expect(crowd.filter(({ isOpen }) => !isOpen)).toEqual([])
  })
})
