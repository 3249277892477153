import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { UsageMeter } from '../../../../src/cloudflare/usage-meter'
import { noUsage } from '../../../../src/contract/usage'
import { statuses } from '../../../../src/db/schema'
import { dayOf } from '../../../../src/lib/days'
import type { Job } from '../../../../src/messages/jobs'
import { tasks } from '../../../../src/tasks'
import { anonymous, as } from '../../../support/as'
import { fakeQueue } from '../../../support/fake-queue'
import { fediverse } from '../../../support/fediverse'
import { collection } from '../../../support/fediverse/documents'
import { processActivity } from '../../../support/fediverse/process-activity'
import { fetchDocument } from '../../../support/fetch-document'
import { given } from '../../../support/given'
import { followed } from '../../../support/given-remote'
import { runJob } from '../../../support/run-job'
import { runTasks } from '../../../support/run-tasks'
import { clock, context } from '../../../support/test-app'

const start = clock.now()
// The clock is shared with the files that run after this one.
afterAll(() => clock.set(start))

beforeEach(() => clock.set(start))

/** Noon: twelve hours until the quotas begin anew. */
const untilMidnight = '43200'

/** A meter that knows that so much of today's rows is written; it stores nothing by itself. */
function meterAt(share: number): UsageMeter {
  const meter = Object.assign(new UsageMeter(), { isDue: () => false })
  meter.recordStored(dayOf(clock.now()), { ...noUsage(), rowsWritten: share * 100_000 })
  return meter
}

/** Followed remote account with a note that has replies elsewhere, stored. */
async function remoteThread() {
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer)
  const queue = fakeQueue()
  const note = peer.note()
  fediverse.network.serve(`${note.id}/replies`, collection(`${note.id}/replies`, []))
  await processActivity(peer, peer.create({ ...note, replies: `${note.id}/replies` }), queue.ctx)
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
  return { reader, id: row?.id ?? 0 }
}

/** Asserts that members read and post, as at any level. */
async function expectMembersServed(meter: UsageMeter) {
  const alice = await given.account()
  const overrides = { meter }
  const posted = await as(alice).post('/api/v1/statuses', { status: 'Still here' }, { overrides })
  expect(posted.status).toBe(200)
  for (const path of [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public',
    '/api/v1/timelines/tag/birds',
    '/api/v1/notifications',
  ])
    expect((await as(alice).get(path, { overrides })).status, path).toBe(200)
}

describe('near the end of a daily quota', () => {
  it('first stops fetching and queueing backfill, and ends refreshes that wait for it', async () => {
    const { reader, id } = await remoteThread()
    const sent: Job[] = []
    const jobs = { send: async (job: Job) => void sent.push(job) }
    const look = (share: number) =>
      as(reader).get(`/api/v1/statuses/${id}/context`, { overrides: { jobs, meter: meterAt(share) } })
    const paused = await look(0.8)
    expect(paused.status).toBe(200)
    expect(paused.headers.get('mastodon-async-refresh')).toBeNull()
    expect(sent).toEqual([])

    const running = await look(0.79)
    const refresh = /id="([^"]+)"/.exec(running.headers.get('mastodon-async-refresh') ?? '')?.[1] ?? ''
    expect(sent).toMatchObject([{ kind: 'fetch-replies' }])
    const mark = fediverse.network.mark()
    const ctx = context({ meter: meterAt(0.8) })
    const kinds: Job[] = [
      { kind: 'fetch-replies', statusId: id, levels: 2 },
      { kind: 'fetch-ancestors', statusId: id, levels: 2 },
      { kind: 'backfill-account', accountId: reader.id },
    ]
    for (const job of kinds) expect((await runJob(ctx, job)).kind, job.kind).toBe('ignored')
    expect(fediverse.network.since(mark)).toEqual([])
    const path = `/api/v1_alpha/async_refreshes/${encodeURIComponent(refresh)}`
    expect((await as(reader).get(path)).body).toMatchObject({ async_refresh: { status: 'finished' } })
    await expectMembersServed(meterAt(0.8))
  })

  it('postpones previews to the next day, and loses none', async () => {
    const alice = await given.account()
    const posted = await given.status({ by: alice, text: 'https://example.org/page' })
    const job = { kind: 'fetch-link-preview', statusId: Number(posted.id), delaySeconds: 1 } as const
    const outcome = await runJob(context({ meter: meterAt(0.85) }), job)
    expect(outcome).toEqual({ kind: 'retry', afterSeconds: 43_200 })
    expect((await runJob(context({ meter: meterAt(0.84) }), job)).kind).not.toBe('retry')
    expect((await runJob(context({ meter: meterAt(0.8) }), job)).kind).not.toBe('retry')
  })

  it('stops counting trends, and runs every other task', async () => {
    const run = async (share: number) => {
      const ran: string[] = []
      const watched = tasks.map(({ isDue: _, ...task }) => ({
        ...task,
        statements: 0,
        run: async () => void ran.push(task.name),
      }))
      await runTasks(context({ meter: meterAt(share) }), watched)
      return ran
    }
    expect(await run(0.89)).toHaveLength(tasks.length)
    const left = await run(0.9)
    const missing = tasks.filter(({ name }) => !left.includes(name))
    expect(missing.map(({ name }) => name).sort()).toEqual(['refresh-trends', 'request-trend-reviews'])
    await expectMembersServed(meterAt(0.9))
  })

  it('refuses public timelines to anonymous visitors without a round trip, and serves the rest', async () => {
    const overrides = { meter: meterAt(0.94) }
    const lists = ['/api/v1/timelines/public', '/api/v1/timelines/tag/birds', '/api/v1/timelines/link?url=x']
    for (const path of lists) {
      const refused = await anonymous.get(path, { overrides })
      expect(refused, path).toMatchObject({ status: 503, costs: { trips: 0 } })
      expect(refused.body).toEqual({ error: expect.stringContaining('tomorrow') })
      expect(refused.headers.get('retry-after')).toBe(untilMidnight)
    }
    for (const path of ['/tags/birds', '/tags/birds.rss']) {
      const refused = await fetchDocument(path, { accept: 'text/html', overrides })
      expect([path, refused.status, refused.headers.get('retry-after')]).toEqual([path, 503, untilMidnight])
    }
    const author = await given.account()
    const posted = await given.status({ by: author })
    for (const path of [
      `/api/v1/statuses/${posted.id}`,
      `/api/v1/accounts/${author.id}/statuses`,
      '/api/v2/instance',
    ])
      expect((await anonymous.get(path, { overrides })).status, path).toBe(200)
    expect(
      (await anonymous.get('/api/v1/timelines/public', { overrides: { meter: meterAt(0.93) } })).status,
    ).toBe(200)
    await expectMembersServed(meterAt(0.94))
  })

  it('finally asks servers to deliver again, still serves members, and recovers at midnight', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    await followed(reader, peer)
    const note = peer.note()
    const meter = meterAt(0.97)
    const refused = await peer.send(peer.create(note), { overrides: { meter } })
    expect(refused).toMatchObject({ status: 503, costs: { trips: 0 }, fetches: [] })
    expect(refused.headers.get('retry-after')).toBe(untilMidnight)
    await expectMembersServed(meterAt(0.999))
    const stored = () => context().db.$count(statuses, eq(statuses.uri, note.id))
    expect(await stored()).toBe(0)
    clock.set(new Date('2026-11-02T00:00:00.000Z'))
    // Repeated, as its server delivers it again.
    const again = await peer.send(peer.create(note), { overrides: { meter } })
    expect(again.status).toBe(202)
    expect(await stored()).toBe(1)
  })
})
