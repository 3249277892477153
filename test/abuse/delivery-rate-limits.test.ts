import { env } from 'cloudflare:workers'
import { and, count, eq, like } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { budgetDomain, spend } from '../../src/activitypub/budgets'
import { receivedActivities } from '../../src/db/schema'
import { expectCosts } from '../support/expect-costs'
import { fediverse } from '../support/fediverse'
import { processActivity } from '../support/fediverse/process-activity'
import { given } from '../support/given'
import type { KnownPeer } from '../support/given-peer'
import { clock, context, settleLateWork } from '../support/test-app'

/** Signed deliveries: what a server may have written here, and what costs it nothing. */

const minute = 60_000
const times = (length: number) => Array.from({ length }, (_, index) => index)

/** A delivery that writes: a follow again, under another id. */
async function writing(peer: KnownPeer) {
  const target = fediverse.local(await given.account())
  return () => peer.send(peer.follow(target))
}

async function rememberedOf(host: string): Promise<number> {
  const { db } = context()
  const own = and(like(receivedActivities.uri, `https://${host}/%`))
  const [row] = await db.select({ count: count() }).from(receivedActivities).where(own)
  return row?.count ?? 0
}

/** Rows of the tables that a delivery may write, late work included. */
async function storedRows(): Promise<number> {
  const tables = ['accounts', 'statuses', 'instances', 'actor_keys', 'received_activities', 'outbox']
  const counts = tables.map((name) => `(select count(*) from ${name})`)
  return Number(await env.DB.prepare(`select ${counts.join(' + ')} as count`).first('count'))
}

describe('a single actor', () => {
  it('stores three hundred activities of an actor a minute, and then answers 429', async () => {
    const [peer, neighbour] = [await given.peer(), await given.peer()]
    const deliver = await writing(peer)
    const ctx = context()
    for (const _ of times(280)) spend(ctx, 'actor', String(peer.id))
    const accepted: number[] = []
    for (const _ of times(20)) accepted.push((await deliver()).status)
    const refused = await deliver()

    expect(new Set(accepted)).toEqual(new Set([202]))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expectCosts(refused.costs, { trips: 1, rowsWritten: 0 })
    expect(refused.fetches).toEqual([])
    expect((await (await writing(neighbour))()).status).toBe(202)

    clock.advance(minute)
    expect((await deliver()).status).toBe(202)
  })

  it('stores ten thousand activities of an actor a day, counted across isolates', async () => {
    const peer = await given.peer()
    const deliver = await writing(peer)
    await context().throttle.spend('remoteActors', String(peer.id), 9_990)
    for (const _ of times(25)) expect((await deliver()).status).toBe(202)
    await settleLateWork()

    const refused = await deliver()

    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600)
    clock.advance(24 * 60 * minute)
    expect((await deliver()).status).toBe(202)
  })

  it('ignored activities do not count against the limit', async () => {
    const group = await given.peer({ type: 'Group' })
    const vote = () =>
      group.send(
        group.announce({ type: 'Like', id: group.freshId('votes'), actor: group.uri, object: group.uri }),
      )
    const ctx = context()
    for (const _ of times(299)) spend(ctx, 'actor', String(group.id))
    for (const _ of times(5)) expect((await vote()).status).toBe(202)
    expect((await (await writing(group))()).status).toBe(202)
  })
})

describe('a single server', () => {
  it('stores twelve hundred activities of a server a minute, from any of its actors and hosts', async () => {
    const peer = await given.peer({ host: 'busy.big-server.test' })
    const [neighbour, other] = [await given.peer({ host: 'also.big-server.test' }), await given.peer()]
    const ctx = context()
    for (const _ of times(1_199)) spend(ctx, 'server', budgetDomain(peer.uri))

    expect((await (await writing(peer))()).status).toBe(202)
    for (const someone of [peer, neighbour]) {
      const refused = await (await writing(someone))()
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    }
    expect((await (await writing(other))()).status).toBe(202)
    clock.advance(minute)
    expect((await (await writing(neighbour))()).status).toBe(202)
  })

  it('stores two hundred thousand activities of a server a day', async () => {
    const [peer, neighbour] = [
      await given.peer({ host: 'a.steady.test' }),
      await given.peer({ host: 'b.steady.test' }),
    ]
    await context().throttle.spend('remoteServers', 'steady.test', 199_960)
    const ctx = context()
    for (const _ of times(49)) spend(ctx, 'server', 'steady.test')
    expect((await (await writing(peer))()).status).toBe(202)
    await settleLateWork()
    expect((await (await writing(neighbour))()).status).toBe(429)
  })

  it('stores three hundred new accounts of a server a minute, while known ones continue to deliver', async () => {
    const [known, newcomer] = [
      await given.peer({ host: 'popular.test' }),
      await fediverse.actor({ host: 'popular.test' }),
    ]
    const ctx = context()
    for (const _ of times(300)) spend(ctx, 'newcomers', 'popular.test')

    const refused = await newcomer.send(newcomer.follow(fediverse.local(await given.account())))

    expect([refused.status, refused.headers.get('retry-after'), refused.fetches]).toEqual([503, '60', []])
    expect(refused.costs.rowsWritten).toBe(0)
    expect((await (await writing(known))()).status).toBe(202)
    clock.advance(minute)
    const again = await newcomer.send(newcomer.follow(fediverse.local(await given.account())))
    expect(again.status).toBe(202)
  })

  it('counts each account first seen in a delivery', async () => {
    const newcomers = []
    for (const _ of times(3)) newcomers.push(await fediverse.actor({ host: 'growing.test' }))
    const target = fediverse.local(await given.account())
    const ctx = context()
    for (const _ of times(298)) spend(ctx, 'newcomers', 'growing.test')
    const answers: number[] = []
    for (const actor of newcomers) answers.push((await actor.send(actor.follow(target))).status)
    expect(answers).toEqual([202, 202, 503])
  })

  it('fetches twelve hundred posts of a server a minute, while it continues to deliver', async () => {
    const peer = await given.peer({ host: 'endless.test' })
    const [last, note] = [peer.note(), peer.note()]
    const ctx = context()
    for (const _ of times(1_199)) spend(ctx, 'fetched', 'endless.test')

    expect(await ctx.resolver.statusByUri(last.id)).not.toBeNull()
    const mark = fediverse.network.mark()
    expect(await ctx.resolver.statusByUri(note.id)).toBeNull()
    expect(fediverse.network.since(mark)).toEqual([])
    expect((await (await writing(peer))()).status).toBe(202)

    clock.advance(2 * minute)
    expect(await context().resolver.statusByUri(note.id)).not.toBeNull()
  })
})

describe('a flood of deletions', () => {
  it('a flood of deletions of unknown actors costs no fetch, no row and no error in the log, and is never refused', async () => {
    const [peer, stormy] = [await given.peer(), await fediverse.actor()]
    const ctx = context()
    for (const _ of times(1_200)) spend(ctx, 'server', budgetDomain(stormy.uri))
    for (const _ of times(300)) spend(ctx, 'newcomers', budgetDomain(stormy.uri))
    const before = await storedRows()
    const errors: string[] = []
    const log = { info: () => undefined, error: (message: string) => void errors.push(message) }
    for (const index of times(20)) {
      const actor = `https://${stormy.host}/users/gone${index}`
      const farewell = { ...stormy.deleteSelf(), actor, object: actor, id: `${actor}#delete` }
      const { status, costs, fetches } = await stormy.send(farewell, {
        keyId: `${actor}#main-key`,
        overrides: { log },
      })
      expect({ status, fetches, written: costs.rowsWritten }).toEqual({
        status: 202,
        fetches: [],
        written: 0,
      })
      expect(costs.trips).toBeLessThanOrEqual(1)
    }
    expect(await storedRows()).toBe(before)
    expect(errors).toEqual([])
    expect((await (await writing(peer))()).status).toBe(202)
  })

  it('a flood of deletions of unknown posts stores two hundred rows an hour for all hosts of a server, with undone activities', async () => {
    const peer = await given.peer({ host: 'forgetful.test' })
    const neighbour = await given.peer({ host: 'also.forgetful.test' })
    for (const _ of times(190)) context().memory.increment('unknown of forgetful.test', 3_600)
    for (const index of times(20)) {
      const id = `${peer.uri}/never/${index}`
      await processActivity(
        peer,
        index % 2 === 0 ? peer.delete(id) : peer.undo(peer.like('https://x.test/1', { id })),
      )
    }
    await processActivity(neighbour, neighbour.delete(`${neighbour.uri}/never/0`))
    expect(await rememberedOf('forgetful.test')).toBe(10)
    expect(await rememberedOf('also.forgetful.test')).toBe(0)
    clock.advance(60 * minute)
    await processActivity(peer, peer.delete(`${peer.uri}/never/again`))
    expect(await rememberedOf('forgetful.test')).toBe(11)
  })

  it('a flood of deletions of stored posts deletes them all', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const named = [fediverse.local(alice)]
    const notes = times(5).map(() => peer.note({ mentions: named }))
    for (const note of notes) await processActivity(peer, peer.create(note))
    for (const _ of times(300)) context().memory.increment(`unknown of ${peer.host}`, 3_600)
    for (const note of notes) expect(await processActivity(peer, peer.delete(note))).toEqual({ kind: 'done' })
    const rows = context()
      .db.select()
      .from(receivedActivities)
      .where(eq(receivedActivities.uri, notes[0]?.id ?? ''))
    expect(await rows).toHaveLength(1)
  })
})
