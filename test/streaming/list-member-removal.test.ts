import { expect, it } from 'vitest'
import { as } from '../support/as'
import { given } from '../support/given'
import { relation } from '../support/given-relationships'
import { openStreamSocket } from '../support/streaming'
import { settleLateWork } from '../support/test-app'

/** An edit is published only to subscribers who may still read the status. */
it.each([
  ['whom a follower unfollows', 'unfollow'],
  ['who removes a follower', 'remove_from_followers'],
  ['who blocks a follower', 'block'],
] as const)('a follower receives nothing more of an author %s', async (_, interaction) => {
  const [author, follower] = [await given.account(), await given.account()]
  await relation.follow(follower, author)
  const { id } = await given.status({ by: author, text: 'A wren', visibility: 'private' })
  const socket = await openStreamSocket(follower, { stream: 'user' })
  const [actor, target] = interaction === 'unfollow' ? [follower, author] : [author, follower]
  const { status } = await as(actor).post(`/api/v1/accounts/${target.id}/${interaction}`)
  expect(status).toBe(200)
  await settleLateWork()
  await as(author).put(`/api/v1/statuses/${id}`, { status: 'A robin' })
  await given.status({ by: author, text: 'A tit', visibility: 'private' })
  await settleLateWork()
  expect((await socket.rest()).filter(({ event }) => event !== 'notification')).toEqual([])
  socket.close()
})

it('a list receives nothing more of removed members, and nothing once it is deleted', async () => {
  const [owner, author, other] = [await given.account(), await given.account(), await given.account()]
  for (const one of [author, other]) await relation.follow(owner, one)
  const { body } = await as(owner).post('/api/v1/lists', { title: 'Birds' })
  const list = String(Object(body).id)
  await as(owner).post(`/api/v1/lists/${list}/accounts`, {
    account_ids: [String(author.id), String(other.id)],
  })
  const { id } = await given.status({ by: author, text: 'A wren' })
  await settleLateWork()
  const socket = await openStreamSocket(owner, { stream: 'list', list })
  await as(owner).delete(`/api/v1/lists/${list}/accounts`, { account_ids: [String(author.id)] })
  await settleLateWork()
  await as(author).put(`/api/v1/statuses/${id}`, { status: 'A robin' })
  await given.status({ by: author, text: 'A tit' })
  const kept = await given.status({ by: other, text: 'A finch' })
  await settleLateWork()
  expect((await socket.rest()).map(({ payload }) => Object(JSON.parse(payload ?? '')).id)).toEqual([kept.id])
  await as(owner).delete(`/api/v1/lists/${list}`)
  await given.status({ by: other, text: 'An owl' })
  await settleLateWork()
  expect(await socket.rest()).toEqual([])
  socket.close()
})
