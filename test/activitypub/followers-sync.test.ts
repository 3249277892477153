import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  checkFollowersSync,
  digestOfIds,
  idsAt,
  readSynchronization,
} from '../../src/activitypub/followers-sync'
import { follows } from '../../src/db/schema'
import type { Job } from '../../src/messages/jobs'
import { as } from '../support/as'
import { sentByCouriers } from '../support/courier'
import { fediverse } from '../support/fediverse'
import { signed } from '../support/fediverse/signing'
import { given, type TestAccount } from '../support/given'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { runJob } from '../support/run-job'
import { clock, context, fetchApp, settleLateWork } from '../support/test-app'

const { network } = fediverse
const origin = 'https://fieldfare.test'

let alice: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  alice = await given.account()
  peer = await knownPeer()
})

const actor = () => `${origin}/users/${alice.username}`
const listUrl = () => `${actor()}/followers_synchronization`

describe('the digest of followers', () => {
  it('computes the digest of the FEP-8fcf example, in any order', async () => {
    const ids = ['https://testing.example.org/users/1', 'https://testing.example.org/users/2']
    const digest = 'c33f48cd341ef046a206b8a72ec97af65079f9a3a9b90eef79c5920dce45c61f'
    expect(await digestOfIds(ids)).toBe(digest)
    expect(await digestOfIds(ids.toReversed())).toBe(digest)
    expect(await digestOfIds([])).toBe('0'.repeat(64))
  })

  it('the digest covers the accounts of one host only', () => {
    const ids = ['https://a.test/u/1', 'https://a.test.b.test/u/1', 'https://b.test/u/1', 'http://c.test/x']
    expect(idsAt('a.test', ids)).toEqual(['https://a.test/u/1'])
  })

  it.each([
    'url="https://a.test/s", digest="00"',
    `collectionId="x", url="y", url="z", digest="${'0'.repeat(64)}"`,
    `collectionId="x", digest="${'0'.repeat(64)}"`,
    '',
  ])('reads no followers digest from %j', (header) => {
    expect(readSynchronization(header)).toBeNull()
  })
})

describe('a status for followers', () => {
  const header = () => peer.deliveries().at(-1)?.headers.get('collection-synchronization') ?? null

  it('sends each server the digest of its own accounts that follow the author (pitfall 67)', async () => {
    const stranger = await knownPeer()
    for (const one of [peer, stranger]) await relation.follow(one, alice)
    await as(alice).post('/api/v1/statuses', { status: 'Among us', visibility: 'private' })
    await sentByCouriers()
    expect(readSynchronization(header() ?? '')).toEqual({
      collectionId: `${actor()}/followers`,
      url: listUrl(),
      digest: await digestOfIds([peer.uri]),
    })
  })

  it.each(['public', 'unlisted'])('a status that is %s carries no followers digest', async (visibility) => {
    await relation.follow(peer, alice)
    await as(alice).post('/api/v1/statuses', { status: 'Among all', visibility })
    await sentByCouriers()
    expect(peer.deliveries()).toHaveLength(1)
    expect(header()).toBeNull()
  })
})

describe('the list of followers for one server', () => {
  const path = () => new URL(listUrl()).pathname

  it('lists only the followers of the requesting server [T-994]', async () => {
    const [neighbour, stranger] = [await knownPeer({ host: peer.host }), await knownPeer()]
    for (const one of [peer, neighbour, stranger]) await relation.follow(one, alice)
    const reply = await peer.get(path())
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const list = JSON.parse(reply.text)
    expect(list).toMatchObject({ id: listUrl(), type: 'OrderedCollection', totalItems: 2 })
    expect(list.orderedItems.toSorted()).toEqual([peer.uri, neighbour.uri].toSorted())
  })

  it('refuses the followers list to unsigned requests and bad signatures [T-995]', async () => {
    expect((await peer.get(path(), { signature: 'none' })).status).toBe(401)
    expect((await peer.get(path(), { key: 'rsa-other' })).status).toBe(401)
    expect((await peer.get('/users/nobody_at_all/followers_synchronization')).status).toBe(404)
  })
})

describe('another server’s count of its followers here', () => {
  /** Delivers something with the header; answers the jobs that follow from it. */
  async function told(digest: string, more: { collectionId?: string; url?: string } = {}) {
    const { collectionId = peer.followers, url = `${peer.uri}/synchronization` } = more
    const body = JSON.stringify(peer.create(peer.note()))
    const inbox = `${origin}/inbox`
    const signing = { method: 'POST' as const, url: inbox, keyId: peer.keyId, key: peer.key }
    const headers = {
      ...(await signed('cavage', { ...signing, at: clock.now(), body })),
      'collection-synchronization': `collectionId="${collectionId}", url="${url}", digest="${digest}"`,
    }
    const jobs: Job[] = []
    const send = async (job: Job) => void jobs.push(job)
    const request = new Request(inbox, { method: 'POST', headers, body })
    const { response } = await fetchApp(request, { jobs: { send } })
    expect(response.status).toBe(202)
    return jobs.filter(({ kind }) => kind === 'sync-followers')
  }

  const isFollowing = async () => {
    const tie = and(eq(follows.accountId, alice.id), eq(follows.targetAccountId, peer.id))
    return (await context().db.select().from(follows).where(tie)).length === 1
  }

  it('a digest that equals the stored followers changes nothing [T-992]', async () => {
    await relation.follow(alice, peer)
    expect(await told(await digestOfIds([actor()]))).toEqual([])
  })

  it('a different digest causes a fetch: a follow that the other server does not know ends with an Undo [T-991]', async () => {
    await relation.follow(alice, peer)
    const url = `${peer.uri}/synchronization`
    network.serve(url, { id: url, type: 'OrderedCollection', totalItems: 0, orderedItems: [] })
    const jobs = await told('0'.repeat(64))
    expect(jobs).toEqual([{ kind: 'sync-followers', accountId: peer.id, url }])
    for (const job of jobs) expect(await runJob(context(), job)).toEqual({ kind: 'done' })
    await sentByCouriers()
    expect(await isFollowing()).toBe(false)
    expect(peer.received()).toMatchObject([
      { type: 'Undo', actor: actor(), object: { type: 'Follow', object: peer.uri } },
    ])
    const [asked] = network.requests(url, 'GET')
    expect(asked?.headers.get('signature')).toContain(`keyId="${origin}/actor#main-key"`)
  })

  it('accepts a follow request that the other server granted, and undoes a follow that only it knows', async () => {
    const bob = await given.account()
    const url = `${peer.uri}/synchronization`
    await relation.followRequest(alice, peer)
    const orderedItems = [actor(), `${origin}/users/${bob.username}`, `${origin}/users/nobody_at_all`]
    network.serve(url, { id: url, type: 'OrderedCollection', orderedItems })
    await runJob(context(), { kind: 'sync-followers', accountId: peer.id, url })
    await sentByCouriers()
    expect(await isFollowing()).toBe(true)
    expect(peer.received()).toMatchObject([
      {
        type: 'Undo',
        actor: `${origin}/users/${bob.username}`,
        object: { type: 'Follow', object: peer.uri },
      },
    ])
  })

  it.each([
    { status: 500 },
    { status: 404 },
    { body: '{"type":"OrderedCollection","first":"https://x.test/p"}', status: 200 },
  ])('changes nothing where the followers list cannot be fetched completely: %j', async (failure) => {
    await relation.follow(alice, peer)
    const url = `${peer.uri}/synchronization`
    network.fail(url, { headers: { 'content-type': 'application/activity+json' }, ...failure })
    const outcome = await runJob(context(), { kind: 'sync-followers', accountId: peer.id, url })
    expect(outcome).toMatchObject({ kind: 'ignored' })
    expect(await isFollowing()).toBe(true)
  })

  it('ignores a digest that names another collection or another server [T-993]', async () => {
    await relation.follow(alice, peer)
    expect(await told('0'.repeat(64), { collectionId: 'https://other.test/followers' })).toEqual([])
    expect(await told('0'.repeat(64), { url: 'https://other.test/list' })).toEqual([])
  })

  it('does not compare an unchanged digest again', async () => {
    await relation.follow(alice, peer)
    const ctx = context()
    const jobs: Job[] = []
    const asking = { ...ctx, jobs: { send: async (job: Job) => void jobs.push(job) } }
    const signer = {
      id: peer.id,
      uri: peer.uri,
      username: peer.username,
      domain: peer.host,
      suspended: false,
      followers: peer.followers,
      limit: null,
      relay: null,
    }
    const header = `collectionId="${peer.followers}", url="${peer.uri}/s", digest="${'0'.repeat(64)}"`
    checkFollowersSync(asking, signer, header)
    await settleLateWork()
    checkFollowersSync(asking, signer, header)
    await settleLateWork()
    expect(jobs).toHaveLength(1)
  })
})
