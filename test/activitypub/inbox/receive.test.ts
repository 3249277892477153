import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { handleOrRetry, noteContact } from '../../../src/activitypub/inbox/receive'
import { signerByKeyId } from '../../../src/activitypub/verify-request'
import { readActivity } from '../../../src/activitypub/vocab/activity'
import { execute } from '../../../src/db/query'
import { follows, instances, tombstones } from '../../../src/db/schema'
import type { Throttle } from '../../../src/ports/services'
import { captureDelivery, portRecorder } from '../../support/capture-delivery'
import { expectCosts } from '../../support/expect-costs'
import { fediverse } from '../../support/fediverse'
import { testKey } from '../../support/fediverse/keys'
import { signed } from '../../support/fediverse/signing'
import { given } from '../../support/given'
import { domainLimit } from '../../support/given-limit'
import { changesBetween, snapshot } from '../../support/snapshot'
import { clock, context, fetchApp, settleLateWork } from '../../support/test-app'
import { relationshipBetween } from '../../support/viewer-state'

const origin = 'https://fieldfare.test'

describe('an inbox', () => {
  it('an inbox accepts both content types of ActivityPub with their parameters, and no other [T-1000]', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    const answers: number[] = []
    for (const type of [
      'application/activity+json',
      'application/activity+json; charset=utf-8',
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      'text/plain',
      'application/x-www-form-urlencoded',
    ])
      answers.push((await peer.send(follow, { covered, headers: { 'content-type': type } })).status)
    expect(answers).toEqual([202, 202, 202, 415, 415])
  })

  it('an inbox reads at most one mebibyte [T-990]', async () => {
    const peer = await given.peer()
    const answer = await peer.send(JSON.stringify({ type: 'Create', text: 'x'.repeat(1_048_576) }))
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      413,
      { error: 'The request body is too large' },
    ])
    expect(answer.costs.trips).toBe(0)
  })

  it('an inbox answers 405 to GET and names the method', async () => {
    for (const path of ['/inbox', '/users/somebody/inbox', '/actor/inbox']) {
      const { response } = await fetchApp(new Request(`${origin}${path}`))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it('an inbox answers 401 to unsigned requests without a fetch [T-989]', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const answer = await peer.send(peer.follow(fediverse.local(alice)), { signature: 'none' })
    expect([answer.status, answer.costs.trips, answer.fetches]).toEqual([401, 0, []])
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
  })

  it('an inbox limits senders of many bad signatures with Retry-After [T-090]', async () => {
    const flooded: Throttle = { ...context().throttle, admits: async (gate) => gate !== 'caller' }
    const headers = { 'content-type': 'application/activity+json', 'cf-connecting-ip': '192.0.2.1' }
    const request = new Request(`${origin}/inbox`, { method: 'POST', headers, body: '{}' })
    const { response } = await fetchApp(request, { throttle: flooded })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60'])
  })

  it('public accounts have an inbox, and accounts pending approval do not', async () => {
    const [alice, waiting, peer] = [
      await given.account(),
      await given.account({ user: { approved: false } }),
      await given.peer(),
    ]
    const statusAt = async (username: string) =>
      (await peer.send(peer.activity('Dance', 'x'), { to: `/users/${username}/inbox` })).status
    expect(await statusAt(alice.username)).toBe(202)
    expect(await statusAt(waiting.username)).toBe(404)
    expect(await statusAt('nobody_at_all')).toBe(404)
  })

  it('an inbox answers 410 for a deleted account [T-1001]', async () => {
    const uri = `${origin}/users/deleted_inbox`
    await context().db.insert(tombstones).values({ uri, deletedAt: clock.now(), published: true })
    const peer = await given.peer()
    const answer = await peer.send(peer.activity('Dance', 'x'), { to: '/users/deleted_inbox/inbox' })
    expect(answer.status).toBe(410)
  })

  it('an inbox limits senders of keys that cannot be fetched, with Retry-After', async () => {
    const peer = await given.peer()
    fediverse.network.fail('https://keeps-waiting.test/', { broken: 'timeout' })
    const keyId = (index: number) => `https://keeps-waiting.test/users/u${index}#main-key`
    const patient = await captureDelivery(peer, peer.like('x'), { keyId: keyId(1) })
    expect([patient.status, patient.headers.get('retry-after')]).toEqual([503, '60'])
    const throttle = { ...context().throttle, admits: async () => false }
    const flooding = await captureDelivery(peer, peer.like('x'), { keyId: keyId(2), overrides: { throttle } })
    expect(flooding.status).toBe(429)
  })

  it('an inbox does not limit known servers', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    for (const _ of Array.from({ length: 20 })) expect((await peer.send(follow)).status).toBe(202)
  })

  it.each(['{"type":', '"text"', '[]', '{}', '{"type":"Follow"}'])(
    'an inbox answers 400 to %s',
    async (body) => {
      const peer = await given.peer()
      expect((await peer.send(body)).status).toBe(400)
    },
  )

  it('an inbox accepts an unknown activity type and does nothing', async () => {
    const peer = await given.peer()
    const answer = await peer.send(peer.activity('Dance', peer.uri))
    expect([answer.status, answer.costs.rowsWritten]).toEqual([202, 0])
  })

  it('an inbox verifies both signature schemes and both key types', async () => {
    const alice = await given.account()
    for (const [signature, keyKind] of [
      ['cavage', 'rsa'],
      ['rfc9421', 'rsa'],
      ['cavage', 'ed25519'],
      ['rfc9421', 'ed25519'],
    ] as const) {
      const peer = await given.peer({ keyKind })
      await peer.send(peer.follow(fediverse.local(alice)), { signature })
      expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: true })
    }
  })

  it('an inbox refuses an activity whose id is on another server than its actor', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice), { id: 'https://other.test/follows/1' })
    expect((await peer.send(follow)).status).toBe(202)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
  })

  it('an inbox records once a day that a server was active', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    const seenAt = async () => {
      const { db } = context()
      const [row] = await db.select().from(instances).where(eq(instances.domain, peer.host))
      return row?.lastSeenAt?.getTime()
    }
    const first = clock.now().getTime()
    await peer.send(follow)
    expect(await seenAt()).toBe(first)
    clock.advance(3_600_000)
    await peer.send(follow)
    expect(await seenAt()).toBe(first)
    clock.advance(24 * 3_600_000)
    await peer.send(follow)
    expect(await seenAt()).toBe(clock.now().getTime())
  })
})

/** Headers that Mastodon signs; the content type is replaced afterwards. */
const covered = ['(request-target)', 'host', 'date', 'digest']

describe('an irrelevant activity', () => {
  it('a flood of deletions of unknown actors costs one look-up each, without a fetch or a write [T-091]', async () => {
    const host = 'farewells.test'
    const key = await testKey()
    let worst = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }
    const statuses = new Set<number>()
    const recorder = portRecorder()
    const before = await snapshot()
    for (let index = 0; index < 400; index += 1) {
      const gone = `https://${host}/users/gone${index}`
      const body = JSON.stringify({ id: `${gone}#delete`, type: 'Delete', actor: gone, object: gone })
      const [url, method] = [`${origin}/inbox`, 'POST'] as const
      const headers = await signed('cavage', {
        method,
        url,
        body,
        key,
        keyId: `${gone}#main-key`,
        at: clock.now(),
      })
      const { response, costs } = await fetchApp(
        new Request(url, { method, headers, body }),
        recorder.overrides,
      )
      statuses.add(response.status)
      worst = {
        trips: Math.max(worst.trips, costs.trips),
        statements: Math.max(worst.statements, costs.statements),
        rowsRead: Math.max(worst.rowsRead, costs.rowsRead),
        rowsWritten: Math.max(worst.rowsWritten, costs.rowsWritten),
      }
    }
    expect([...statuses]).toEqual([202])
    expectCosts(worst, { trips: 1, rowsWritten: 0 })
    expect(worst.statements).toBeLessThanOrEqual(3)
    expect(worst.rowsRead).toBeLessThanOrEqual(10)
    expect(fediverse.network.requests(`https://${host}`)).toEqual([])
    expect(changesBetween(before, await snapshot())).toEqual([])
    const { reasons, ...rest } = recorder.read()
    expect(new Set(reasons)).toEqual(new Set(['about an unknown actor']))
    expect(rest).toEqual({ errors: [], jobs: [], handed: [] })
  })

  it('an inbox accepts and ignores an Update by an unknown actor without a fetch [T-092]', async () => {
    const peer = await fediverse.actor()
    for (const object of [peer.document, peer.note({ served: false })]) {
      const answer = await peer.send(peer.update(object))
      expect([answer.status, answer.fetches]).toEqual([202, []])
      expectCosts(answer.costs, { trips: 1, rowsWritten: 0 })
    }
  })

  it('an inbox answers 202 to a sender whose key is gone [T-093]', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    fediverse.network.gone(peer.uri)
    const answer = await peer.send(peer.follow(fediverse.local(alice)))
    expect(answer.status).toBe(202)
    expect(answer.costs.rowsWritten).toBe(0)
  })
})

describe('a suspended sender', () => {
  it('an inbox answers 403 to a suspended server, and ignores its activity', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    await domainLimit(peer.host, 'suspend')
    expect((await peer.send(peer.follow(fediverse.local(alice)))).status).toBe(403)
    expect(await relationshipBetween(alice, peer)).toMatchObject({ followed_by: false })
  })

  it('a suspended sender can undo earlier activities, and do nothing else', async () => {
    const [alice, bob, peer] = [await given.account(), await given.account(), await given.peer()]
    const follow = peer.follow(fediverse.local(alice))
    await peer.send(follow)
    await context().db.run(sql`update accounts set suspended_at = 1 where id = ${peer.id}`)
    const answers = [await peer.send(peer.follow(fediverse.local(bob))), await peer.send(peer.undo(follow))]
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(await followersOf(alice)).toBe(0)
    expect(await followersOf(bob)).toBe(0)
  })
})

async function followersOf({ id }: { readonly id: number }): Promise<number> {
  const rows = await context().db.select().from(follows).where(eq(follows.targetAccountId, id))
  return rows.length
}

describe('failures of this server or the sender', () => {
  it('an inbox answers 503 when the server of an unknown key does not answer, so that the delivery is retried [T-094]', async () => {
    const [alice, peer] = [await given.account(), await fediverse.actor()]
    fediverse.network.fail(peer.at.origin, { status: 503 })
    const answer = await peer.send(peer.follow(fediverse.local(alice)))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    expect(answer.costs.rowsWritten).toBe(0)
  })

  it('an inbox answers 503 when the database fails, so that the delivery is retried [T-095]', async () => {
    const [alice, peer] = [await given.account(), await given.peer()]
    const activity = readActivity(peer.follow(fediverse.local(alice)))
    const signer = await execute(context().db, signerByKeyId(context(), peer.keyId))
    if (activity === null || signer === null) throw new Error('not readable')
    const lines: string[] = []
    const log = { info: () => undefined, error: (line: string) => void lines.push(line) }
    const batch = () => Promise.reject(new Error('D1_ERROR: overloaded'))
    const failing = new Proxy(context().db, {
      get: (db, key) => (key === 'batch' ? batch : Reflect.get(db, key)),
    })
    const outcome = await handleOrRetry(context({ db: failing, log }), signer, activity)
    expect(outcome).toEqual({ kind: 'retry', afterSeconds: 60 })
    expect(lines).toEqual(['An activity failed'])
  })
})

describe('an activity of an unreachable server', () => {
  it('resumes waiting deliveries to the server, once in ten minutes', async () => {
    const peer = await given.peer()
    const signer = await execute(context().db, signerByKeyId(context(), peer.keyId))
    if (signer === null) throw new Error('unknown')
    const woken: string[] = []
    const couriers = { ...context().couriers, wake: async (host: string) => void woken.push(host) }
    for (const minutes of [0, 9, 2]) {
      clock.advance(minutes * 60_000)
      noteContact(context({ couriers }), signer)
      await settleLateWork()
    }
    expect(woken).toEqual([peer.host, peer.host])
  })
})

describe('a forwarded activity', () => {
  it('does not trust a forwarded activity, whoever signs it [T-096]', async () => {
    const [alice, victim, peer] = [await given.account(), await given.peer(), await given.peer()]
    const answer = await peer.send(victim.follow(fediverse.local(alice)))
    expect(answer.status).toBe(202)
    expect(await relationshipBetween(alice, victim)).toMatchObject({ followed_by: false })
  })
})
