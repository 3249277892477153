import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { asyncRefreshes, statuses } from '../../src/db/schema'
import { pruneRefreshes } from '../../src/domain/core/async-refreshes'
import { anonymous, as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { collection } from '../support/fediverse/documents'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import { followed } from '../support/given-remote'
import { clock, context, settleLateWork } from '../support/test-app'

const path = '/api/v1_alpha/async_refreshes'

/** A post elsewhere with answers nobody here has, a reader of it, and the queue its jobs go to. */
async function thread(answers: number) {
  const jobs = fakeQueue()
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer)
  const note = peer.note()
  const replies = `${note.id}/replies`
  const items = Array.from({ length: answers }, () => peer.note({ inReplyTo: note.id }))
  const first = { ...collection(`${replies}/first`, items), type: 'CollectionPage' }
  fediverse.network.serve(replies, { ...collection(replies, []), first })
  await processActivity(peer, peer.create(note), jobs.ctx)
  await jobs.work()
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, note.id))
  const id = row?.id ?? 0
  const look = () => as(reader).get(`/api/v1/statuses/${id}/context`, { overrides: { jobs: jobs.ctx.jobs } })
  return { ...jobs, reader, id, look }
}

const headerOf = ({ headers }: { readonly headers: Headers }) => headers.get('mastodon-async-refresh')
const idIn = (header: string | null) => /^id="([^"]+)", retry=\d+$/.exec(header ?? '')?.[1] ?? ''

describe('the refresh of a thread', () => {
  it('runs while replies are fetched, with their count [T-247]', async () => {
    const { reader, look, jobs, work } = await thread(3)
    const first = await look()
    expect(first.body).toMatchObject({ descendants: [] })
    const id = idIn(headerOf(first))
    const ask = () => as(reader).get(`${path}/${encodeURIComponent(id)}`)
    expect(await ask()).toMatchObject({
      status: 200,
      body: { async_refresh: { id, status: 'running', result_count: null } },
    })
    const second = await look()
    expect(idIn(headerOf(second))).toBe(id)
    await settleLateWork()
    expect(jobs.filter(({ kind }) => kind === 'fetch-replies')).toHaveLength(1)
    await work()
    expect((await ask()).body).toEqual({ async_refresh: { id, status: 'finished', result_count: 3 } })
    const third = await look()
    expect(headerOf(third)).toBeNull()
    expect(third.body).toMatchObject({ descendants: [{}, {}, {}] })
    expect(jobs).toEqual([])
    expect(third.costs.trips).toBeLessThanOrEqual(1)
  })

  it('finishes with nothing where there are no new replies', async () => {
    const { reader, look, work } = await thread(0)
    const id = idIn(headerOf(await look()))
    await work()
    expect((await as(reader).get(`${path}/${id}`)).body).toMatchObject({
      async_refresh: { status: 'finished', result_count: 0 },
    })
  })

  it('starts for signed-in readers, and not for local threads', async () => {
    const { id, reader, jobs } = await thread(1)
    const stranger = await anonymous.get(`/api/v1/statuses/${id}/context`)
    expect(headerOf(stranger)).toBeNull()
    const local = await given.status({ by: reader })
    expect(headerOf(await as(reader).get(`/api/v1/statuses/${local.id}/context`))).toBeNull()
    expect(jobs).toEqual([])
  })
})

describe('GET /api/v1_alpha/async_refreshes/:id', () => {
  it('unknown, altered or forgotten → 404; no token → 401 [T-248]', async () => {
    const { reader, id: statusId, look } = await thread(1)
    const id = idIn(headerOf(await look()))
    const statusOf = async (asked: string) => (await as(reader).get(`${path}/${asked}`)).status
    expect(await statusOf(id)).toBe(200)
    const [subject = '', signature = ''] = id.split('--')
    for (const altered of [
      '1',
      subject,
      `${subject}--x`,
      `context:${statusId + 1}--${signature}`,
      '--',
      '%00',
    ])
      expect(await statusOf(altered), altered).toBe(404)
    expect((await anonymous.get(`${path}/${id}`)).status).toBe(401)
    const { db } = context()
    const over = new Date(clock.now().getTime() - 1)
    await db.update(asyncRefreshes).set({ expiresAt: over }).where(eq(asyncRefreshes.subject, subject))
    expect(await statusOf(id)).toBe(404)
    await pruneRefreshes(context())
    const left = await db.select().from(asyncRefreshes).where(eq(asyncRefreshes.subject, subject))
    expect(left).toEqual([])
    expect(idIn(headerOf(await look()))).toBe(id)
  })
})
