import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { documentRoutes } from '../../src/activitypub/routes/documents'
import { accounts } from '../../src/db/schema'
import { as } from '../support/as'
import { fediverse } from '../support/fediverse'
import { fetchDocument } from '../support/fetch-document'
import { freshName, given, type TestAccount } from '../support/given'
import { domainLimit } from '../support/given-limit'
import { type KnownPeer, knownPeer } from '../support/given-peer'
import { relation } from '../support/given-relationships'
import { storedStatus } from '../support/given-stored'
import { clock, context } from '../support/test-app'

/**
 * Every request of another server, by reader and status: a status of each visibility at every address it
 * could show at. What may be seen where is computed from the rule, never listed by hand.
 */

const kinds = ['public', 'unlisted', 'private', 'direct', 'local-only'] as const
type Kind = (typeof kinds)[number]

/** `barred` are not spoken with at all. */
const readers = [
  ...(['anybody', 'stranger', 'follower', 'mentioned', 'asking', 'blocked', 'suspended', 'barred'] as const),
] as const
type ReaderName = (typeof readers)[number]

interface Scene {
  readonly alice: TestAccount
  readonly bob: TestAccount
  /** A word in the status, and its id. */
  readonly statuses: Readonly<Record<Kind, Told>>
  /** Status of bob, which those of alice reply to. */
  readonly parent: string
  /** Replies of alice to a status of her own. */
  readonly answers: Readonly<Record<Kind, Told>>
  readonly root: string
  readonly peers: Readonly<Record<Exclude<ReaderName, 'anybody'>, KnownPeer>>
}

interface Told {
  readonly id: string
  readonly secret: string
}

const Made = z.object({ id: z.string() })

let scene: Scene

beforeAll(async () => {
  scene = await play()
})

async function play(): Promise<Scene> {
  const [alice, bob] = [await given.account(), await given.account()]
  const peers = {
    stranger: await knownPeer(),
    follower: await knownPeer(),
    mentioned: await knownPeer(),
    asking: await knownPeer(),
    blocked: await knownPeer(),
    suspended: await knownPeer(),
    barred: await knownPeer(),
  }
  for (const peer of [peers.follower, peers.suspended, peers.barred]) await relation.follow(peer, alice)
  await relation.followRequest(peers.asking, alice)
  const parent = await storedStatus({ accountId: bob.id })
  const named = [peers.mentioned, peers.blocked, peers.suspended, peers.barred].map(
    ({ handle }) => `@${handle}`,
  )
  const answer = async (kind: Kind, to: number) => {
    const secret = `${freshName('bittern')}x`
    const seen = kind === 'local-only' ? { visibility: 'public', local_only: true } : { visibility: kind }
    const status = `${secret} ${named.join(' ')}`
    const sent = { status, ...seen, in_reply_to_id: String(to) }
    const { id } = Made.parse((await as(alice).post('/api/v1/statuses', sent)).body)
    return { id, secret }
  }
  const post = async (kind: Kind) => {
    const told = await answer(kind, parent)
    await as(alice).post(`/api/v1/statuses/${told.id}/pin`)
    // Stored, since nobody may reblog all of them.
    await storedStatus({ accountId: bob.id, reblogOfId: Number(told.id) })
    return told
  }
  const ofEach = async (make: (kind: Kind) => Promise<Told>) => ({
    public: await make('public'),
    unlisted: await make('unlisted'),
    private: await make('private'),
    direct: await make('direct'),
    'local-only': await make('local-only'),
  })
  const statuses = await ofEach(post)
  const root = await storedStatus({ accountId: alice.id })
  const answers = await ofEach((kind) => answer(kind, root))
  await relation.block(alice, peers.blocked)
  await suspend(peers.suspended)
  await domainLimit(peers.barred.host, 'suspend')
  return { alice, bob, statuses, parent: String(parent), answers, root: String(root), peers }
}

async function suspend({ id }: KnownPeer): Promise<void> {
  await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, id))
}

/** The rule. */
function sees(reader: ReaderName, kind: Kind): boolean {
  if (kind === 'local-only' || ['blocked', 'suspended', 'barred'].includes(reader)) {
    // Without a signature nobody knows who asks, with one that is blocked or suspended it is known.
    return false
  }
  if (kind === 'public' || kind === 'unlisted' || reader === 'mentioned') return true
  return kind === 'private' && reader === 'follower'
}

interface Read {
  readonly status: number
  readonly text: string
}

async function read(reader: ReaderName, path: string): Promise<Read> {
  if (reader === 'anybody') return fetchDocument(path)
  return scene.peers[reader].get(path)
}

const isOpen = (kind: Kind) => kind === 'public' || kind === 'unlisted'
const isBarred = (reader: ReaderName) => reader === 'suspended' || reader === 'barred'

/** Routes of documents, as the tests of this file ask them or not at all: those show no status that an account posted. */
const routes: Readonly<Record<string, boolean>> = {
  '/users/:username': true,
  '/:handle{@[^/]+}': true,
  '/users/:username/outbox': true,
  '/users/:username/collections/featured': true,
  '/users/:username/collections/tags': true,
  '/users/:username/featured_collections': true,
  '/users/:username/followers': true,
  '/users/:username/following': true,
  '/users/:username/statuses/:id{[0-9]{1,16}}': true,
  '/:handle{@[^/]+}/:id{[0-9]{1,16}}': true,
  '/users/:username/statuses/:id{[0-9]{1,16}}/activity': true,
  '/users/:username/statuses/:id{[0-9]{1,16}}/replies': true,
  '/users/:username/statuses/:id{[0-9]{1,16}}/likes': true,
  '/users/:username/statuses/:id{[0-9]{1,16}}/shares': true,
  // Consents to interactions: routes/authorizations.test.ts hides both sides of them.
  '/users/:username/quote_authorizations/:id{[0-9]{1,16}}': false,
  '/users/:username/authorizations/:id{[0-9]{1,16}}': false,
  // Of accounts alone.
  '/users/:username/collections/:id{[0-9]{1,16}}': false,
  '/collections/:id{[0-9]{1,16}}': false,
  '/users/:username/feature_authorizations/:id{[0-9]{1,16}}': false,
  '/users/:username/followers_synchronization': false,
  '/contexts/:id{[0-9]{1,16}}': true,
  '/contexts/:id{[0-9]{1,16}}/items': true,
  '/emojis/:shortcode': false,
  '/actor': false,
  '/actor/outbox': false,
}

it('the table names every document route', () => {
  const paths = documentRoutes(async () => ({ kind: 'unsigned' }))
    .routes.filter(({ method }) => method === 'GET')
    .map(({ path }) => path)
  expect([...new Set(paths)].toSorted()).toEqual(Object.keys(routes).toSorted())
})

/** The addresses of one status, and whether what it says stands there. */
const own: Readonly<Record<string, { readonly path: (id: string) => string; readonly tells: boolean }>> = {
  status: { path: (id) => `/users/NAME/statuses/${id}`, tells: true },
  'status at its page': { path: (id) => `/@NAME/${id}`, tells: true },
  activity: { path: (id) => `/users/NAME/statuses/${id}/activity`, tells: true },
  replies: { path: (id) => `/users/NAME/statuses/${id}/replies`, tells: false },
  'page of replies': { path: (id) => `/users/NAME/statuses/${id}/replies?page=true`, tells: false },
  likes: { path: (id) => `/users/NAME/statuses/${id}/likes`, tells: false },
  shares: { path: (id) => `/users/NAME/statuses/${id}/shares`, tells: false },
}

const cases = readers.flatMap((reader) => kinds.map((kind) => [reader, kind] as const))

describe('a status at its own addresses (pitfall 54)', () => {
  it.each(cases)('serves the status for %s: %s [T-100]', async (reader, kind) => {
    const { id, secret } = scene.statuses[kind]
    for (const [surface, { path, tells }] of Object.entries(own)) {
      const { status, text } = await read(reader, path(id).replace('NAME', scene.alice.username))
      const expected = isBarred(reader) ? 403 : sees(reader, kind) ? 200 : 404
      expect(status, surface).toBe(expected)
      expect(text.includes(secret), surface).toBe(tells && expected === 200)
    }
  })
})

interface Listing {
  readonly path: string
  /** Public and unlisted statuses that stand there: without any, a test of absence proves nothing. */
  readonly holds: 'statuses' | 'answers' | null
  /** Belongs to a status of alice, which is missing for those whom she blocks. */
  readonly isOfStatus?: boolean
  /** Holds reblogs, which whoever may see what they reblog is shown. */
  readonly isOfReblogs?: boolean
}

describe('a status in collections (pitfall 54)', () => {
  const lists: Readonly<Record<string, Listing>> = {
    'page of the outbox': { path: '/users/ALICE/outbox?page=true', holds: 'statuses' },
    'the outbox of others': { path: '/users/BOB/outbox?page=true', holds: 'statuses', isOfReblogs: true },
    featured: { path: '/users/ALICE/collections/featured', holds: 'statuses' },
    'others’ replies to its parent': {
      path: '/users/BOB/statuses/PARENT/replies?only_other_accounts=true&page=true',
      holds: 'statuses',
    },
    'replies to its author': {
      path: '/users/ALICE/statuses/ROOT/replies',
      holds: 'answers',
      isOfStatus: true,
    },
    'page of replies to its author': {
      path: '/users/ALICE/statuses/ROOT/replies?page=true',
      holds: 'answers',
      isOfStatus: true,
    },
    'the thread': { path: '/contexts/PARENT', holds: 'statuses' },
    'items of the thread': { path: '/contexts/PARENT/items', holds: 'statuses' },
    'page of the thread': { path: '/contexts/PARENT/items?page=true&min_id=1', holds: 'statuses' },
    'the thread of its author': { path: '/contexts/ROOT', holds: 'answers', isOfStatus: true },
    'items of the thread of its author': {
      path: '/contexts/ROOT/items?page=true',
      holds: 'answers',
      isOfStatus: true,
    },
    // Name no status, whoever may see it, or none of somebody else.
    outbox: { path: '/users/ALICE/outbox', holds: null },
    tags: { path: '/users/ALICE/collections/tags', holds: null },
    'featured collections': { path: '/users/ALICE/featured_collections', holds: null },
    'replies to its parent': { path: '/users/BOB/statuses/PARENT/replies', holds: null },
    'the parent': { path: '/users/BOB/statuses/PARENT', holds: null },
    actor: { path: '/users/ALICE', holds: null },
    followers: { path: '/users/ALICE/followers?page=true', holds: null },
    following: { path: '/users/ALICE/following?page=true', holds: null },
    WebFinger: { path: '/.well-known/webfinger?resource=acct:ALICE@fieldfare.test', holds: null },
  }

  it.each(readers.flatMap((reader) => Object.keys(lists).map((list) => [reader, list] as const)))(
    'lists the status in collections for %s: %s [T-101]',
    async (reader, list) => {
      const { alice, bob, parent, root } = scene
      const { path = '', holds = null, isOfStatus = false, isOfReblogs = false } = lists[list] ?? {}
      const { status, text } = await read(
        reader,
        path
          .replace('ALICE', alice.username)
          .replace('BOB', bob.username)
          .replace('PARENT', parent)
          .replace('ROOT', root),
      )
      // WebFinger is for everybody: without it nobody would learn that they are refused.
      const expected = isBarred(reader) && list !== 'WebFinger' ? 403 : 200
      expect(status).toBe(isOfStatus && reader === 'blocked' ? 404 : expected)
      const isAnswered = !isBarred(reader) && reader !== 'blocked'
      for (const what of ['statuses', 'answers'] as const)
        for (const kind of kinds) {
          const { id, secret } = scene[what][kind]
          // Lists carry what is for everybody, also for those who might read more by its own address.
          const stands = text.includes(secret) || text.includes(`/statuses/${id}`)
          const isHeld = holds === what || (what === 'answers' && list === 'page of the outbox')
          const isListed = isOpen(kind) || (isOfReblogs && sees(reader, kind))
          expect(stands, `${what}: ${kind}`).toBe(isAnswered && isHeld && isListed)
        }
    },
  )
})

describe('accounts that hide their network', () => {
  it('serves empty lists with totals for accounts that hide their network', async () => {
    const shy = await given.account({ hideCollections: true })
    const [follower, followed] = [await knownPeer(), await knownPeer()]
    await relation.follow(follower, shy)
    await relation.follow(shy, followed)
    for (const [listing, other] of [
      ['followers', follower],
      ['following', followed],
    ] as const) {
      const path = `/users/${shy.username}/${listing}`
      for (const answer of [await fetchDocument(path), await follower.get(path)])
        expect(JSON.parse(answer.text)).toEqual({
          '@context': expect.anything(),
          id: expect.any(String),
          type: 'OrderedCollection',
          totalItems: 1,
        })
      for (const answer of [
        await fetchDocument(`${path}?page=true`),
        await follower.get(`${path}?page=true`),
      ]) {
        expect(answer.status).toBe(403)
        expect(answer.text).not.toContain(other.uri)
      }
    }
  })
})

describe('a suspended local account', () => {
  it('serves nothing of a suspended account to signed and unsigned requests', async () => {
    const secret = `${freshName('corncrake')}x`
    const gone = await given.account({ displayName: secret, note: secret, noteHtml: secret })
    const follower = await knownPeer()
    await relation.follow(follower, gone)
    const { id } = Made.parse((await as(gone).post('/api/v1/statuses', { status: secret })).body)
    await as(gone).post(`/api/v1/statuses/${id}/pin`)
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
    const person = `/users/${gone.username}`
    const paths = [
      '',
      '/outbox',
      '/outbox?page=true',
      '/followers',
      '/followers?page=true',
      '/collections/featured',
    ]
    const all = [...paths, `/statuses/${id}`, `/statuses/${id}/activity`, `/statuses/${id}/replies`].map(
      (path) => `${person}${path}`,
    )
    for (const path of [...all, `/.well-known/webfinger?resource=acct:${gone.username}@fieldfare.test`])
      for (const answer of [await fetchDocument(path), await follower.get(path)]) {
        expect(answer.text, path).not.toContain(secret)
        expect([200, 403, 404], path).toContain(answer.status)
      }
  })
})

describe('a reblog by a remote account', () => {
  it('does not serve a remote reblog of a private status [T-102]', async () => {
    const { alice, bob, peers, statuses } = scene
    const { follower } = peers
    await relation.follow(bob, follower)
    const uri = `${fediverse.local(alice).uri}/statuses/${statuses.private.id}`
    expect((await follower.send(follower.announce(uri))).status).toBe(202)
    // Even one that got in by some other way.
    await storedStatus({
      accountId: follower.id,
      local: false,
      reblogOfId: Number(statuses.private.id),
      inHomeOf: [bob.id],
    })
    for (const path of [`/api/v1/timelines/home`, `/api/v1/accounts/${follower.id}/statuses`]) {
      const { body } = await as(bob).get(path)
      expect(JSON.stringify(body)).not.toContain(statuses.private.secret)
    }
    const { body } = await as(alice).get(`/api/v1/statuses/${statuses.private.id}`)
    expect(body).toMatchObject({ reblogs_count: 0 })
  })
})
