import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { removedAuthorId } from '../../src/contract/ids'
import { closePolls } from '../../src/domain/polls/close'
import { statusRemoval } from '../../src/domain/statuses/remove-in-parts'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { processActivity } from '../support/fediverse/process-activity'
import { fetchDocument } from '../support/fetch-document'
import { given, type TestAccount } from '../support/given'
import { remoteMasses } from '../support/masses'
import { runJob } from '../support/run-job'
import { foundStatusIds, updateSearchIndex } from '../support/searching'
import { clock, context, settleLateWork } from '../support/test-app'

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
  return {
    author,
    statusId: posted.id,
    pollId: posted.poll.id,
    path: `/api/v1/statuses/${posted.id}`,
    poll: `/api/v1/polls/${id}`,
    left,
  }
}

/** Runs the parts of what is removed until none is left. */
async function work(times = 1) {
  const removed = () =>
    env.DB.prepare('select id from statuses where account_id = ?')
      .bind(removedAuthorId)
      .first<{ id: number }>()
  let parts = 0
  for (let found = await removed(); found !== null; found = await removed()) {
    for (let time = 0; time < times; time += 1)
      await runJob(context({ jobs: { send: async () => undefined } }), statusRemoval.job(found.id))
    parts += 1
  }
  return parts
}

const Shown = z.object({
  id: z.string(),
  votes_count: z.number(),
  voters_count: z.number().nullable(),
  options: z.array(z.object({ title: z.string(), votes_count: z.number().nullable() })),
  voted: z.boolean(),
  own_votes: z.array(z.number()),
})

describe('a poll with very many votes', () => {
  it.each([
    [
      'gets other options',
      { status: 'Which?', poll: { options: ['three', 'four'], expires_in: 3_600 } },
      200,
    ],
    ['is taken away', { status: 'Never mind', poll: null }, 404],
  ])('%s at 2,000 rows at most, and its votes are deleted in parts', async (_, revision, status) => {
    const { author, path, poll: ofPoll, left } = await popularPoll(10_000)
    const answer = await as(author).put(path, revision)
    expect(answer.status).toBe(200)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(2_000)
    expect(await left()).toMatchObject({ votes: 10_000, removed: 1 })
    const shown = z
      .object({ poll: z.object({ votes_count: z.number(), voted: z.boolean() }).nullable() })
      .parse((await as(author).get(path)).body)
    expect(shown.poll?.votes_count ?? 0).toBe(0)
    expect((await as(author).get(ofPoll)).status).toBe(status)
    await settleLateWork()
    // Twenty parts of 500 votes, three in an invocation.
    expect(await work()).toBeGreaterThanOrEqual(7)
    expect(await left()).toEqual({ polls: 0, votes: 0, removed: 0 })
    expect((await as(author).get(ofPoll)).status).toBe(status)
  })
})

describe('a restarted poll with many votes', () => {
  /** A poll in which a member and an account elsewhere chose the first option, as 160 others did. */
  async function votedPoll() {
    const place = await popularPoll(160)
    const [member, peer] = [await given.account(), await given.peer()]
    const author = fediverse.local(place.author).uri
    const question = { id: `${author}/statuses/${place.statusId}`, author }
    const posted = {
      restart: async (options: readonly string[]) =>
        (await as(place.author).put(place.path, { status: 'Which?', poll: { options, expires_in: 3_600 } }))
          .body,
      choose: (choice: number) => as(member).post(`${place.poll}/votes`, { choices: [choice] }),
      chooseElsewhere: async (name: string) => (await processActivity(peer, peer.vote(question, name))).kind,
      shown: async (who = member) => Shown.parse((await as(who).get(place.poll)).body),
      /** Makes so many votes of these that the next restart takes them away in parts. */
      makeMany: () =>
        env.DB.prepare('update polls set votes_count = 500 where status_id = ?').bind(place.statusId).run(),
    }
    expect((await posted.choose(0)).status).toBe(200)
    expect(await posted.chooseElsewhere('one')).toBe('done')
    return { ...place, ...posted, member }
  }

  const unvoted = (id: string, options: readonly string[]) => ({
    id,
    votes_count: 0,
    voters_count: 0,
    options: options.map((title) => ({ title, votes_count: 0 })),
    voted: false,
    own_votes: [],
  })

  it('keeps its id after any number of edits, and earlier voters vote again', async () => {
    const { restart, choose, chooseElsewhere, shown, makeMany } = await votedPoll()
    const { id, ...before } = await shown()
    expect(before).toMatchObject({ voted: true, own_votes: [0], votes_count: 162 })
    for (const options of [
      ['three', 'four'],
      ['five', 'six'],
    ]) {
      expect(await restart(options)).toMatchObject({ poll: { id, votes_count: 0 } })
      expect(await shown()).toMatchObject(unvoted(id, options))
      expect((await choose(0)).body).toMatchObject({ id, voted: true, own_votes: [0], votes_count: 1 })
      expect((await choose(1)).status).toBe(422)
      expect(await chooseElsewhere(options[1] ?? '')).toBe('done')
      expect(await shown()).toMatchObject({ votes_count: 2, voters_count: 2, own_votes: [0] })
      await makeMany()
    }
  })

  it('keeps votes after the restart while earlier ones are deleted, also where a part runs twice', async () => {
    const { restart, choose, shown, statusId, member } = await votedPoll()
    await restart(['three', 'four'])
    await choose(1)
    await settleLateWork()
    expect(await work(2)).toBeGreaterThanOrEqual(1)
    expect(await shown()).toMatchObject({ votes_count: 1, voters_count: 1, own_votes: [1] })
    const row = await env.DB.prepare('select id from polls where status_id = ?').bind(statusId).first('id')
    expect((await as(member).get(`/api/v1/polls/${row}`)).status).toBe(404)
    const rows = env.DB.prepare(`select (select count(*) from polls where status_id = ?1) as polls,
      (select count(*) from poll_votes v join polls p on p.id = v.poll_id where p.status_id = ?1) as votes`)
    expect(await rows.bind(statusId).first()).toEqual({ polls: 1, votes: 1 })
  })

  it.each([false, true])('hides earlier voters, with their votes deleted: %s', async (areGone) => {
    const { restart, member, author, path, statusId, pollId, choose, shown } = await votedPoll()
    const other = await given.account()
    // Members find posts in polls of which they voted.
    const found = () => foundStatusIds(member, 'Which in:library')
    await updateSearchIndex()
    expect(await found()).toEqual([Number(statusId)])
    await restart(['three', 'four'])
    if (areGone) {
      await settleLateWork()
      await work()
    }
    for (const who of [member, author, other])
      expect(await shown(who)).toMatchObject({ votes_count: 0, voters_count: 0, own_votes: [] })
    for (const isUpdated of [false, true]) {
      if (isUpdated) await updateSearchIndex()
      expect(await found()).toEqual([])
    }
    const note = await fetchDocument(path.replace('/api/v1', `/users/${author.username}`))
    const none = { replies: { totalItems: 0 } }
    expect(note.body).toMatchObject({ votersCount: 0, oneOf: [none, none] })
    clock.advance(3_601_000)
    for (let run = 0; run < 5; run += 1) await closePolls(context())
    const notified = async (who: TestAccount) =>
      (await as(who).get('/api/v1/notifications?types[]=poll')).body
    expect(await notified(member)).toEqual([])
    expect(await notified(author)).toMatchObject([{ type: 'poll' }])
    expect((await choose(0)).status).toBe(422)
    // Jobs may wait that were queued when the poll ended before it restarted.
    await runJob(context(), { kind: 'notify-voters', pollId: Number(pollId), after: 0 })
    const told = env.DB.prepare(`select count(*) from notifications where type = 'poll' and account_id = ?`)
    expect(await told.bind(member.id).first('count(*)')).toBe(0)
  })
})
