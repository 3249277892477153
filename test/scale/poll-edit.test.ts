import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { removedAuthorId } from '../../src/lib/ids'
import { as } from '../support/as'
import { given } from '../support/given'
import { remoteMasses } from '../support/masses'
import { runJob } from '../support/run-job'
import { context, settleLateWork } from '../support/test-app'

const Posted = z.object({ id: z.string(), poll: z.object({ id: z.string() }) })
const poll = { options: ['one', 'two'], expires_in: 3_600 }

/** A status with a poll in which so many voted. */
async function popularPoll(count: number) {
  const author = await given.account()
  const answer = await as(author).post('/api/v1/statuses', { status: 'Which?', poll })
  const posted = Posted.parse(answer.body)
  const { from } = await remoteMasses({ count, inboxes: 10 })
  const id = Number(posted.poll.id)
  await env.DB.batch(
    [
      `insert into poll_votes (poll_id, account_id, choice) select ${id}, id, 0 from accounts where id >= ${from} and id < ${from} + ${count}`,
      `update polls set votes_count = ${count}, voters_count = ${count}, tallies = '[${count},0]' where id = ${id}`,
    ].map((text) => env.DB.prepare(text)),
  )
  const left = () =>
    env.DB.prepare(`select (select count(*) from polls where id = ?1) as polls,
      (select count(*) from poll_votes where poll_id = ?1) as votes,
      (select count(*) from statuses where account_id = ?2) as removed`)
      .bind(id, removedAuthorId)
      .first<Record<'polls' | 'votes' | 'removed', number>>()
  return { author, path: `/api/v1/statuses/${posted.id}`, oldPoll: `/api/v1/polls/${id}`, left }
}

/** Runs the parts of what is removed until none is left. */
async function work() {
  const removed = () =>
    env.DB.prepare('select id from statuses where account_id = ?')
      .bind(removedAuthorId)
      .first<{ id: number }>()
  let parts = 0
  for (let found = await removed(); found !== null; found = await removed()) {
    await runJob(context({ jobs: { send: async () => undefined } }), {
      kind: 'continue-removal',
      statusId: found.id,
    })
    parts += 1
  }
  return parts
}

describe('a poll with very many votes', () => {
  it.each([
    ['gets other options', { status: 'Which?', poll: { options: ['three', 'four'], expires_in: 3_600 } }],
    ['is taken away', { status: 'Never mind', poll: null }],
  ])(
    '%s at 2,000 rows at most, and its votes go in parts',
    async (_, revision) => {
      const { author, path, oldPoll, left } = await popularPoll(1_200)
      const answer = await as(author).put(path, revision)
      expect(answer.status).toBe(200)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(2_000)
      expect(await left()).toEqual({ polls: 1, votes: 1_200, removed: 1 })
      const shown = z
        .object({ poll: z.object({ votes_count: z.number(), voted: z.boolean() }).nullable() })
        .parse((await as(author).get(path)).body)
      expect(shown.poll?.votes_count ?? 0).toBe(0)
      expect((await as(author).get(oldPoll)).status).toBe(404)
      await settleLateWork()
      expect(await work()).toBeGreaterThanOrEqual(3)
      expect(await left()).toEqual({ polls: 0, votes: 0, removed: 0 })
      expect((await as(author).get(path)).status).toBe(200)
    },
    60_000,
  )
})
