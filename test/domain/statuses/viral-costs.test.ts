import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { combineQueries, execute } from '../../../src/db/query'
import { ownStatus } from '../../../src/domain/statuses/find'
import { removalFacts } from '../../../src/domain/statuses/find-affected-servers'
import { deleteStatus } from '../../../src/domain/statuses/remove'
import { runJob } from '../../../src/jobs/run-job'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { given } from '../../support/given'
import { followed } from '../../support/given-remote'
import { viewerOf } from '../../support/given-status'
import { viralStatus } from '../../support/given-viral'
import { context, settleLateWork } from '../../support/test-app'

/** Rows read by undoing interactions with a status of so many. */
async function undone(count: number) {
  const [author, reader, peer] = [await given.account(), await given.account(), await given.peer()]
  const { id, uri } = await viralStatus(author, count)
  const [like, reaction, announce] = [peer.like(uri), peer.emojiReact(uri, '🎉'), peer.announce(uri)]
  for (const activity of [like, reaction, announce]) expect((await peer.send(activity)).status).toBe(202)
  await as(reader).post(`/api/v1/statuses/${id}/favourite`)
  const notified = async (type: string) =>
    env.DB.prepare(
      'select count(*) n from notifications where status_id = ? and type = ? and from_account_id in (?, ?)',
    )
      .bind(id, type, peer.id, reader.id)
      .first('n')
  expect([await notified('favourite'), await notified('reblog')]).toEqual([2, 1])
  const rows = {
    unreact: (await peer.send(peer.undo(reaction))).costs.rowsRead,
    unlike: (await peer.send(peer.undo(like))).costs.rowsRead,
    unfavourite: (await as(reader).post(`/api/v1/statuses/${id}/unfavourite`)).costs.rowsRead,
  }
  expect(await notified('favourite')).toBe(0)
  return rows
}

it('undoing a favourite or reaction costs the same with 20 and 2,000 others', async () => {
  const [few, many] = [await undone(20), await undone(2_000)]
  for (const kind of ['unreact', 'unlike', 'unfavourite'] as const)
    expect(many[kind], kind).toBeLessThanOrEqual(few[kind] + 5)
  expect(many.unlike).toBeLessThanOrEqual(40)
})

it('a remote reblog and its Undo read as much with 20 and 2,000 other reblogs', async () => {
  const shared = async (count: number) => {
    const [author, peer] = [await given.account(), await given.peer()]
    for (let index = 0; index < 3; index += 1) await followed(await given.account(), peer)
    const announce = peer.announce((await viralStatus(author, count)).uri)
    const answers = [await peer.send(announce), await peer.send(peer.undo(announce))]
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    return answers.map(({ costs }) => costs.rowsRead)
  }
  const [few, many] = [await shared(20), await shared(2_000)]
  // Of the others, the latest forty are looked at.
  for (const at of [0, 1]) expect(many[at]).toBeLessThanOrEqual((few[at] ?? 0) + 5 * 40)
  expect(Math.max(...many)).toBeLessThanOrEqual(300)
})

it('a request deletes a status with 8,000 dependent rows in a bounded part, and one with few as a whole', async () => {
  const deleted = async (count: number) => {
    const author = await given.account()
    const { id } = await viralStatus(author, count)
    const { costs, status } = await as(author).delete(`/api/v1/statuses/${id}`)
    expect(status).toBe(200)
    expect((await as(author).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    const left = await env.DB.prepare('select count(*) n from favourites where status_id = ?')
      .bind(id)
      .first('n')
    return { rows: costs.rowsRead, left }
  }
  const [few, many, most] = [await deleted(30), await deleted(1_000), await deleted(2_000)]
  expect(few.left).toBe(0)
  expect(few.rows).toBeLessThanOrEqual(300 + 12 * 4 * 30)
  expect([many.left, most.left]).toEqual([1_000, 2_000])
  // Of what refers to it 150 rows are counted; a job looks for the servers that may have a copy.
  expect(most.rows).toBeLessThanOrEqual(many.rows)
  expect(most.rows).toBeLessThanOrEqual(500)
})

it('a job federates the deletion of such a status to accounts that interacted with it, before the interactions are deleted', async () => {
  const [author, parent] = [await given.account(), await given.peer()]
  const { id, masses } = await viralStatus(author, 300)
  await env.DB.prepare('update statuses set in_reply_to_account_id = ? where id = ?')
    .bind(parent.id, id)
    .run()
  const jobs: Job[] = []
  const sent: string[] = []
  const ctx = context({
    jobs: { send: async (job) => void jobs.push(job) },
    couriers: {
      enqueue: async (host, deliveries) => void sent.push(...deliveries.map((each) => `${host} ${each.id}`)),
      wake: async () => undefined,
    },
  })
  const { own, facts } = await execute(
    ctx.db,
    combineQueries({ own: ownStatus(ctx, author.id, id), facts: removalFacts(ctx, id) }),
  )
  if (own === null) throw new Error('No status')
  expect(facts).toEqual({ inParts: true, concerned: [] })
  await deleteStatus(ctx, await viewerOf(author), { ...facts, status: own, withMedia: true })
  await settleLateWork()
  // The queue delivers each twice.
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    await runJob(ctx, job)
    if (job.kind !== 'continue-long-task') await runJob(ctx, job)
  }
  const hosts = [...new Set(sent)].map((each) => each.split(' ')[0])
  expect(hosts.toSorted()).toEqual(
    [...masses.inboxes.map((url) => new URL(url).host), parent.host].toSorted(),
  )
  const left = await env.DB.prepare('select count(*) n from statuses where id = ?').bind(id).first('n')
  expect(left).toBe(0)
})
