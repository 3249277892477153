import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { addSubscriber, disconnectAll, FakeStreams } from '../support/fake-streams'
import { given, type TestAccount } from '../support/given'
import { storedListOfFollowed } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { clock } from '../support/test-app'

const streams = new FakeStreams()

beforeEach(async () => {
  await disconnectAll()
  streams.forget()
})

const Made = z.object({ id: z.string() })

/** The status as it is answered to somebody now. */
async function readBy(reader: TestAccount, id: string) {
  return (await as(reader).get(`/api/v1/statuses/${id}`)).body
}

/** Posts as a client does and returns the id of the answered entity. */
async function done(by: TestAccount, path: string, body: Readonly<Record<string, unknown>> = {}) {
  clock.advance(1_000)
  const answer = await as(by).post(path, body)
  expect(answer.status).toBe(200)
  return Made.parse(answer.body).id
}

const post = (by: TestAccount, body: Readonly<Record<string, unknown>>) => done(by, '/api/v1/statuses', body)

/** An author and a follower, both with open streams. */
async function pair(...channels: string[]): Promise<readonly [TestAccount, TestAccount]> {
  const [author, follower] = [await given.account(), await given.account()]
  await relation.follow(follower, author)
  for (const person of [author, follower]) await addSubscriber(person, 'user', ...channels)
  return [author, follower]
}

describe('a status on home streams', () => {
  it('a status is an update for followers and its author, as each of them reads it [T-731]', async () => {
    const [author, follower] = await pair()
    const stranger = await given.account()
    await addSubscriber(stranger, 'user')
    const id = await post(author, { status: 'A wren.', poll: { options: ['a', 'b'], expires_in: 3600 } })
    for (const person of [author, follower])
      expect(await streams.messagesTo(person)).toMatchObject([
        { event: 'update', channels: ['user'], body: await readBy(person, id) },
      ])
    expect(await streams.messagesTo(stranger)).toEqual([])
  })

  it('shows each viewer’s own state: interactions, votes, the quote’s state for them', async () => {
    const [author, follower] = await pair()
    const quoted = await given.status({ by: author, quotePolicy: 'public' })
    const id = await post(author, { status: 'Which?', quoted_status_id: quoted.id })
    for (const mark of ['favourite', 'bookmark', 'mute'])
      await as(follower).post(`/api/v1/statuses/${id}/${mark}`)
    await as(author).post(`/api/v1/statuses/${id}/pin`)
    await relation.mute(follower, author)
    streams.forget()
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'Which one?' })
    const told = await Promise.all([author, follower].map((person) => streams.messagesTo(person)))
    expect(told.map((events) => events.filter(({ event }) => event === 'status.update'))).toMatchObject([
      [{ channels: ['user'], body: await readBy(author, id) }],
      [{ channels: ['user'], body: await readBy(follower, id) }],
    ])
    const [mine, theirs] = [await readBy(author, id), await readBy(follower, id)]
    expect(mine).toMatchObject({ pinned: true, favourited: false, quote: { state: 'accepted' } })
    expect(theirs).toMatchObject({ favourited: true, bookmarked: true, muted: true })
  })

  it('a status has each viewer’s votes with an edit that keeps the poll [T-732]', async () => {
    const [author, follower] = await pair()
    const poll = { options: ['a', 'b'], expires_in: 3600 }
    const id = await post(author, { status: 'Which?', poll })
    const { poll: made } = z.object({ poll: Made }).parse(await readBy(follower, id))
    await as(follower).post(`/api/v1/polls/${made.id}/votes`, { choices: [1] })
    streams.forget()
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'Which one?', poll })
    const [event] = await streams.messagesTo(follower)
    expect(event).toMatchObject({
      event: 'status.update',
      body: { poll: { voted: true, own_votes: [1] } },
    })
  })

  it('nests the reblogged status, and is no update where the feed deduplicates it', async () => {
    const [author, sharer] = [await given.account(), await given.account()]
    const [reader, both] = [await given.account(), await given.account()]
    await relation.follow(reader, sharer)
    for (const one of [author, sharer]) await relation.follow(both, one)
    for (const person of [reader, both]) await addSubscriber(person, 'user')
    const id = await post(author, { status: 'A wren.' })
    streams.forget()
    const shared = await done(sharer, `/api/v1/statuses/${id}/reblog`)
    expect(await streams.messagesTo(reader)).toMatchObject([
      { event: 'update', body: { id: shared, reblog: { id, account: { id: String(author.id) } } } },
    ])
    expect((await streams.messagesTo(reader)).map(({ body }) => body)).toEqual([await readBy(reader, shared)])
    expect(await streams.messagesTo(both)).toEqual([])
    await done(sharer, `/api/v1/statuses/${id}/reblog`)
    expect(await streams.messagesTo(reader)).toHaveLength(1)
  })

  it('reaches followers of its hashtags, and once those who follow the author as well', async () => {
    const [author, follower] = await pair()
    const fan = await given.account()
    await addSubscriber(fan, 'user')
    for (const person of [follower, fan]) await as(person).post('/api/v1/tags/wrens/follow')
    const id = await post(author, { status: 'Look: #Wrens' })
    for (const person of [follower, fan])
      expect(await streams.messagesTo(person)).toMatchObject([{ event: 'update', body: { id } }])
  })

  it('a status is not published for replies to accounts the follower does not follow', async () => {
    const [author, follower] = await pair()
    const other = await given.account()
    const asked = await given.status({ by: other })
    streams.forget()
    await post(author, { status: 'Indeed.', in_reply_to_id: asked.id })
    expect(await streams.messagesTo(follower)).toEqual([])
    expect(await streams.messagesTo(author)).toHaveLength(1)
  })

  it('a status is published only to accounts that may see it, even with it in a feed', async () => {
    const [author, follower] = await pair()
    const id = await post(author, { status: 'For followers.', visibility: 'private' })
    expect(await streams.messagesTo(follower)).toMatchObject([{ event: 'update', body: { id } }])
    await relation.block(author, follower)
    streams.forget()
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'For other followers.' })
    expect((await streams.messagesTo(author)).map(({ event }) => event)).toEqual(['status.update'])
    expect(await streams.messagesTo(follower)).toEqual([])
  })
})

describe('a status on list streams', () => {
  it('a status is one update with all lists it is on', async () => {
    const [author, owner] = [await given.account(), await given.account()]
    const list = await storedListOfFollowed({ of: owner, members: [author] })
    const other = await storedListOfFollowed({ of: owner, members: [await given.account()] })
    await addSubscriber(owner, 'user', `list:${list}`, `list:${other}`)
    const id = await post(author, { status: 'A wren.' })
    const [event, ...rest] = await streams.messagesTo(owner)
    expect(rest).toEqual([])
    expect(event).toMatchObject({ event: 'update', body: await readBy(owner, id) })
    expect(event?.channels.toSorted()).toEqual([`list:${list}`, 'user'])
  })

  it.each([
    ['followed', 1],
    ['list', 0],
    ['none', 0],
  ] as const)('replies to followed accounts under the policy "%s": %i', async (repliesPolicy, count) => {
    const [author, followed, owner] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(owner, followed)
    const list = await storedListOfFollowed({ of: owner, members: [author], repliesPolicy })
    await addSubscriber(owner, `list:${list}`)
    const asked = await given.status({ by: followed })
    streams.forget()
    await post(author, { status: 'Indeed.', in_reply_to_id: asked.id })
    expect(await streams.messagesTo(owner)).toHaveLength(count)
  })

  it('an exclusive list hides its posts from the home stream', async () => {
    const [author, owner] = [await given.account(), await given.account()]
    const list = await storedListOfFollowed({ of: owner, members: [author], exclusive: true })
    await addSubscriber(owner, 'user', `list:${list}`)
    await post(author, { status: 'A wren.' })
    expect(await streams.messagesTo(owner)).toMatchObject([{ channels: [`list:${list}`] }])
  })
})

describe('the deletion of a status', () => {
  it('the deletion of a status is a delete with its id on every stream that had it, and for mentioned accounts [T-733]', async () => {
    const [author, follower] = await pair()
    const [named, stranger] = [await given.account(), await given.account()]
    for (const person of [named, stranger]) await addSubscriber(person, 'user')
    const id = await post(author, { status: `@${named.username} A wren.` })
    streams.forget()
    await as(author).delete(`/api/v1/statuses/${id}`)
    for (const person of [author, follower, named])
      expect(await streams.messagesTo(person)).toMatchObject([
        { event: 'delete', body: id, channels: ['user'] },
      ])
    expect(await streams.messagesTo(stranger)).toEqual([])
  })

  it('reaches accounts that received it as a reblog only', async () => {
    const [author, sharer, reader] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(reader, sharer)
    await addSubscriber(reader, 'user')
    const id = await post(author, { status: 'A wren.' })
    await done(sharer, `/api/v1/statuses/${id}/reblog`)
    streams.forget()
    await as(author).delete(`/api/v1/statuses/${id}`)
    expect(await streams.messagesTo(reader)).toMatchObject([{ event: 'delete', body: id }])
  })

  it('the deletion of a reblog is a delete of the reblog', async () => {
    const [sharer, follower] = await pair()
    const id = await post(await given.account(), { status: 'A wren.' })
    const shared = await done(sharer, `/api/v1/statuses/${id}/reblog`)
    streams.forget()
    await done(sharer, `/api/v1/statuses/${id}/unreblog`)
    expect(await streams.messagesTo(follower)).toMatchObject([{ event: 'delete', body: shared }])
  })

  it('a failed deletion is not published', async () => {
    const [author, follower] = await pair()
    const id = await post(author, { status: 'A wren.' })
    streams.forget()
    expect((await as(follower).delete(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await as(author).put(`/api/v1/statuses/${id}`, { status: '' })).status).toBe(422)
    expect(await streams.messagesTo(follower)).toEqual([])
  })
})
