import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Account } from '../../../src/contract/entities/account'
import { Search } from '../../../src/contract/entities/search'
import { Status } from '../../../src/contract/entities/status'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { Visitor } from './support/pages'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let b: Instance
let c: Instance

beforeAll(async () => {
  world = await openWorld('a', 'b', 'c')
  a = world.instance('a')
  b = world.instance('b')
  c = world.instance('c')
})
afterAll(() => world?.close())

let made = 0
/** Alice at a follows Bob at b. */
async function acquainted(): Promise<{ alice: Person; bob: Person; bobAtA: string }> {
  made += 1
  const [alice, bob] = await Promise.all([a.member(`alice${made}`), b.member(`bob${made}`)])
  return { alice, bob, bobAtA: await follows(alice, bob) }
}

describe('later changes', () => {
  it('delivers an edit with its time', async () => {
    const { alice, bob } = await acquainted()
    const written = await as(bob).write('A robin')
    const came = await arrival(() => as(alice).received(written.uri))
    const edited = await as(bob).put(`/api/v1/statuses/${written.id}`, Status, { status: 'A wren' })
    await eventually(async () => {
      const shown = await as(alice).status(came.id)
      expect(shown).toMatchObject({ content: '<p>A wren</p>', edited_at: edited.edited_at })
    })
  })

  it('delivers no local-only post to any server', async () => {
    const { alice, bob } = await acquainted()
    const kept = await as(bob).write('For us', { local_only: true })
    const next = await as(bob).write('For all')
    await arrival(() => as(alice).received(next.uri))
    expect(await as(alice).received(kept.uri)).toBeNull()
    const document = await b.fetch(new URL(kept.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect(document.status).toBe(404)
  })

  it('shows the recent posts of a newly followed account', async () => {
    made += 1
    const [alice, bob] = await Promise.all([a.member(`early${made}`), b.member(`late${made}`)])
    for (const text of ['first', 'second']) await as(bob).write(text)
    await as(bob).write('hidden', { visibility: 'private' })
    const id = await follows(alice, bob)
    await eventually(async () => {
      const texts = (await as(alice).statusesOf(id)).map(({ content }) => content)
      expect(texts).toEqual(['<p>second</p>', '<p>first</p>'])
    })
  })

  it('finds a post by its address, and by that of its page', async () => {
    made += 1
    const [alice, bob] = await Promise.all([a.member(`seeker${made}`), b.member(`hider${made}`)])
    const written = await as(bob).write('Find me')
    for (const address of [written.uri, written.url ?? '']) {
      const query = new URLSearchParams({ q: address, resolve: 'true' })
      const found = await as(alice).get(`/api/v2/search?${query}`, Search)
      expect(found.statuses.map(({ uri }) => uri)).toEqual([written.uri])
    }
  })
})

describe('an account that moves', () => {
  it('an account that moves takes its followers along, on every server', async () => {
    const { alice, bob } = await acquainted()
    const [next, carol] = await Promise.all([c.member(`bobnew${made}`), c.member(`carol${made}`)])
    await follows(carol, bob)
    const [arriving, leaving] = await Promise.all([Visitor.of(next), Visitor.of(bob)])
    await arriving.fill('/settings/migration', '/settings/aliases', { alias: bob.handle })
    await leaving.fill('/settings/migration', '/settings/migration', { handle: next.handle })
    for (const follower of [alice, carol])
      await eventually(async () => {
        const { id } = await as(follower).find(next.handle)
        expect(await as(follower).relationship(id)).toMatchObject({ following: true })
      })
    const old = await as(alice).get(`/api/v1/accounts/lookup?acct=${bob.handle}`, Account)
    expect(old.moved).toMatchObject({ acct: next.handle })
    expect(await as(alice).relationship(old.id)).toMatchObject({ following: false })
  })
})

describe('an account that is deleted', () => {
  it('a deleted account is deleted on every server that knew it, with its posts', async () => {
    const { alice, bob, bobAtA } = await acquainted()
    const { uri } = await as(bob).write('Last words')
    const came = await arrival(() => as(alice).received(uri))
    await (await Visitor.of(bob)).fill('/settings/delete', '/settings/delete', {})
    await eventually(async () => {
      expect(await as(alice).outcome(`/api/v1/statuses/${came.id}`)).toBe(404)
      const left = await as(alice).get(`/api/v1/accounts/${bobAtA}`, Account)
      expect(left).toMatchObject({ suspended: true, display_name: '', followers_count: 0 })
      expect(left.acct).not.toBe(bob.handle)
    })
    const document = await b.fetch(new URL(bob.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect(document.status).toBe(410)
  })
})

it('logs no errors on any server', () => {
  expect(world.instances.flatMap((instance) => instance.complaints())).toEqual([])
})
