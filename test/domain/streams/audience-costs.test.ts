import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { subscribersOfEvent } from '../../../src/domain/streams/find-audience'
import { followTag } from '../../../src/domain/tags/follow'
import { as } from '../../support/as'
import { addSubscriber, FakeStreams } from '../../support/fake-streams'
import { given } from '../../support/given'
import { storedList } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { followed } from '../../support/given-remote'
import { viewerOf } from '../../support/given-status'
import { connectedMasses } from '../../support/masses'
import { clock, context } from '../../support/test-app'

new FakeStreams()

it('an inbound status reads as much with a thousand connected members as with sixty', async () => {
  const peer = await given.peer()
  for (let index = 0; index < 5; index += 1) {
    const reader = await given.account()
    await followed(reader, peer)
    await addSubscriber(reader, 'user')
  }
  const rows = async () => (await peer.send(peer.create(peer.note()))).costs.rowsRead
  await connectedMasses(60)
  const [, small] = [await rows(), await rows()]
  await connectedMasses(940)
  const large = await rows()
  expect(large).toBeLessThanOrEqual(small + 5)
  expect(large).toBeLessThanOrEqual(60 + 51 + 10 * 5 + 40)
})

/** Members connected beside those of a test: few enough to be asked one by one, or far more. */
const crowds = [60, 940]

it('editing and deleting a status read as much with a thousand connected members as with sixty', async () => {
  const [author, peer] = [await given.account(), await given.peer()]
  for (let index = 0; index < 5; index += 1) {
    const reader = await given.account()
    await followed(reader, peer)
    await relation.follow(reader, author)
    await addSubscriber(reader, 'user')
  }
  const costs = async () => {
    const [own, note] = [await given.status({ by: author }), peer.note()]
    await peer.send(peer.create(note))
    clock.advance(60_000)
    const edited = { ...note, content: '<p>Else</p>', updated: clock.now().toISOString() }
    const answers = {
      edit: await as(author).put(`/api/v1/statuses/${own.id}`, { status: 'Else' }),
      deletion: await as(author).delete(`/api/v1/statuses/${own.id}`),
      update: await peer.send(peer.update(edited)),
      'remote deletion': await peer.send(peer.delete(note)),
    }
    for (const { status } of Object.values(answers)) expect([200, 202]).toContain(status)
    return Object.entries(answers).map(([name, answer]) => [name, answer.costs.rowsRead] as const)
  }
  const read: (readonly (readonly [string, number])[])[] = []
  for (const count of crowds) {
    await connectedMasses(count)
    await costs()
    read.push(await costs())
  }
  const [small, large] = read
  for (const [at, [name, rows]] of (large ?? []).entries()) {
    expect(rows, name).toBeLessThanOrEqual((small?.[at]?.[1] ?? 0) + 5)
    expect(rows, name).toBeLessThanOrEqual(60 + 51 + 10 * 5 + 60)
  }
})

it('publishes a status to the same accounts with few and many connected: each kind of feed', async () => {
  const [author, follower, tagged, lister, named, stranger, sharer, fan] = await Promise.all(
    Array.from({ length: 8 }, () => given.account()),
  )
  if (!author || !follower || !tagged || !lister || !named || !stranger || !sharer || !fan)
    throw new Error('no people')
  const { db } = context()
  await relation.follow(follower, author)
  await relation.follow(lister, author)
  await relation.follow(named, author)
  const list = await storedList({ of: lister, members: [author], exclusive: true })
  await followTag(context(), await viewerOf(tagged), 'wren')
  await relation.follow(fan, sharer)
  for (const person of [author, follower, tagged, named, stranger, sharer, fan])
    await addSubscriber(person, 'user', 'direct')
  await addSubscriber(lister, 'user', `list:${list}`)
  const posts = [
    await given.status({ by: author, text: 'To all #wren' }),
    await given.status({ by: author, text: `@${named.username} to one`, visibility: 'direct' }),
  ]
  const [shown] = posts
  await as(sharer).post(`/api/v1/statuses/${shown?.id}/reblog`)
  const audience = async (id: string, kind: 'status.posted' | 'status.edited' | 'status.removed') => {
    const found = await execute(db, subscribersOfEvent(context(), { kind, statusId: Number(id) }))
    return found.map(({ accountId, channel }) => `${accountId} ${channel}`).toSorted()
  }
  const audiences = async () => ({
    posted: await Promise.all(posts.map(({ id }) => audience(id, 'status.posted'))),
    edited: await Promise.all(posts.map(({ id }) => audience(id, 'status.edited'))),
    removed: await Promise.all(posts.map(({ id }) => audience(id, 'status.removed'))),
  })
  // Taken off by an edit, the tag still has the status in the feeds of its followers.
  await as(author).put(`/api/v1/statuses/${shown?.id}`, { status: 'To all' })
  const before = await audiences()
  await connectedMasses(60)
  expect(await audiences()).toEqual(before)
  const readers = [
    ...[author, follower, tagged, named].map(({ id }) => `${id} user`),
    `${lister.id} list:${list}`,
  ]
  expect(before.posted[0]).toEqual(readers.toSorted())
  expect(before.edited[0]).toEqual(readers.toSorted())
  expect(before.removed[0]).toEqual([...readers, `${sharer.id} user`, `${fan.id} user`].toSorted())
  for (const kind of ['posted', 'edited', 'removed'] as const)
    expect(before[kind][1]).toContain(`${named.id} direct`)
})
