import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { followRequests } from '../../../src/db/schema'
import { moveFollowers } from '../../../src/domain/relationships/move-followers'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { runCourierAlarms } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { clock, context, settleLateWork } from '../../support/test-app'
import { countersOf, notificationsOf, relationshipBetween } from '../../support/viewer-state'

const knowing = (old: { readonly uri: string }) => ({ document: { alsoKnownAs: [old.uri] } })

async function followed() {
  const [alice, old] = [await given.account(), await given.peer()]
  await relation.follow(alice, old, { showReblogs: false, notify: true, languages: ['en'] })
  return { alice, old }
}

/** The account as a client finds it, which has to be known by now. */
async function idOf(peer: { readonly handle: string }): Promise<number> {
  const { body } = await as(null).get(`/api/v1/accounts/lookup?acct=${peer.handle}`)
  if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('not known')
  return Number(body.id)
}

describe('a Move', () => {
  it('a Move makes local followers request to follow the new account with the same options', async () => {
    const { alice, old } = await followed()
    const next = await fediverse.actor(knowing(old))
    expect((await old.send(old.move(next))).status).toBe(202)
    expect(await relationshipBetween(alice, old)).toMatchObject({ following: false })
    const id = await idOf(next)
    expect(await relationshipBetween(alice, { id })).toMatchObject({ requested: true, following: false })
    const { body } = await as(alice).get(`/api/v1/accounts/${old.id}`)
    expect(body).toMatchObject({ moved: { id: String(id) } })
    const { uri } = fediverse.local(alice)
    await runCourierAlarms()
    expect(next.received()).toMatchObject([{ type: 'Follow', actor: uri, object: next.uri }])
    expect(old.received()).toMatchObject([{ type: 'Undo', actor: uri, object: { type: 'Follow' } }])
    await next.send(next.accept({ type: 'Follow', actor: uri, object: next.uri }))
    expect(await relationshipBetween(alice, { id })).toMatchObject({
      following: true,
      showing_reblogs: false,
      notifying: true,
      languages: ['en'],
    })
    expect(await countersOf(alice)).toMatchObject({ following_count: 1 })
  })

  it('a Move to a local account follows it at once', async () => {
    const { alice, old } = await followed()
    const bob = await given.account({ alsoKnownAs: [old.uri], locked: true })
    await old.send(old.move(fediverse.local(bob)))
    expect(await relationshipBetween(alice, bob)).toMatchObject({ following: true, showing_reblogs: false })
    expect(await notificationsOf(bob)).toEqual([`follow by ${alice.username}`])
    expect(await countersOf(bob)).toMatchObject({ followers_count: 1 })
  })

  it('refuses a Move where the new account does not name the old one as an alias [T-079]', async () => {
    const { alice, old } = await followed()
    const stranger = await fediverse.actor()
    expect((await old.send(old.move(stranger))).status).toBe(202)
    expect(await relationshipBetween(alice, old)).toMatchObject({ following: true })
  })

  it('verifies a Move with a fresh document of the new account, not with the stored one', async () => {
    const { alice, old } = await followed()
    const next = await given.peer()
    next.document['alsoKnownAs'] = [old.uri]
    await old.send(old.move(next))
    expect(await relationshipBetween(alice, next)).toMatchObject({ requested: true })
  })

  it('refuses a second Move within the waiting period [T-080]', async () => {
    const { alice, old } = await followed()
    const [first, second] = [await fediverse.actor(knowing(old)), await given.peer(knowing(old))]
    await old.send(old.move(first))
    await relation.follow(alice, old)
    clock.advance(6 * 86_400_000)
    await old.send(old.move(second))
    expect(await relationshipBetween(alice, second)).toMatchObject({ requested: false })
  })

  it('moves many followers in parts', async () => {
    const { alice, old } = await followed()
    const next = await given.peer(knowing(old))
    const people = [alice, ...(await given.accounts(60))]
    for (const person of people.slice(1)) await relation.follow(person, old)
    const jobs: Job[] = []
    // Effects are jobs too: here only the rest of the followers counts.
    const send = async (job: Job) => void (job.kind === 'move-followers' && jobs.push(job))
    const ctx = context({ jobs: { send } })
    await moveFollowers(ctx, old.id, next.id)
    const waiting = async () => {
      const asked = await ctx.db
        .select()
        .from(followRequests)
        .where(eq(followRequests.targetAccountId, next.id))
      return asked.length
    }
    expect([await waiting(), jobs]).toMatchObject([50, [{ kind: 'move-followers', accountId: old.id }]])
    await moveFollowers(ctx, old.id, next.id)
    await moveFollowers(ctx, old.id, next.id)
    expect(await waiting()).toBe(61)
    expect(jobs).toHaveLength(1)
    await settleLateWork()
  })

  it('moves no follower who blocks the new account, and none twice', async () => {
    const { alice, old } = await followed()
    const [bob, next] = [await given.account(), await given.peer(knowing(old))]
    await relation.follow(bob, old)
    await relation.block(alice, next)
    await relation.follow(bob, next)
    await old.send(old.move(next))
    expect(await relationshipBetween(alice, next)).toMatchObject({ following: false, requested: false })
    expect(await relationshipBetween(bob, next)).toMatchObject({ following: true, requested: false })
    expect(await relationshipBetween(bob, old)).toMatchObject({ following: false })
  })

  it('moves no follower to a server they block', async () => {
    const { alice, old } = await followed()
    const next = await fediverse.actor(knowing(old))
    await as(alice).post('/api/v1/domain_blocks', { domain: next.host })
    await old.send(old.move(next))
    const id = await idOf(next)
    expect(await relationshipBetween(alice, { id })).toMatchObject({ requested: false, following: false })
    await runCourierAlarms()
    expect(next.received()).toEqual([])
  })

  it('ignores a Move of an actor without local followers, without a fetch or a write [T-081]', async () => {
    const [old, next] = [await given.peer(), await fediverse.actor()]
    const answer = await old.send(old.move(next))
    expect([answer.status, answer.costs.rowsWritten, next.fetched()]).toEqual([202, 0, 0])
  })

  it('ignores a Move of another actor, or by another actor', async () => {
    const { alice, old } = await followed()
    const thief: KnownPeer = await given.peer(knowing(old))
    await thief.send(thief.activity('Move', old.uri, { target: thief.uri }))
    expect(await relationshipBetween(alice, old)).toMatchObject({ following: true })
  })

  it('retries a Move when the new account cannot be fetched', async () => {
    const { old } = await followed()
    const next = await fediverse.actor(knowing(old))
    fediverse.network.fail(next.uri, { status: 503 })
    const answer = await old.send(old.move(next))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '600'])
  })
})
