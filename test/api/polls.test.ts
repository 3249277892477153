import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Poll, Status } from '../../src/contract/entities/status'
import { closePolls } from '../../src/domain/polls/close'
import type { PollDraft } from '../../src/domain/statuses/draft'
import { anonymous, as, type TestResponse } from '../support/as'
import { given, type TestAccount } from '../support/given'
import type { StatusOptions } from '../support/given-status'
import { clock, context } from '../support/test-app'

const missing = { status: 404, body: { error: 'Record not found' } }
const parsed = (answer: TestResponse) => Poll.parse(answer.body)
const Notices = z.array(z.object({ type: z.string(), status: Status.nullish() }))

async function givenPoll(by: TestAccount, poll: Partial<PollDraft> = {}, more: Partial<StatusOptions> = {}) {
  const usual = {
    options: ['Wren', 'Owl', 'Kite'],
    expiresInSeconds: 300,
    multiple: false,
    hideTotals: false,
  }
  const { id } = await given.status({ by, poll: { ...usual, ...poll }, ...more })
  const status = Status.parse((await as(by).get(`/api/v1/statuses/${id}`)).body)
  return { statusId: id, id: status.poll?.id ?? '' }
}

const vote = (who: TestAccount, id: string, choices: unknown) =>
  as(who).post(`/api/v1/polls/${id}/votes`, { choices })

/** Other tests leave polls behind that end as well; a run closes only some. */
async function closeAll(): Promise<void> {
  for (let run = 0; run < 10; run += 1) await closePolls(context())
}

describe('GET polls/:id', () => {
  it('GET polls/:id is open to everybody for a public status, in one round trip; voted and own_votes for accounts only [T-435]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await givenPoll(alice)
    const open = await anonymous.get(`/api/v1/polls/${id}`)
    expect(parsed(open)).toMatchObject({ id, expired: false, multiple: false, votes_count: 0 })
    expect(open.body).not.toHaveProperty('voted')
    expect(open.body).not.toHaveProperty('own_votes')
    expect(open.costs.trips).toBeLessThanOrEqual(1)
    const personal = await as(bob).get(`/api/v1/polls/${id}`)
    expect(parsed(personal)).toMatchObject({ voted: false, own_votes: [] })
    const byApp = await as(await given.token({ scopes: 'read' })).get(`/api/v1/polls/${id}`)
    expect(byApp.body).not.toHaveProperty('voted')
  })

  it('answers 404 for a poll of a private status or an unknown one [T-436]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await givenPoll(alice, {}, { visibility: 'private' })
    for (const path of [`/api/v1/polls/${id}`, '/api/v1/polls/1', '/api/v1/polls/abc']) {
      expect(await anonymous.get(path)).toMatchObject(missing)
      expect(await as(bob).get(path)).toMatchObject(missing)
    }
    expect((await as(alice).get(`/api/v1/polls/${id}`)).status).toBe(200)
    expect(await vote(bob, id, [0])).toMatchObject(missing)
  })
})

describe('POST polls/:id/votes', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })

  it('counts and stores the choice [T-437]', async () => {
    const bob = await given.account()
    const { id } = await givenPoll(alice)
    const answer = await vote(bob, id, ['1'])
    expect(parsed(answer)).toMatchObject({
      voted: true,
      own_votes: [1],
      votes_count: 1,
      voters_count: 1,
      options: [{ votes_count: 0 }, { title: 'Owl', votes_count: 1 }, { votes_count: 0 }],
    })
    expect(answer.costs.trips).toBeLessThanOrEqual(4)
    expect(parsed(await as(bob).get(`/api/v1/polls/${id}`)).own_votes).toEqual([1])
  })

  it('accepts a form as well', async () => {
    const { id } = await givenPoll(alice)
    const bob = await given.account()
    const answer = await as(bob).post(`/api/v1/polls/${id}/votes`, new URLSearchParams('choices[]=2'))
    expect(parsed(answer).own_votes).toEqual([2])
  })

  it('POST polls/:id/votes answers 400 without choices [T-438]', async () => {
    const { id } = await givenPoll(alice)
    const bob = await given.account()
    for (const body of [{}, { choices: [] }, { choices: null }])
      expect((await as(bob).post(`/api/v1/polls/${id}/votes`, body)).status).toBe(400)
  })

  it('answers 422 for a missing option [T-439]', async () => {
    const { id } = await givenPoll(alice)
    const bob = await given.account()
    for (const choice of [3, -1, 'x']) expect((await vote(bob, id, [choice])).status).toBe(422)
  })

  it('answers 422 in an ended poll, closed or not [T-440]', async () => {
    const { id } = await givenPoll(alice)
    const bob = await given.account()
    clock.advance(300_000)
    expect((await vote(bob, id, [0])).status).toBe(422)
    await closeAll()
    expect((await vote(bob, id, [0])).status).toBe(422)
  })

  it('answers 422 in the own poll [T-441]', async () => {
    const { id } = await givenPoll(alice)
    expect((await vote(alice, id, [0])).status).toBe(422)
  })

  it('answers 422 to a second vote, also at the same moment [T-442]', async () => {
    const { id } = await givenPoll(alice, { multiple: true })
    const bob = await given.account()
    const both = await Promise.all([vote(bob, id, [0]), vote(bob, id, [1])])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
    expect((await vote(bob, id, [2])).status).toBe(422)
    expect(parsed(await anonymous.get(`/api/v1/polls/${id}`))).toMatchObject({
      votes_count: 1,
      voters_count: 1,
    })
  })

  it('answers 422 to several choices in a single-choice poll, and counts all choices and voters in a multiple one [T-443]', async () => {
    const [bob, carol] = [await given.account(), await given.account()]
    const single = await givenPoll(alice)
    const multiple = await givenPoll(alice, { multiple: true })
    expect((await vote(bob, single.id, [0, 1])).status).toBe(422)
    expect(parsed(await vote(bob, single.id, [1, 1])).own_votes).toEqual([1])
    await vote(bob, multiple.id, [0, 2])
    expect(parsed(await vote(carol, multiple.id, [2]))).toMatchObject({
      votes_count: 3,
      voters_count: 2,
      options: [{ votes_count: 1 }, { votes_count: 0 }, { votes_count: 2 }],
    })
    expect(parsed(await as(bob).get(`/api/v1/polls/${multiple.id}`)).own_votes).toEqual([0, 2])
  })

  it('loses no vote of two concurrent voters', async () => {
    const { id } = await givenPoll(alice)
    const voters = [await given.account(), await given.account(), await given.account()]
    await Promise.all(voters.map((voter) => vote(voter, id, [0])))
    expect(parsed(await anonymous.get(`/api/v1/polls/${id}`))).toMatchObject({
      votes_count: 3,
      voters_count: 3,
      options: [{ votes_count: 3 }, {}, {}],
    })
  })
})

describe('a poll that ends', () => {
  it('an ended poll is expired, shows hidden totals, and notifies its author and voters once [T-444]', async () => {
    const [alice, bob, eve] = [await given.account(), await given.account(), await given.account()]
    const { id, statusId } = await givenPoll(alice, { hideTotals: true })
    await vote(bob, id, [1])
    expect(parsed(await as(bob).get(`/api/v1/polls/${id}`)).options[1]?.votes_count).toBeNull()
    const told = async (who: TestAccount) => {
      const all = Notices.parse((await as(who).get('/api/v1/notifications')).body)
      return all.filter(({ type }) => type === 'poll').map(({ status }) => status?.id)
    }
    await closeAll()
    expect(await told(alice)).toEqual([])
    clock.advance(300_000)
    await closeAll()
    await closeAll()
    expect(await told(alice)).toEqual([statusId])
    expect(await told(bob)).toEqual([statusId])
    expect(await told(eve)).toEqual([])
    expect(parsed(await as(bob).get(`/api/v1/polls/${id}`))).toMatchObject({
      expired: true,
      options: [{ votes_count: 0 }, { votes_count: 1 }, { votes_count: 0 }],
    })
  })
})
