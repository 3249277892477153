import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Suggestion } from '../../src/contract/entities/search'
import { Status } from '../../src/contract/entities/status'
import { accounts, notifications, statuses, trendingStatuses } from '../../src/db/schema'
import { purgeAccount } from '../../src/domain/cleanup/purge-account'
import { updatePopularAccounts } from '../../src/domain/suggestions/compute'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { fediverse } from '../support/fediverse'
import { given, type TestAccount } from '../support/given'
import type { KnownPeer } from '../support/given-peer'
import { followed } from '../support/given-remote'
import { favour, trendsRefreshed } from '../support/given-trends'
import { clock, context, settleLateWork } from '../support/test-app'

/** Counts of favourites and reblogs that a remote server states for its own statuses. */

interface Counts {
  readonly likes: unknown
  readonly shares: unknown
}

/** The two collections as Mastodon writes them into a Note. */
const counted = ({ likes, shares }: Counts) => ({
  likes: { id: 'https://counts.test/likes', type: 'Collection', totalItems: likes },
  shares: { id: 'https://counts.test/shares', type: 'Collection', totalItems: shares },
})

/** A reader of ours, and a post of somebody elsewhere whom they follow. */
async function stored(document: object = counted({ likes: 40, shares: 7 })) {
  const [reader, peer] = [await given.account(), await given.peer()]
  await followed(reader, peer)
  return { reader, peer, ...(await sent(peer, document)) }
}

async function sent(peer: KnownPeer, document: object) {
  const note = peer.note({ document: { ...document } })
  expect((await peer.send(peer.create(note))).status).toBe(202)
  return { note, id: (await rowOf(note.id)).id }
}

async function rowOf(uri: string) {
  const [row] = await context().db.select().from(statuses).where(eq(statuses.uri, uri))
  if (row === undefined) throw new Error(`${uri} is not stored`)
  return row
}

async function shown(reader: TestAccount, id: number) {
  await settleLateWork()
  const status = Status.parse((await as(reader).get(`/api/v1/statuses/${id}`)).body)
  return { favourites: status.favourites_count, reblogs: status.reblogs_count, editedAt: status.edited_at }
}

/** Figures that trends, suggestions and the like are made from. */
async function trusted({ id: uri }: { readonly id: string }) {
  const { favouritesCount, reblogsCount } = await rowOf(uri)
  return { favourites: favouritesCount, reblogs: reblogsCount }
}

describe('likes and shares of a remote post', () => {
  it('shows counts of the origin server, also inside a reblog, and stores them separately', async () => {
    const { reader, peer, id, note } = await stored()
    expect(await shown(reader, id)).toMatchObject({ favourites: 40, reblogs: 7 })
    expect(await trusted(note)).toEqual({ favourites: 0, reblogs: 0 })
    const { body } = await as(reader).get(`/api/v1/accounts/${peer.id}/statuses`)
    expect(body).toMatchObject([{ favourites_count: 40, reblogs_count: 7 }])
    const reblog = await as(reader).post(`/api/v1/statuses/${id}/reblog`)
    expect(reblog.body).toMatchObject({
      reblogs_count: 0,
      reblog: { favourites_count: 40, reblogs_count: 8 },
    })
  })

  it('shows the counts of a fetched post', async () => {
    const [reader, peer] = [await given.account(), await given.peer()]
    const note = peer.note({ document: counted({ likes: 3, shares: 2 }) })
    const id = await fakeQueue().ctx.resolver.statusByUri(note.id)
    expect(await shown(reader, id ?? 0)).toMatchObject({ favourites: 3, reblogs: 2 })
  })

  it.each([
    ['without them', {}],
    ['that only names them', { likes: 'https://counts.test/likes', shares: 'https://counts.test/shares' }],
  ])('counts interactions with a post %s locally', async (_what, document) => {
    const { reader, id } = await stored(document)
    await as(reader).post(`/api/v1/statuses/${id}/favourite`)
    expect(await shown(reader, id)).toMatchObject({ favourites: 1, reblogs: 0 })
  })

  it.each([
    ['negative', -1],
    ['a fraction', 1.5],
    ['a word', '40'],
    ['beyond all numbers', 1e300],
    ['true', true],
    ['null', null],
    ['an object', { totalItems: 40 }],
    ['a list', [40]],
  ])('ignores remote counts where they are %s', async (_what, made) => {
    const { reader, id, note } = await stored(counted({ likes: made, shares: 7 }))
    expect(await shown(reader, id)).toMatchObject({ favourites: 0, reblogs: 7 })
    expect(await rowOf(note.id)).toMatchObject({ untrustedFavouritesCount: null })
  })

  it('cuts counts that are too large for apps', async () => {
    const { reader, id } = await stored(counted({ likes: Number.MAX_SAFE_INTEGER, shares: 2 ** 31 }))
    expect(await shown(reader, id)).toMatchObject({ favourites: 100_000_000, reblogs: 100_000_000 })
  })
})

describe('interactions of local accounts', () => {
  it('adds local interactions to both counts, and subtracts them again', async () => {
    const { reader, id, note } = await stored()
    const act = (verb: string) => as(reader).post(`/api/v1/statuses/${id}/${verb}`)
    expect((await act('favourite')).body).toMatchObject({ favourited: true, favourites_count: 41 })
    await act('favourite')
    await act('reblog')
    expect(await shown(reader, id)).toMatchObject({ favourites: 41, reblogs: 8 })
    expect(await trusted(note)).toEqual({ favourites: 1, reblogs: 1 })
    const { body } = await as(reader).get(`/api/v1/statuses/${id}/favourited_by`)
    expect(body).toMatchObject([{ id: String(reader.id) }])
    await act('unfavourite')
    await act('unreblog')
    expect(await shown(reader, id)).toMatchObject({ favourites: 40, reblogs: 7 })
    expect(await trusted(note)).toEqual({ favourites: 0, reblogs: 0 })
  })

  it('never lowers a count below zero', async () => {
    const { reader, peer, id, note } = await stored()
    await as(reader).post(`/api/v1/statuses/${id}/favourite`)
    await peer.send(peer.update({ ...note, ...counted({ likes: 0, shares: 0 }) }))
    expect(await shown(reader, id)).toMatchObject({ favourites: 0 })
    await as(reader).post(`/api/v1/statuses/${id}/unfavourite`)
    expect(await shown(reader, id)).toMatchObject({ favourites: 0 })
  })

  it('subtracts interactions of a deleted account from both counts', async () => {
    const { reader, id, note } = await stored()
    const fan = await given.peer()
    await followed(reader, fan)
    await fan.send(fan.like(note.id))
    await fan.send(fan.announce(note.id))
    expect(await shown(reader, id)).toMatchObject({ favourites: 41, reblogs: 8 })
    await purgeAccount(context(), fan.id)
    expect(await shown(reader, id)).toMatchObject({ favourites: 40, reblogs: 7 })
    expect(await trusted(note)).toEqual({ favourites: 0, reblogs: 0 })
  })
})

describe('a newer count', () => {
  it('updates counts with an Update that changes nothing else, without an edit', async () => {
    const { reader, peer, id, note } = await stored()
    const update = await peer.send(peer.update({ ...note, ...counted({ likes: 55, shares: 9 }) }))
    expect(update.costs.trips).toBeLessThanOrEqual(3)
    expect(await shown(reader, id)).toEqual({ favourites: 55, reblogs: 9, editedAt: null })
    const told = await context()
      .db.select()
      .from(notifications)
      .where(eq(notifications.fromAccountId, peer.id))
    expect(told).toEqual([])
  })

  it('updates counts with an edit, and keeps them where the next edit has none', async () => {
    const { reader, peer, id, note } = await stored()
    const edit = (content: string, more: object) => {
      clock.advance(60_000)
      return peer.send(peer.update({ ...note, content, updated: clock.now().toISOString(), ...more }))
    }
    await edit('<p>One</p>', counted({ likes: 41, shares: undefined }))
    expect(await shown(reader, id)).toMatchObject({
      favourites: 41,
      reblogs: 7,
      editedAt: expect.any(String),
    })
    await edit('<p>Two</p>', { likes: undefined, shares: undefined })
    expect(await shown(reader, id)).toMatchObject({ favourites: 41, reblogs: 7 })
  })

  it('ignores counts of an older version, of another server, and invalid ones', async () => {
    const { reader, peer, id, note } = await stored()
    clock.advance(60_000)
    const updated = clock.now().toISOString()
    await peer.send(peer.update({ ...note, content: '<p>Newer</p>', updated }))
    await peer.send(peer.update({ ...note, ...counted({ likes: 1, shares: 1 }) }))
    const now = { ...note, content: '<p>Newer</p>', updated }
    for (const other of [await given.peer({ host: peer.host }), await given.peer()])
      await other.send(other.update({ ...now, ...counted({ likes: 900, shares: 900 }) }))
    await peer.send(peer.update({ ...now, ...counted({ likes: -5, shares: 'many' }) }))
    expect(await shown(reader, id)).toMatchObject({ favourites: 40, reblogs: 7 })
  })

  it('updates counts when the server is asked again, after a hint or for a thread', async () => {
    const { reader, peer, id, note } = await stored()
    const serve = (likes: number) =>
      fediverse.network.serve(note.id, { ...note, ...counted({ likes, shares: 8 }) })
    serve(60)
    await context().resolver.refetch(note.id)
    expect(await shown(reader, id)).toMatchObject({ favourites: 60, reblogs: 8 })
    serve(70)
    await fakeQueue().ctx.backfill.fetchReplies(id, 1)
    expect(await shown(reader, id)).toEqual({ favourites: 70, reblogs: 8, editedAt: null })
    expect(peer.received()).toEqual([])
  })
})

describe('uses of remote counts', () => {
  it('remote counts make no post trend and no author popular', async () => {
    const claims = counted({ likes: 1_000_000, shares: 1_000_000 })
    const [boaster, loved] = [await stored(claims), await stored({})]
    for (const { peer } of [boaster, loved])
      await context().db.update(accounts).set({ discoverable: true }).where(eq(accounts.id, peer.id))
    const fan = await given.peer()
    await fan.send(fan.like(boaster.note.id))
    await favour(loved.id, 60)
    await trendsRefreshed()
    await updatePopularAccounts(context())
    const { db } = context()
    const trending = await db.select({ id: trendingStatuses.statusId }).from(trendingStatuses)
    expect(trending.map(({ id }) => id)).toContain(loved.id)
    expect(trending.map(({ id }) => id)).not.toContain(boaster.id)
    const { body } = await as(await given.account()).get('/api/v2/suggestions?limit=80')
    const advised = z
      .array(Suggestion)
      .parse(body)
      .map(({ account }) => Number(account.id))
    expect(advised).toContain(loved.peer.id)
    expect(advised).not.toContain(boaster.peer.id)
  })

  it('remote counts notify nobody', async () => {
    const { reader } = await stored(counted({ likes: 5_000, shares: 5_000 }))
    await settleLateWork()
    expect((await as(reader).get('/api/v1/notifications')).body).toEqual([])
  })
})
