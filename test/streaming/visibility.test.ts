import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountDomainBlocks, accounts } from '../../src/db/schema'
import { streamKinds } from '../../src/streaming/channels'
import { as } from '../support/as'
import { freshName, given, type TestAccount } from '../support/given'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { storedUpload } from '../support/given-upload'
import {
  eventsIn,
  isShared,
  placeOf,
  type StreamSurface,
  statusesIn,
  streamSurfaces,
  subscribeToAll,
  surfacesShowing,
} from '../support/stream-surfaces'
import type { TestSocket } from '../support/streaming'
import { clock, context, settleLateWork } from '../support/test-app'

/** Relationships of a subscriber to the author, and the blocks or mutes between the two. */
const standings = ['stranger', 'follower', 'lister', 'mentioned', 'mentioned follower'] as const
const restrictions = ['nothing', 'blocked', 'blocks', 'mutes', 'mutes timelines', 'blocks domain'] as const
const visibilities = ['public', 'unlisted', 'private', 'direct'] as const

type Origin = 'here' | 'limited' | 'elsewhere'

interface Case {
  readonly visibility: (typeof visibilities)[number]
  readonly localOnly?: boolean
  readonly hasPicture?: boolean
}

const cases: Readonly<Record<Origin, readonly Case[]>> = {
  here: [
    ...visibilities.map((visibility) => ({ visibility })),
    { visibility: 'public', localOnly: true },
    { visibility: 'public', hasPicture: true },
    { visibility: 'private', hasPicture: true },
  ],
  limited: [{ visibility: 'public' }, { visibility: 'private' }],
  elsewhere: [
    ...visibilities.map((visibility) => ({ visibility })),
    { visibility: 'public', hasPicture: true },
    { visibility: 'private', hasPicture: true },
  ],
}

/** Streams with their events that told somebody of a status: without any, silence about hidden ones proves nothing. */
const heard = new Set<string>()
const nameOf = ({ wish, event }: StreamSurface) => `${wish['stream']} ${event}`

interface Author {
  readonly id: number
  readonly post: (one: Case, mentions: readonly TestAccount[], tag: string) => Promise<string>
  readonly edit: (id: string, text: string) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
  /** The subscriber's account, where it is a local one. */
  readonly self: TestAccount | null
  readonly domain: string | null
}

async function localAuthor(origin: Origin): Promise<Author> {
  const self = await given.account(origin === 'limited' ? { silencedAt: clock.now() } : {})
  let media: readonly string[] = []
  return {
    id: self.id,
    self,
    domain: null,
    post: async ({ visibility, localOnly = false, hasPicture = false }, mentions, tag) => {
      const names = mentions.map(({ username }) => `@${username}`)
      const status = `A wren ${names.join(' ')} #${tag}`
      media = hasPicture ? [await storedUpload(self)] : []
      const sent = { status, visibility, media_ids: media, ...(localOnly ? { local_only: true } : {}) }
      const { body } = await as(self).post('/api/v1/statuses', sent)
      return String(Object(body).id)
    },
    edit: (id, text) => as(self).put(`/api/v1/statuses/${id}`, { status: text, media_ids: media }),
    remove: (id) => as(self).delete(`/api/v1/statuses/${id}`),
  }
}

async function remoteAuthor(): Promise<Author> {
  const peer = await given.peer()
  const { origin } = context().config
  const made: ReturnType<typeof peer.note>[] = []
  return {
    id: peer.id,
    self: null,
    domain: peer.host,
    post: async ({ visibility, hasPicture = false }, people, tag) => {
      const mentions = people.map(({ username }) => ({
        uri: `${origin}/users/${username}`,
        handle: `@${username}`,
      }))
      const picture = { type: 'Document', mediaType: 'image/png', url: `https://${peer.host}/wren.png` }
      const attachment = hasPicture ? [picture] : []
      const note = peer.note({ visibility, mentions, hashtags: [tag], document: { attachment } })
      made.unshift(note)
      await peer.send(peer.create(note))
      const found = await context().db.all<{ id: number }>(
        sql`select id from statuses where uri = ${String(note.id)}`,
      )
      return String(found[0]?.id)
    },
    edit: (_, text) => peer.send(peer.update({ ...made[0], content: text, updated: later() })),
    remove: () => peer.send(peer.delete(made[0] ?? '')),
  }
}

function later(): string {
  clock.advance(1_000)
  return clock.now().toISOString()
}

interface Subscriber {
  readonly name: string
  readonly viewer: TestAccount
  readonly mentioned: boolean
  readonly all: readonly StreamSurface[]
  readonly socket: TestSocket
}

async function makeSubscribers(author: Author, tag: string): Promise<readonly Subscriber[]> {
  const pairs = standings.flatMap((standing) =>
    restrictions.flatMap((restriction) => {
      if (restriction === 'blocks domain' && author.domain === null) return []
      // Cases differ in whether the status comes by the feed, by a mention, by both or by neither.
      const isShort = ['follower', 'mentioned'].includes(standing)
      return isShort && !['nothing', 'blocked'].includes(restriction) ? [] : [{ standing, restriction }]
    }),
  )
  const subscribers = pairs.map(async ({ standing, restriction }) => {
    const viewer = await given.account()
    const follows = standing.includes('follower') || standing === 'lister'
    if (follows) await relation.follow(viewer, author)
    const list = standing === 'lister' ? await storedList({ of: viewer, members: [author] }) : null
    await tie(viewer, author, restriction)
    const name = `${standing}, ${restriction}`
    return subscriber({ name, viewer, mentioned: standing.includes('mentioned') }, streamSurfaces(tag, list))
  })
  const own = author.self === null ? [] : [{ name: 'author', viewer: author.self, mentioned: false }]
  return Promise.all([...subscribers, ...own.map((one) => subscriber(one, streamSurfaces(tag, null)))])
}

async function subscriber(
  one: Pick<Subscriber, 'name' | 'viewer' | 'mentioned'>,
  all: Subscriber['all'],
): Promise<Subscriber> {
  return { ...one, all, socket: await subscribeToAll(one.viewer, all) }
}

async function tie(
  viewer: TestAccount,
  author: Pick<Author, 'id' | 'domain'>,
  restriction: (typeof restrictions)[number],
): Promise<void> {
  const ctx = context()
  if (restriction === 'blocked') await relation.block(author, viewer)
  if (restriction === 'blocks') await relation.block(viewer, author)
  if (restriction === 'mutes') await relation.mute(viewer, author)
  if (restriction === 'mutes timelines') await relation.mute(viewer, author, { hideNotifications: false })
  if (restriction === 'blocks domain')
    await ctx.db
      .insert(accountDomainBlocks)
      .values({ accountId: viewer.id, domain: author.domain ?? '', id: ctx.ids.next() })
}

/** Fields that are equal for every viewer: a shared stream carries no viewer state. */
function common(status: unknown): unknown {
  const { favourited: _f, reblogged: _r, bookmarked: _b, muted: _m, pinned: _p, ...rest } = Object(status)
  const { quote_approval: _q, ...shown } = rest
  return shown
}

/** An author with everybody who may or may not hear of them. */
async function cast(origin: Origin) {
  const author = await (origin === 'elsewhere' ? remoteAuthor() : localAuthor(origin))
  const tag = freshName('socket')
  return { author, tag, subscribers: await makeSubscribers(author, tag) }
}

describe.each(['here', 'limited', 'elsewhere'] as const)('streams and an author %s', (origin) => {
  let scene: Awaited<ReturnType<typeof cast>>
  beforeAll(async () => {
    scene = await cast(origin)
  })
  afterAll(() => {
    for (const { socket } of scene.subscribers) socket.close()
  })

  for (const one of cases[origin])
    it(`delivers ${titleOf(one)} to every account that may read it, and to no other`, async () => {
      const { author, tag, subscribers } = scene
      const id = await author.post(
        one,
        subscribers.filter(({ mentioned }) => mentioned).map(({ viewer }) => viewer),
        tag,
      )
      // As in Mastodon, whom moderators limited is found by followers who look, and put before nobody.
      const isPublished = (place: string) => origin !== 'limited' || !isShared(place)
      const { visibility } = one
      const shown = { visibility, isLocal: author.self !== null, hasFiles: one.hasPicture === true }
      const posted: Record<string, readonly string[]> = {}
      const read: Record<string, readonly string[]> = {}
      for (const { name, viewer, mentioned: isMentioned, all, socket } of subscribers) {
        const frames = await socket.rest()
        posted[name] = eventsIn(frames)
        for (const place of all) if (posted[name]?.includes(placeOf(place))) heard.add(nameOf(place))
        read[name] = (await surfacesShowing(viewer, all, { ...shown, isMentioned, id })).filter(isPublished)
        const sent = statusesIn(frames)
        if (sent.length === 0) continue
        const { body } = await as(viewer).get(`/api/v1/statuses/${id}`)
        for (const [place, status] of sent) {
          const form = isShared(place) ? common : (whole: unknown) => whole
          expect.soft(form(status), `${name}: ${place}`).toEqual(form(body))
        }
      }
      expect(posted).toEqual(read)
      expect(Object.values(posted).flat().length).toBeGreaterThan(0)
      const seen = (name: string, event: string) =>
        (posted[name] ?? [])
          .filter((place) => place.endsWith(' update'))
          .map((place) => place.replace(/update$/, event))

      await author.edit(id, `A robin #${tag}`)
      for (const { name, socket } of subscribers) {
        const updates = (await socket.rest()).filter(({ event }) => event === 'status.update')
        expect.soft(eventsIn(updates), `${name}, edited`).toEqual(seen(name, 'status.update'))
        for (const [, status] of statusesIn(updates)) expect(Object(status).content).toContain('robin')
      }

      await author.remove(id)
      for (const { name, socket } of subscribers) {
        const frames = await socket.rest()
        // More may be told that it is gone, should it lie before their eyes; they learn nothing else.
        expect
          .soft(eventsIn(frames), `${name}, deleted`)
          .toEqual(expect.arrayContaining(seen(name, 'delete')))
        for (const { payload } of frames) expect(payload).toBe(id)
        if (['private', 'direct'].includes(one.visibility) && name.startsWith('stranger'))
          expect.soft(frames, `${name}, deleted`).toEqual([])
      }
    })
})

it('every stream sent a readable status in the same check', () => {
  const every = streamSurfaces('wren', 1)
  expect([...heard].toSorted()).toEqual(every.map(nameOf).toSorted())
  expect([...new Set(every.map(({ wish }) => wish['stream'] ?? ''))].toSorted()).toEqual(
    [...streamKinds.keys()].toSorted(),
  )
})

function titleOf({ visibility, localOnly = false, hasPicture = false }: Case): string {
  return `a ${visibility}${localOnly ? ' local-only' : ''} status${hasPicture ? ' with a picture' : ''}`
}

it('a reblog is received where it may be read, for every pair of accounts', async () => {
  const [author, sharer] = await given.accounts(2)
  if (author === undefined || sharer === undefined) throw new Error('nobody')
  const tag = freshName('shared')
  const subscribers: Pick<Subscriber, 'name' | 'viewer' | 'all' | 'socket'>[] = []
  for (const [who, other] of Object.entries({ author, sharer }))
    for (const restriction of restrictions.filter((one) => one !== 'blocks domain')) {
      const viewer = await given.account()
      await relation.follow(viewer, sharer)
      await tie(viewer, { id: other.id, domain: null }, restriction)
      const all = streamSurfaces(tag, await storedList({ of: viewer, members: [sharer] }))
      subscribers.push({
        name: `${restriction} the ${who}`,
        viewer,
        all,
        socket: await subscribeToAll(viewer, all),
      })
    }
  const { id } = await given.status({ by: author, text: `A wren #${tag}` })
  await settleLateWork()
  for (const { socket } of subscribers) await socket.rest()
  const share = String(Object((await as(sharer).post(`/api/v1/statuses/${id}/reblog`)).body).id)
  const shown = {
    id: share,
    visibility: 'public',
    isMentioned: false,
    isLocal: true,
    hasFiles: false,
  } as const
  const told: Record<string, readonly string[]> = {}
  const read: Record<string, readonly string[]> = {}
  for (const { name, viewer, all, socket } of subscribers) {
    const frames = await socket.rest()
    told[name] = eventsIn(frames)
    read[name] = await surfacesShowing(viewer, all, shown)
    for (const [place, status] of statusesIn(frames))
      expect
        .soft(status, `${name}: ${place}`)
        .toEqual((await as(viewer).get(`/api/v1/statuses/${share}`)).body)
    socket.close()
  }
  expect(told).toEqual(read)
  expect(Object.values(told).filter(({ length }) => length > 0)).toHaveLength(2)
})

it('no subscriber receives anything of a suspended account', async () => {
  const author = await given.account()
  const follower = await given.account()
  await relation.follow(follower, author)
  const tag = freshName('socket')
  const socket = await subscribeToAll(follower, streamSurfaces(tag, null))
  const { db } = context()
  await db.update(accounts).set({ suspendedAt: clock.now() }).where(sql`id = ${author.id}`)
  await given.status({ by: author, text: `#${tag} @${follower.username}` })
  expect(await socket.rest()).toEqual([])
  socket.close()
})

it('an edit by an account limited in the meantime reaches its followers only', async () => {
  const [author, follower, stranger] = [await given.account(), await given.account(), await given.account()]
  await relation.follow(follower, author)
  const tag = freshName('limited')
  const sockets = [
    await subscribeToAll(follower, streamSurfaces(tag, null)),
    await subscribeToAll(stranger, streamSurfaces(tag, null)),
  ]
  const { body } = await as(author).post('/api/v1/statuses', { status: `A wren #${tag}` })
  const told = async (text: string) => {
    for (const socket of sockets) await socket.rest()
    await as(author).put(`/api/v1/statuses/${String(Object(body).id)}`, { status: `${text} #${tag}` })
    return Promise.all(sockets.map(async (socket) => eventsIn(await socket.rest())))
  }
  const shared = [
    `hashtag:${tag} status.update`,
    `hashtag:local:${tag} status.update`,
    'public status.update',
    'public:local status.update',
  ].toSorted()
  expect(await told('A robin')).toEqual([[...shared, 'user status.update'], shared])
  await context().db.update(accounts).set({ silencedAt: clock.now() }).where(sql`id = ${author.id}`)
  expect(await told('A rook')).toEqual([['user status.update'], []])
  for (const socket of sockets) socket.close()
})
