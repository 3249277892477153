import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { combineQueries, execute } from '../../src/db/query'
import { ownStatus } from '../../src/domain/statuses/find'
import { removalFacts } from '../../src/domain/statuses/find-affected-servers'
import { deleteStatus } from '../../src/domain/statuses/remove'
import { statusRemoval } from '../../src/domain/statuses/remove-in-parts'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { countingDb } from '../support/costs'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { viewerOf } from '../support/given-status'
import { markedInEveryWay, type ViralStatus, viralStatus } from '../support/given-viral'
import { runJob } from '../support/run-job'
import { fetchApp, settleLateWork, context as testContext } from '../support/test-app'

const kinds: ReadonlySet<Job['kind']> = new Set(['federate-removal', 'continue-long-task'])

/** Rows that one batch may read. */
const mostRows = 50_000

/** A status that everybody marked in every way, and its deletion by its author. */
async function deletion(count: number) {
  const author = await given.account()
  const status = await viralStatus(author, count)
  await markedInEveryWay(status)
  const batches: number[] = []
  const counted = countingDb(env.DB, (statements) =>
    batches.push(statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0)),
  )
  const jobs: Job[] = []
  const context = () =>
    testContext(
      {
        jobs: { send: async (job) => void (kinds.has(job.kind) && jobs.push(job)) },
        couriers: { enqueue: async () => undefined, wake: async () => undefined },
      },
      counted.db,
    )
  const viewer = await viewerOf(author)
  const start = async () => {
    const ctx = context()
    const { own, facts } = await execute(
      ctx.db,
      combineQueries({
        own: ownStatus(ctx, author.id, status.id),
        facts: removalFacts(ctx, status.id),
      }),
    )
    if (own === null) throw new Error('No status')
    await deleteStatus(ctx, viewer, { ...facts, status: own, withMedia: true })
    await settleLateWork()
  }
  return { author, status, batches, jobs, context, start, read: () => counted.read().rowsRead }
}

/** Rows that still refer to the status, by table, and how often its rebloggers are counted. */
async function left({ id, masses }: ViralStatus) {
  const { from, count } = masses
  const found = await env.DB.prepare(`select (select count(*) from statuses where id = ?1) as statuses,
      (select count(*) from favourites where status_id = ?1) as favourites,
      (select count(*) from notifications where status_id = ?1) as notifications,
      (select count(*) from bookmarks where status_id = ?1) as bookmarks,
      (select count(*) from emoji_reactions where status_id = ?1) as reactions,
      (select count(*) from statuses where reblog_of_id = ?1) as reblogs,
      (select count(*) from statuses where in_reply_to_id = ?1) as answers,
      (select count(*) from quotes where quoted_status_id = ?1) as quotes,
      (select count(*) from poll_votes where poll_id = ?1) as votes,
      (select sum(statuses_count) from accounts where id >= ?2 and id < ?2 + ?3) as counted`)
    .bind(id, from, count)
    .first<Record<string, number>>()
  return found ?? {}
}

const nothing = {
  statuses: 0,
  favourites: 0,
  notifications: 0,
  bookmarks: 0,
  reactions: 0,
  reblogs: 0,
  answers: 0,
  quotes: 0,
  votes: 0,
  counted: 0,
}

async function work(
  { context, jobs }: Awaited<ReturnType<typeof deletion>>,
  most = Number.POSITIVE_INFINITY,
) {
  let ran = 0
  while (ran < most) {
    const job = jobs.shift()
    if (job === undefined) return ran
    await runJob(context(), job)
    ran += 1
  }
  return ran
}

describe('a status with very many interactions', () => {
  it('a status with very many interactions is deleted in batches below 50,000 rows, 60 rows for each account with every interaction: ten times as many read ten times as much', async () => {
    const cost = async (count: number) => {
      const place = await deletion(count)
      await place.start()
      await work(place)
      expect(await left(place.status)).toEqual(nothing)
      expect(Math.max(...place.batches)).toBeLessThanOrEqual(mostRows)
      return place.read()
    }
    const [few, many] = [await cost(600), await cost(6_000)]
    expect(many).toBeLessThanOrEqual(11 * few)
    // And once the servers that may have a copy, among a thousand rows of each kind.
    expect(many).toBeLessThanOrEqual(60 * 6_000 + 20_000)
  })

  it('disappears for everybody at once, wherever it was shown, and is counted down once', async () => {
    const place = await deletion(1_000)
    const { author, status } = place
    const [follower, sharer] = [await given.account(), await given.account()]
    for (let index = 0; index < 2; index += 1) await given.status({ by: author })
    await relation.follow(follower, author)
    const path = `/api/v1/statuses/${status.id}`
    await as(sharer).post(`${path}/reblog`)
    await as(follower).post(`${path}/bookmark`)
    await as(follower).post(`${path}/favourite`)
    await env.DB.prepare('insert into home_entries (account_id, status_id) values (?, ?), (?, ?)')
      .bind(follower.id, status.id, author.id, status.id)
      .run()
    const before = await counts(author, sharer)
    await place.start()
    expect((await left(status))['favourites']).toBeGreaterThan(0)
    expect(await counts(author, sharer)).toEqual({
      ...before,
      author: before.author - 1,
      instance: before.instance - 1,
    })
    for (const viewer of [author, follower, sharer]) {
      const reader = as(viewer)
      for (const gone of [path, `${path}/context`, `${path}/favourited_by`, `${path}/history`])
        expect((await reader.get(gone)).status, gone).toBe(404)
      expect((await reader.post(`${path}/favourite`)).status).toBe(404)
      for (const list of [
        '/api/v1/timelines/home',
        '/api/v1/favourites',
        '/api/v1/bookmarks',
        '/api/v1/notifications?limit=40',
        `/api/v1/accounts/${author.id}/statuses`,
        `/api/v1/accounts/${sharer.id}/statuses`,
      ])
        expect(JSON.stringify((await reader.get(list)).body), list).not.toContain(`"${status.id}"`)
    }
    expect((await document(status.uri)).status).toBe(410)
    await work(place)
    expect(await left(status)).toEqual(nothing)
    expect(await counts(author, sharer)).toEqual({
      author: before.author - 1,
      sharer: before.sharer - 1,
      instance: before.instance - 2,
    })
  })

  it('a status with very many interactions is deleted once where a part was lost, repeated, or ran twice at once', async () => {
    const place = await deletion(1_500)
    await place.start()
    await work(place, 3)
    // The queue delivers again what a run that was cut off had taken, beside the next.
    const job = statusRemoval.job(place.status.id)
    for (let round = 0; round < 5; round += 1)
      await Promise.all([runJob(place.context(), job), runJob(place.context(), job)])
    await work(place)
    expect(await left(place.status)).toEqual(nothing)
    expect((await runJob(place.context(), job)).kind).toBe('done')
  })
})

async function counts(author: TestAccount, sharer: TestAccount) {
  const found = await env.DB.prepare(`select
      (select statuses_count from accounts where id = ?1) as author,
      (select statuses_count from accounts where id = ?2) as sharer,
      (select value from counters where name = 'statuses') as instance`)
    .bind(author.id, sharer.id)
    .first<Record<'author' | 'sharer' | 'instance', number>>()
  if (found === null) throw new Error('No counts')
  return found
}

async function document(uri: string) {
  const request = new Request(uri, { headers: { accept: 'application/activity+json' } })
  return (await fetchApp(request)).response
}
