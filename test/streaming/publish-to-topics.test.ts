import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { normaliseHashtag } from '../../src/contract/text/hashtag'
import { accounts } from '../../src/db/schema'
import { anonymous, as } from '../support/as'
import { addActiveTopics, disconnectAll, FakeStreams } from '../support/fake-streams'
import { freshName, given, type TestAccount } from '../support/given'
import { uploaded } from '../support/given-media'
import { followed } from '../support/given-remote'
import { clock, context } from '../support/test-app'

const board = new FakeStreams()

const streams = ['public', 'public:local', 'public:remote'].flatMap((name) => [name, `${name}:media`])

beforeEach(async () => {
  await disconnectAll()
  await addActiveTopics(...streams)
  board.forget()
})

const Made = z.object({ id: z.string() })

async function post(by: TestAccount, body: Readonly<Record<string, unknown>>): Promise<string> {
  clock.advance(1_000)
  return Made.parse((await as(by).post('/api/v1/statuses', body)).body).id
}

/** The streams among `names` on which something came, with the ids of statuses it is about. */
async function receivedOn(names: readonly string[]) {
  const heard = await Promise.all(
    names.map(async (name) => {
      const events = await board.messagesOn(name)
      return events.map(({ event, body }) => [
        name,
        event,
        typeof body === 'string' ? body : Made.parse(body).id,
      ])
    }),
  )
  return heard.flat()
}

describe('shared streams', () => {
  it('shared streams have public statuses as anonymous visitors read them', async () => {
    const id = await post(await given.account(), { status: 'A wren.' })
    expect(await receivedOn(streams)).toEqual([
      ['public', 'update', id],
      ['public:local', 'update', id],
    ])
    const [event] = await board.messagesOn('public')
    expect(event?.body).toEqual((await anonymous.get(`/api/v1/statuses/${id}`)).body)
    expect(event?.channels).toEqual(['public'])
  })

  it('shared streams have statuses with media on separate streams', async () => {
    const author = await given.account()
    const { id: upload } = await uploaded(author, 'rgb.png')
    const id = await post(author, { status: 'A wren.', media_ids: [upload] })
    const expected = ['public', 'public:local', 'public:local:media', 'public:media']
    expect(await receivedOn(streams.toSorted())).toEqual(expected.map((name) => [name, 'update', id]))
  })

  it('shared streams have remote statuses on the remote streams', async () => {
    const peer = await given.peer()
    await followed(await given.account(), peer)
    await peer.send(peer.create(peer.note()))
    expect((await receivedOn(streams)).map(([name]) => name)).toEqual(['public', 'public:remote'])
  })

  it('shared streams have no reblogs, no replies to others, and nothing that is not public', async () => {
    const [author, other] = [await given.account(), await given.account()]
    const id = await post(other, { status: 'A wren.' })
    board.forget()
    await as(author).post(`/api/v1/statuses/${id}/reblog`)
    await post(author, { status: 'Indeed.', in_reply_to_id: id })
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post(author, { status: `@${other.username} psst`, visibility })
    expect(await receivedOn(streams)).toEqual([])
  })

  it('shared streams have replies to oneself', async () => {
    const author = await given.account()
    const first = await post(author, { status: 'A wren.' })
    board.forget()
    const second = await post(author, { status: 'And another.', in_reply_to_id: first })
    expect(await receivedOn(['public'])).toEqual([['public', 'update', second]])
  })

  it('shared streams have no statuses of accounts that moderators limited', async () => {
    const author = await given.account()
    await context().db.update(accounts).set({ silencedAt: clock.now() }).where(eq(accounts.id, author.id))
    await post(author, { status: 'A wren.' })
    expect(await receivedOn(streams)).toEqual([])
  })

  it('shared streams have local-only statuses, because all subscribers are local', async () => {
    const id = await post(await given.account(), { status: 'A wren.', local_only: true })
    expect((await receivedOn(['public:local'])).map(([, , heard]) => heard)).toEqual([id])
    expect((await anonymous.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  it('shared streams have edits and deletions', async () => {
    const author = await given.account()
    const id = await post(author, { status: 'A wren.' })
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'Two wrens.' })
    await as(author).delete(`/api/v1/statuses/${id}`)
    expect((await receivedOn(['public:local'])).map(([, event]) => event)).toEqual([
      'update',
      'status.update',
      'delete',
    ])
  })

  it('shared streams cost nothing without subscribers', async () => {
    await disconnectAll()
    await post(await given.account(), { status: 'A wren.' })
    expect(await board.callsOf('spread')).toEqual([])
  })
})

describe('hashtag streams', () => {
  it('hashtag streams have statuses with the hashtag in any spelling', async () => {
    const written = freshName('étés')
    const tag = normaliseHashtag(written)
    await addActiveTopics(`hashtag:${tag}`, `hashtag:local:${tag}`, 'hashtag:others')
    const text = `Look: #${written.toUpperCase()}, #${written} and #${tag}`
    const id = await post(await given.account(), { status: text })
    expect(await receivedOn([`hashtag:${tag}`, `hashtag:local:${tag}`, 'hashtag:others'])).toEqual([
      [`hashtag:${tag}`, 'update', id],
      [`hashtag:local:${tag}`, 'update', id],
    ])
  })

  it('hashtag streams have replies to others, like their timelines, and no remote ones on the local stream', async () => {
    const tag = freshName('tag')
    await addActiveTopics(`hashtag:${tag}`, `hashtag:local:${tag}`)
    const asked = await post(await given.account(), { status: 'A wren.' })
    const answer = await post(await given.account(), { status: `#${tag}`, in_reply_to_id: asked })
    const peer = await given.peer()
    await followed(await given.account(), peer)
    await peer.send(peer.create(peer.note({ hashtags: [tag] })))
    expect((await board.messagesOn(`hashtag:${tag}`)).length).toBe(2)
    expect(await receivedOn([`hashtag:local:${tag}`])).toEqual([[`hashtag:local:${tag}`, 'update', answer]])
  })

  it('hashtag streams have nothing that is not public', async () => {
    const tag = freshName('tag')
    await addActiveTopics(`hashtag:${tag}`)
    await post(await given.account(), { status: `#${tag}`, visibility: 'unlisted' })
    expect(await board.messagesOn(`hashtag:${tag}`)).toEqual([])
  })
})
