import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { polls } from '../../../src/db/schema'
import { closePolls } from '../../../src/domain/polls/close'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { given, type TestAccount } from '../../support/given'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { importedStatus } from '../../support/given-remote'
import { clock, context } from '../../support/test-app'

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer()
})

const actor = () => `https://fieldfare.test/users/${alice.username}`

const Posted = z.object({ id: z.string(), poll: z.object({ id: z.string() }) })

describe('a vote', () => {
  it('sends a vote in a remote poll as a note for each choice to its author alone (pitfall 44)', async () => {
    const bystander = await knownPeer()
    await relation.follow(bystander, alice)
    const poll = {
      options: ['wren', 'robin', 'finch'],
      tallies: [0, 0, 0],
      multiple: true,
      votersCount: 0,
      expiresAt: new Date(clock.now().getTime() + 3_600_000),
      closedAt: null,
    }
    const { id, uri } = await importedStatus(peer, { poll })
    const [row] = await context().db.select().from(polls).where(eq(polls.statusId, id))
    const answer = await as(alice).post(`/api/v1/polls/${row?.id}/votes`, { choices: [0, 2] })
    expect(answer.status).toBe(200)
    await sentByCouriers()
    expect(bystander.received()).toEqual([])
    expect(peer.deliveries().map(({ url }) => url)).toEqual([peer.inbox, peer.inbox])
    expect(peer.received()).toMatchObject(
      ['wren', 'finch'].map((name) => ({
        type: 'Create',
        actor: actor(),
        to: [peer.uri],
        object: { type: 'Note', attributedTo: actor(), name, inReplyTo: uri, to: [peer.uri] },
      })),
    )
    for (const { object } of peer.received()) expect(object).not.toHaveProperty('content')
  })
})

describe('a local poll', () => {
  it('sends new poll counts as an Update without an edit, and final counts when the poll closes (pitfall 36)', async () => {
    await relation.follow(peer, alice)
    const bob = await given.account()
    const poll = { options: ['wren', 'robin'], expires_in: 300 }
    const posted = Posted.parse((await as(alice).post('/api/v1/statuses', { status: 'Which?', poll })).body)
    await as(bob).post(`/api/v1/polls/${posted.poll.id}/votes`, { choices: [1] })
    await sentByCouriers()
    clock.advance(301_000)
    await closePolls(context())
    await sentByCouriers()
    const tally = (votes: readonly number[]) =>
      votes.map((totalItems) => ({ type: 'Note', replies: { totalItems } }))
    const updates = peer.received().slice(1)
    expect(updates).toMatchObject([
      { type: 'Update', object: { type: 'Question', oneOf: tally([0, 1]), votersCount: 1 } },
      { type: 'Update', object: { type: 'Question', oneOf: tally([0, 1]), closed: expect.any(String) } },
    ])
    for (const { object } of updates) expect(object).not.toHaveProperty('updated')
    expect(new Set(updates.map(({ id }) => id)).size).toBe(2)
  })
})

describe('a poll of another server', () => {
  const poll = (minutes: number) => ({
    options: ['wren', 'robin'],
    tallies: [0, 0],
    multiple: false,
    votersCount: 0,
    closedAt: null,
    expiresAt: new Date(clock.now().getTime() + minutes * 60_000),
  })

  it('notifies local voters when a remote poll ends, and nobody else', async () => {
    const bob = await given.account()
    const { id } = await importedStatus(peer, { poll: poll(10) })
    const [row] = await context().db.select().from(polls).where(eq(polls.statusId, id))
    await as(alice).post(`/api/v1/polls/${row?.id}/votes`, { choices: [0] })
    clock.advance(11 * 60_000)
    for (let run = 0; run < 5; run += 1) await closePolls(context())
    const notified = async (who: TestAccount) =>
      (await as(who).get('/api/v1/notifications?types[]=poll')).body
    expect(await notified(alice)).toMatchObject([{ type: 'poll', status: { id: String(id) } }])
    expect(await notified(bob)).toEqual([])
  })

  it('refreshes counts of an open remote poll when it is read, at most once a minute', async () => {
    const { id, uri } = await importedStatus(peer, { poll: poll(10) })
    const [row] = await context().db.select().from(polls).where(eq(polls.statusId, id))
    const jobs: unknown[] = []
    const overrides = { jobs: { send: async (job: unknown) => void jobs.push(job) } }
    const look = (who: TestAccount | null) => as(who).get(`/api/v1/polls/${row?.id}`, { overrides })
    await look(null)
    expect(jobs).toEqual([])
    for (let times = 0; times < 2; times += 1) await look(alice)
    expect(jobs).toEqual([{ kind: 'refetch-object', uri }])
    clock.advance(11 * 60_000)
    for (let run = 0; run < 5; run += 1) await closePolls(context())
    await look(alice)
    expect(jobs).toHaveLength(1)
  })
})
