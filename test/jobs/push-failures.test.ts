import { describe, expect, it } from 'vitest'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { network } from '../support/fediverse/shared-network'
import { given, type TestAccount } from '../support/given'
import { subscribedDevice } from '../support/given-push'
import { runJob } from '../support/run-job'
import { context, settleLateWork } from '../support/test-app'

interface Queued {
  readonly job: Job
  readonly delaySeconds: number
}

/** A local account with push devices, a queue that records jobs and their delays, and a recorded log. */
async function scene(count = 1) {
  const [alice, bob] = [await given.account(), await given.account()]
  const devices = []
  for (let index = 0; index < count; index += 1)
    devices.push(await subscribedDevice(await given.token({ accountId: alice.id, scopes: 'push' })))
  const queued: Queued[] = []
  const logged: string[] = []
  const note = (...line: readonly unknown[]) => void logged.push(JSON.stringify(line))
  const overrides = {
    jobs: {
      send: async (job: Job, options = { delaySeconds: 0 }) => void queued.push({ job, ...options }),
    },
    log: { info: note, error: note },
  }
  const ctx = context(overrides)
  return {
    alice,
    bob,
    devices,
    queued,
    logged,
    ctx,
    /** Runs the jobs that wait now, and not those that they queue. */
    async work() {
      await settleLateWork()
      for (const { job } of queued.splice(0))
        expect(['done', 'ignored']).toContain((await runJob(ctx, job)).kind)
    },
    mention: () => as(bob).post('/api/v1/statuses', { status: `@${alice.username} hi` }, { overrides }),
    only: devices[0] ?? (await subscribedDevice(alice)),
  }
}

const answer = (status: number, headers = {}) => new Response('no', { status, headers })
const times = (count: number, status: number) => Array.from({ length: count }, () => answer(status))

async function subscriptionsOf({ id }: TestAccount) {
  const rows = given.env.DB.prepare(
    'select failures from push_subscriptions where account_id = ? order by id',
  )
  const { results } = await rows.bind(id).all<{ failures: number }>()
  return results.map(({ failures }) => failures)
}

describe('a push service', () => {
  it.each([404, 410])('an unknown subscription (%i) is deleted, and no other', async (status) => {
    const { alice, devices, queued, mention, work } = await scene(2)
    devices[0]?.refuse(answer(status))
    await mention()
    await work()
    expect(queued).toEqual([])
    expect(await subscriptionsOf(alice)).toEqual([0])
    expect(devices.map(({ pushed }) => pushed.length)).toEqual([0, 1])
  })

  it.each([429, 500, 503])('a temporary failure (%i) is retried, for this device alone', async (status) => {
    const { devices, queued, mention, work } = await scene(3)
    devices[1]?.refuse(answer(status), answer(status))
    await mention()
    await work()
    expect(queued).toMatchObject([{ job: { kind: 'retry-push', attempt: 1 }, delaySeconds: 60 }])
    expect(JSON.stringify(queued)).not.toContain('push.test')
    await work()
    expect(queued).toMatchObject([{ job: { kind: 'retry-push', attempt: 2 }, delaySeconds: 300 }])
    await work()
    expect(queued).toEqual([])
    expect(devices.map(({ pushed }) => pushed.length)).toEqual([1, 1, 1])
    expect(devices.map(({ attempts }) => attempts())).toEqual([1, 3, 1])
  })

  it.each([
    ['10', 60],
    ['600', 600],
    ['99999999', 21_600],
    ['soon', 60],
  ])('waits for the Retry-After of a push service: %s', async (retryAfter, delaySeconds) => {
    const { only, queued, mention, work } = await scene()
    only.refuse(answer(429, { 'retry-after': retryAfter }))
    await mention()
    await work()
    expect(queued).toMatchObject([{ delaySeconds }])
  })

  it.each(['timeout', 'refused'] as const)(
    'retries when the push service cannot be reached (%s)',
    async (broken) => {
      const { only, queued, mention, work, logged } = await scene()
      network.fail(only.origin, { broken, times: 1 })
      await mention()
      await work()
      expect(queued).toMatchObject([{ job: { kind: 'retry-push', attempt: 1 } }])
      await work()
      expect(only.pushed.length).toBe(1)
      expect(logged.join()).not.toContain(only.endpoint)
    },
  )

  it('follows no redirect of a push service', async () => {
    const { only, mention, work, queued } = await scene()
    const mark = network.mark()
    network.fail(only.origin, { redirect: 'https://elsewhere.test/', times: 1 })
    await mention()
    await work()
    expect(network.since(mark).map(({ url }) => url)).toEqual([only.endpoint])
    expect(queued).toHaveLength(1)
  })

  it('gives up after five more attempts, which counts as one failure', async () => {
    const { alice, only, queued, mention, work } = await scene()
    only.refuse(...times(6, 502))
    await mention()
    const waited: number[] = []
    for (let round = 0; round < 6; round += 1) {
      await work()
      waited.push(...queued.map(({ delaySeconds }) => delaySeconds))
    }
    expect(waited).toEqual([60, 300, 1_800, 7_200, 21_600])
    expect([queued, only.attempts()]).toEqual([[], 6])
    expect(await subscriptionsOf(alice)).toEqual([1])
  })

  it.each([400, 401, 403, 413])('does not retry a refusal (%i), and counts it', async (status) => {
    const { alice, only, queued, mention, work, logged } = await scene()
    only.refuse(answer(status))
    await mention()
    await work()
    expect(queued).toEqual([])
    expect(await subscriptionsOf(alice)).toEqual([1])
    expect(logged.filter((line) => line.includes('A push was refused by its service'))).toHaveLength(1)
    await mention()
    await work()
    expect([only.pushed.length, await subscriptionsOf(alice)]).toEqual([1, [0]])
  })

  it('deletes the subscription after ten refusals in a row', async () => {
    const { alice, only, mention, work } = await scene()
    only.refuse(...times(10, 403))
    for (let count = 1; count <= 10; count += 1) {
      await mention()
      await work()
      expect(await subscriptionsOf(alice)).toEqual(count < 10 ? [count] : [])
    }
  })

  it('does not read a long response of a push service', async () => {
    const { only, queued, mention, work } = await scene()
    only.refuse(new Response('x'.repeat(2_000_000), { status: 201 }))
    await mention()
    await work()
    expect(queued).toEqual([])
  })
})

describe('local failures of push', () => {
  it('a failure for one device does not affect others, and is retried', async () => {
    const { alice, devices, queued, logged, mention, work } = await scene(2)
    await given.env.DB.prepare(`update push_subscriptions set p256dh = 'broken'
      where id = (select min(id) from push_subscriptions where account_id = ?)`)
      .bind(alice.id)
      .run()
    await mention()
    await work()
    expect(devices.map(({ pushed }) => pushed.length)).toEqual([0, 1])
    expect(queued).toMatchObject([{ job: { kind: 'retry-push' } }])
    expect(logged.filter((line) => line.includes('A push failed'))).toHaveLength(1)
  })

  it('a failure after sending does not send again', async () => {
    const { devices, queued, logged, mention } = await scene(2)
    devices[0]?.refuse(answer(500))
    await mention()
    await settleLateWork()
    const broken = {
      send: async () => {
        throw new Error('the queue is away')
      },
    }
    const lines: string[] = []
    const note = (message: string) => void lines.push(message)
    const [first] = queued
    if (first === undefined) throw new Error('nothing is wanted')
    const outcome = await runJob(context({ jobs: broken, log: { info: note, error: note } }), first.job)
    expect(outcome.kind).toBe('done')
    expect(lines).toContain('Failed to store push results')
    expect(devices.map(({ attempts }) => attempts())).toEqual([1, 1])
    expect(logged).toEqual([])
  })

  it('a failure before sending starts again', async () => {
    const { devices, queued, mention } = await scene(8)
    await mention()
    await settleLateWork()
    const broken = {
      send: async () => {
        throw new Error('the queue is away')
      },
    }
    const [first] = queued
    if (first === undefined) throw new Error('nothing is wanted')
    await expect(runJob(context({ jobs: broken }), first.job)).rejects.toThrow('the queue is away')
    expect(devices.map(({ attempts }) => attempts())).toEqual(devices.map(() => 0))
  })
})

describe('logs of a push', () => {
  it('logs and queue contain neither address nor keys nor token', async () => {
    const { alice, only, queued, logged, mention, work } = await scene()
    const secrets = [only.endpoint, only.subscription.keys.p256dh, only.subscription.keys.auth]
    only.refuse(answer(403), answer(500), answer(404))
    const jobs: string[] = []
    for (let count = 0; count < 4; count += 1) {
      await mention()
      await settleLateWork()
      jobs.push(JSON.stringify(queued))
      await work()
      jobs.push(JSON.stringify(queued))
    }
    const said = [...logged, ...jobs].join()
    expect(said).toContain('A push was refused by its service')
    for (const secret of [...secrets, alice.token]) expect(said).not.toContain(secret)
  })
})
