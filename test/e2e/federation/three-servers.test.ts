import { afterAll, beforeAll, expect, it } from 'vitest'
import { Context } from '../../../src/contract/entities/status-details'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance } from './support/instance'
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

it('joins posts of three servers to one thread, and fetches missing ones', async () => {
  const [alice, bob, carol] = await Promise.all([a.member('alice'), b.member('bob'), c.member('carol')])
  await follows(bob, alice)
  const bobAtC = await follows(carol, bob)
  const root = await as(alice).write('Who has seen the kingfisher?')
  const atB = await arrival(() => as(bob).received(root.uri))
  const answer = await as(bob).write(`@${alice.handle} I have.`, { in_reply_to_id: atB.id })
  // Carol follows Bob only: of Alice's question her server knows nothing yet, and her home leaves the answer out.
  const atC = await arrival(async () =>
    (await as(carol).statusesOf(bobAtC)).find(({ uri }) => uri === answer.uri),
  )
  await eventually(async () => {
    const above = await as(carol).get(`/api/v1/statuses/${atC.id}/context`, Context)
    expect(above.ancestors.map(({ uri }) => uri)).toEqual([root.uri])
  })
  const last = await as(carol).write(`@${bob.handle} @${alice.handle} Where?`, { in_reply_to_id: atC.id })
  for (const [person, id] of [
    [alice, root.id],
    [bob, atB.id],
  ] as const)
    await eventually(async () => {
      const below = await as(person).get(`/api/v1/statuses/${id}/context`, Context)
      expect(below.descendants.map(({ uri }) => uri)).toEqual([answer.uri, last.uri])
    })
})

it('delivers a post to two servers once each, however many follow there', async () => {
  const author = await a.member('author')
  const readers = await Promise.all([b.member('r1'), b.member('r2'), c.member('r3'), c.member('r4')])
  for (const reader of readers) await follows(reader, author)
  const { uri } = await as(author).write('For all of you')
  for (const reader of readers) await arrival(() => as(reader).received(uri))
  const deliveries = (host: string) =>
    world.router
      .passages(host, 'POST')
      .filter(({ body }) => body.includes('"Create"') && body.includes(`"${uri}"`))
  expect(deliveries('b.test')).toHaveLength(1)
  expect(deliveries('c.test')).toHaveLength(1)
})

it('delivers to the followers of a reblogger on a third server', async () => {
  const [author, booster, reader] = await Promise.all([a.member('quiet'), b.member('loud'), c.member('far')])
  await follows(booster, author)
  await follows(reader, booster)
  const written = await as(author).write('Rarely heard')
  const { id } = await arrival(() => as(booster).received(written.uri))
  const reblog = await as(booster).act(id, 'reblog')
  const came = await arrival(() => as(reader).received(reblog.uri))
  expect(came.reblog).toMatchObject({ uri: written.uri, account: { acct: author.handle } })
})
