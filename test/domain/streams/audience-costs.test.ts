import { expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { subscribersOfEvent } from '../../../src/domain/streams/find-audience'
import { followTag } from '../../../src/domain/tags/follow'
import { addSubscriber, FakeStreams } from '../../support/fake-streams'
import { given } from '../../support/given'
import { storedList } from '../../support/given-list'
import { relation } from '../../support/given-relationships'
import { followed } from '../../support/given-remote'
import { viewerOf } from '../../support/given-status'
import { connectedMasses } from '../../support/masses'
import { context } from '../../support/test-app'

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

it('a status reaches the same accounts with few and with many connected: each kind of feed', async () => {
  const [author, follower, tagged, lister, named, stranger] = await Promise.all(
    Array.from({ length: 6 }, () => given.account()),
  )
  if (!author || !follower || !tagged || !lister || !named || !stranger) throw new Error('no people')
  const { db } = context()
  await relation.follow(follower, author)
  await relation.follow(lister, author)
  await relation.follow(named, author)
  const list = await storedList({ of: lister, members: [author], exclusive: true })
  await followTag(context(), await viewerOf(tagged), 'wren')
  for (const person of [author, follower, tagged, named, stranger])
    await addSubscriber(person, 'user', 'direct')
  await addSubscriber(lister, 'user', `list:${list}`)
  const posts = [
    await given.status({ by: author, text: 'To all #wren' }),
    await given.status({ by: author, text: `@${named.username} to one`, visibility: 'direct' }),
  ]
  const audience = async (id: string) => {
    const found = await execute(
      db,
      subscribersOfEvent(context(), { kind: 'status.posted', statusId: Number(id) }),
    )
    return found.map(({ accountId, channel }) => `${accountId} ${channel}`).toSorted()
  }
  const before = await Promise.all(posts.map(({ id }) => audience(id)))
  await connectedMasses(60)
  expect(await Promise.all(posts.map(({ id }) => audience(id)))).toEqual(before)
  expect(before[0]).toEqual(
    [
      ...[author, follower, tagged, named].map(({ id }) => `${id} user`),
      `${lister.id} list:${list}`,
    ].toSorted(),
  )
  expect(before[1]).toContain(`${named.id} direct`)
})
