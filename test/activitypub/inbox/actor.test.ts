import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { accounts, favourites, statuses } from '../../../src/db/schema'
import { deleteRemoteAccount } from '../../../src/domain/accounts/delete-remote'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { expectCosts } from '../../support/expect-costs'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedNotification, storedStatus } from '../../support/given-stored'
import { runJob } from '../../support/run-job'
import { context, settleLateWork } from '../../support/test-app'
import { countersOf, notificationsOf, relationshipBetween } from '../../support/viewer-state'

describe('an Update of an actor', () => {
  it('updates the profile from the embedded copy without a fetch', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const changed = { ...peer.document, name: 'Jenny Wren' }
    const answer = await peer.send(peer.update(changed))
    expect([answer.status, answer.fetches]).toEqual([202, []])
    const { body } = await as(alice).get(`/api/v1/accounts/${peer.id}`)
    expect(body).toMatchObject({ display_name: 'Jenny Wren', acct: peer.handle })
  })

  it('fetches the actor where the Update names only its id', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    peer.document['name'] = 'Jenny Wren'
    await peer.send(peer.activity('Update', peer.uri))
    const { body } = await as(alice).get(`/api/v1/accounts/${peer.id}`)
    expect(body).toMatchObject({ display_name: 'Jenny Wren' })
  })

  it('rejects an Update by another actor [T-055]', async () => {
    const [alice, peer, victim] = [await given.account(), await given.peer(), await given.peer()]
    const before = (await as(alice).get(`/api/v1/accounts/${victim.id}`)).body
    const forged = { ...victim.document, name: 'Forged' }
    expect((await peer.send(peer.update(forged))).status).toBe(202)
    expect((await peer.send({ ...victim.update(forged) })).status).toBe(202)
    expect((await as(alice).get(`/api/v1/accounts/${victim.id}`)).body).toEqual(before)
  })
})

describe('a Delete of an actor', () => {
  async function known() {
    const [alice, peer] = [await given.account(), await given.peer()]
    await relation.follow(alice, peer)
    await relation.follow(peer, alice)
    const id = await storedStatus({
      accountId: peer.id,
      local: false,
      inHomeOf: [alice.id],
      tags: ['farewell'],
    })
    return { alice, peer, id }
  }

  it('deletes the profile, the follows with their counters, and the statuses of the actor', async () => {
    const { alice, peer, id } = await known()
    await storedNotification({ accountId: alice.id, type: 'mention', fromAccountId: peer.id, statusId: id })
    expect((await peer.send(peer.deleteSelf())).status).toBe(202)
    expect((await as(alice).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)).status).toBe(404)
    const { body } = await as(alice).get(`/api/v1/accounts/${peer.id}`)
    expect(JSON.stringify(body)).not.toContain(peer.username)
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await as(alice).get('/api/v1/timelines/home')).body).toEqual([])
    expect((await as(alice).get('/api/v1/timelines/tag/farewell')).body).toEqual([])
    expect(await countersOf(alice)).toMatchObject({ followers_count: 0, following_count: 0 })
    expect(await notificationsOf(alice)).toEqual([])
    expect(await relationshipBetween(alice, peer)).not.toMatchObject({ following: true })
  })

  it('subtracts replies, reblogs and favourites of the deleted actor from counters of others', async () => {
    const { alice, peer, id } = await known()
    const own = await storedStatus({
      accountId: alice.id,
      repliesCount: 2,
      reblogsCount: 1,
      favouritesCount: 1,
    })
    for (const _ of [1, 2]) await storedStatus({ accountId: peer.id, local: false, inReplyToId: own })
    await storedStatus({ accountId: peer.id, local: false, reblogOfId: own })
    const reblog = await storedStatus({ accountId: alice.id, reblogOfId: id })
    const answer = await storedStatus({ accountId: alice.id, inReplyToId: id, inReplyToAccountId: peer.id })
    const ctx = context()
    await ctx.db.insert(favourites).values({ id: ctx.ids.next(), accountId: peer.id, statusId: own })
    await ctx.db.run(sql`update ${accounts} set statuses_count = 3 where id = ${alice.id}`)
    await peer.send(peer.deleteSelf())
    const { body } = await as(alice).get(`/api/v1/statuses/${own}`)
    expect(body).toMatchObject({ replies_count: 0, reblogs_count: 0, favourites_count: 0 })
    expect((await as(alice).get(`/api/v1/statuses/${reblog}`)).status).toBe(404)
    expect((await as(alice).get(`/api/v1/statuses/${answer}`)).body).toMatchObject({ in_reply_to_id: null })
    expect(await countersOf(alice)).toMatchObject({ statuses_count: 2 })
  })

  it('repeated copies of a Delete cost one look-up each', async () => {
    const { peer } = await known()
    const farewell = peer.deleteSelf()
    await peer.send(farewell)
    const copy = await peer.send(farewell)
    expect([copy.status, copy.fetches]).toEqual([202, []])
    expectCosts(copy.costs, { trips: 1, statements: 3, rowsWritten: 0 })
  })

  it('a new actor can use the address of a deleted one, without its data', async () => {
    const { alice, peer } = await known()
    await peer.send(peer.deleteSelf())
    const [next, target] = [
      await fediverse.actor({ host: peer.host, username: peer.username }),
      fediverse.local(alice),
    ]
    await next.send(next.follow(target))
    const { body } = await as(alice).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)
    expect(body).toMatchObject({ acct: peer.handle, statuses_count: 0 })
    expect(body).not.toMatchObject({ id: String(peer.id) })
    expect(await countersOf(alice)).toMatchObject({ followers_count: 1 })
  })

  it('deletes many statuses and interactions of an actor in parts', async () => {
    const { alice, peer } = await known()
    const ctx = context()
    const own = await storedStatus({ accountId: alice.id, repliesCount: 250 })
    const first = ctx.ids.next()
    await ctx.db.run(sql`insert into statuses (id, account_id, uri, local, visibility, in_reply_to_id, conversation_id, created_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 250)
      select ${first} + i, ${peer.id}, ${peer.uri} || '/many/' || i, 0, 'public', ${own}, ${own}, 1 from n`)
    const left = async () =>
      ctx.db.select({ id: statuses.id }).from(statuses).where(eq(statuses.accountId, peer.id))
    const jobs: Job[] = []
    const keeping = context({ jobs: { send: async (job) => void jobs.push(job) } })
    await deleteRemoteAccount(keeping, peer.id)
    await settleLateWork()
    expect(await left()).toHaveLength(151)
    while (jobs.length > 0) await runJob(keeping, jobs.pop() ?? never())
    expect(await left()).toEqual([])
    expect((await as(alice).get(`/api/v1/statuses/${own}`)).body).toMatchObject({ replies_count: 0 })
  })

  it('ignores a Delete of an actor by another actor', async () => {
    const { alice, peer, id } = await known()
    const other = await given.peer()
    await other.send(other.activity('Delete', peer.uri))
    await other.send({ ...peer.activity('Delete', peer.uri) })
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })

  it('a deleted actor stays suspended, also when a new actor has the address', async () => {
    const { peer, id } = await known()
    const ctx = context()
    await ctx.db.run(sql`update ${accounts} set suspended_at = 1 where id = ${peer.id}`)
    await peer.send(peer.deleteSelf())
    const [row] = await ctx.db.select().from(accounts).where(sql`id = ${peer.id}`)
    expect(row).toMatchObject({
      uri: peer.uri,
      username: peer.username,
      displayName: '',
      suspendedAt: new Date(1),
    })
    expect(await ctx.db.select().from(statuses).where(sql`id = ${id}`)).toEqual([])
  })

  it('accepts a Delete when the key is gone and the address of the actor answers 410', async () => {
    const { alice, id } = await known()
    const leaving = await fediverse.actor()
    expect((await leaving.send(leaving.deleteSelf())).status).toBe(202)
    expect((await as(alice).get(`/api/v1/statuses/${id}`)).status).toBe(200)
  })
})

function never(): never {
  throw new Error('no job')
}
