import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { openDb } from '../../../src/db/query'
import { Job } from '../../../src/messages/jobs'
import type { QueuedDelivery, SigningFacts } from '../../../src/ports/federation'
import { as } from '../../support/as'
import { countingDb } from '../../support/costs'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedStatus } from '../../support/given-stored'
import { followedByMasses, remoteMasses } from '../../support/masses'
import { runJob } from '../../support/run-job'
import { clock, context } from '../../support/test-app'

interface Handed {
  readonly host: string
  readonly inbox: string
  readonly delivery: QueuedDelivery
  readonly signing: SigningFacts | null
}

/** Federates a new status of `author` with all its jobs, and keeps what couriers get instead of sending it. */
async function federated(author: TestAccount, visibility: 'public' | 'private' = 'public') {
  const handed: Handed[] = []
  const messages: Job[] = []
  const counted = countingDb(env.DB)
  const ctx = context({
    db: openDb(counted.db),
    couriers: {
      enqueue: async (host, deliveries, signing = null) => {
        for (const delivery of deliveries)
          for (const inbox of delivery.inboxes) handed.push({ host, inbox, delivery, signing })
      },
      wake: async () => undefined,
    },
    jobs: { send: async (job) => void messages.push(job) },
  })
  const statusId = await storedStatus({ accountId: author.id, visibility })
  const event = { kind: 'status.created' as const, accountId: author.id, statusId }
  const eventId = ctx.ids.next()
  await ctx.delivery.federate(event, eventId)
  const perJob: number[] = []
  for (const job of messages) {
    const before = handed.length
    expect((await runJob(ctx, Job.parse(JSON.parse(JSON.stringify(job))))).kind).toBe('done')
    perJob.push(new Set(handed.slice(before).map(({ host }) => host)).size)
  }
  return {
    handed,
    messages,
    perJob,
    ctx,
    event,
    eventId,
    rows: counted.read().rowsRead,
    costs: counted.read(),
  }
}

async function authorWith({ count, inboxes }: { readonly count: number; readonly inboxes: number }) {
  const author = await given.account()
  const masses = await remoteMasses({ count, inboxes })
  await followedByMasses(author, masses)
  return { author, masses }
}

describe('a status for very many remote followers', () => {
  it('reads one row per follower and one per inbox: 24,000 for 20,000 followers at 3,735 inboxes', async () => {
    const few = await authorWith({ count: 2_000, inboxes: 374 })
    const many = await authorWith({ count: 20_000, inboxes: 3_735 })
    const [small, large] = [await federated(few.author), await federated(many.author)]
    expect(large.handed.map(({ inbox }) => inbox).toSorted()).toEqual(many.masses.inboxes.toSorted())
    expect(small.rows).toBeLessThanOrEqual(2_000 + 1.1 * 374 + 100)
    expect(large.rows).toBeLessThanOrEqual(20_000 + 1.1 * 3_735)
  })

  it('enqueues jobs of at most forty servers, without text or key', async () => {
    const { author } = await authorWith({ count: 600, inboxes: 300 })
    const { messages, perJob, handed } = await federated(author)
    expect(messages.map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => 'deliver-part'))
    expect(Math.max(...perJob)).toBeLessThanOrEqual(40)
    const texts = messages.map((message) => JSON.stringify(message))
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(64 * 1024)
    expect(texts.join()).not.toMatch(/aesgcm\d|PRIVATE|keyId|content/)
    for (const { signing } of handed) expect(signing?.keys).toMatchObject([{ accountId: author.id }])
  })

  it('delivers under the same ids when its jobs run twice or the first is repeated', async () => {
    const { author } = await authorWith({ count: 240, inboxes: 240 })
    const { handed, messages, ctx, event, eventId } = await federated(author)
    const key = ({ inbox, delivery }: Handed) => `${delivery.id} ${inbox}`
    const once = new Set(handed.map(key))
    expect(once.size).toBe(240)
    for (const job of messages.slice(0, 3)) await runJob(ctx, job)
    const jobs = messages.length
    await ctx.delivery.federate(event, eventId)
    expect(messages.slice(jobs)).toEqual(messages.slice(0, jobs))
    expect(new Set(handed.map(key))).toEqual(once)
  })

  it('continues in a further job after ten thousand inboxes', async () => {
    const { author, masses } = await authorWith({ count: 10_050, inboxes: 10_050 })
    const { handed, messages } = await federated(author)
    expect(messages.filter(({ kind }) => kind === 'continue-delivery')).toHaveLength(1)
    expect(handed.map(({ inbox }) => inbox).toSorted()).toEqual(masses.inboxes.toSorted())
  })

  it('sends each server its follower list where the status is for followers only', async () => {
    const { author, masses } = await authorWith({ count: 480, inboxes: 240 })
    const { handed } = await federated(author, 'private')
    expect(handed).toHaveLength(240)
    const headers = new Set(handed.map(({ delivery }) => delivery.synchronization))
    expect(headers.size).toBe(masses.inboxes.length)
    for (const header of headers) expect(header).toMatch(/digest="[0-9a-f]{64}"/)
  })

  it('skips suspended servers, and inboxes that were unreachable for a week', async () => {
    const { author, masses } = await authorWith({ count: 240, inboxes: 240 })
    const [suspended = '', unreachable = ''] = masses.inboxes
    await env.DB.batch([
      env.DB.prepare(
        `insert into domain_limits (domain, id, severity, created_at) values (?, 1, 'suspend', 0)`,
      ).bind(new URL(suspended).host),
      env.DB.prepare('update inboxes set unreachable_since = 1 where url = ?').bind(unreachable),
    ])
    // Each isolate reads the limits once a minute.
    clock.advance(61_000)
    const { handed } = await federated(author)
    const inboxes = new Set(handed.map(({ inbox }) => inbox))
    expect([inboxes.has(suspended), inboxes.has(unreachable), inboxes.size]).toEqual([false, false, 238])
  })
})

describe('the request that posts', () => {
  it('posting reads the same with 200 and 20,000 remote followers', async () => {
    const author = await given.account()
    for (let index = 0; index < 7; index += 1) await relation.follow(await given.account(), author)
    const post = () => as(author).post('/api/v1/statuses', { status: 'Hello' })
    await followedByMasses(author, await remoteMasses({ count: 200 }))
    const small = (await post()).costs.rowsRead
    await followedByMasses(author, await remoteMasses({ count: 19_800, inboxes: 4_000 }))
    const large = (await post()).costs.rowsRead
    expect(large).toBeLessThanOrEqual(small + 10)
    expect(large).toBeLessThanOrEqual(200 + 2 * 7)
  })
})
