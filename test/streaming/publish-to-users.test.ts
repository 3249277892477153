import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { as } from '../support/as'
import { addSubscriber, disconnectAll, FakeStreams } from '../support/fake-streams'
import { given, type TestAccount } from '../support/given'
import { announced, removeAnnounced } from '../support/given-announcement'
import { conversationsOf, direct } from '../support/given-direct'
import { givenFilter, idOf } from '../support/given-filter'
import { relation } from '../support/given-relationships'

const streams = new FakeStreams()

beforeEach(async () => {
  await disconnectAll()
  streams.forget()
})

async function here(...channels: string[]): Promise<TestAccount> {
  const person = await given.account()
  await addSubscriber(person, ...channels)
  return person
}

async function latestNotification(of: TestAccount) {
  const { body } = await as(of).get('/api/v1/notifications?limit=1')
  return z.array(z.unknown()).parse(body)[0]
}

describe('notifications', () => {
  it.each([
    ['favourite', (id: string) => `/api/v1/statuses/${id}/favourite`],
    ['reblog', (id: string) => `/api/v1/statuses/${id}/reblog`],
  ])('notifications of a %s are published as the API returns them', async (type, path) => {
    const author = await here('user', 'user:notification')
    const { id } = await given.status({ by: author })
    streams.forget()
    await as(await given.account()).post(path(id))
    const [event, ...rest] = (await streams.messagesTo(author)).filter(
      ({ event }) => event === 'notification',
    )
    expect(rest).toEqual([])
    expect(event).toMatchObject({ channels: ['user', 'user:notification'], body: { type } })
    expect(event?.body).toEqual(await latestNotification(author))
  })

  it('notifications of a follow and a mention reach each subscribed stream [T-734]', async () => {
    const [one, other] = [await here('user:notification'), await here('user')]
    const author = await given.account()
    await as(author).post(`/api/v1/accounts/${one.id}/follow`)
    await given.status({ by: author, text: `@${one.username} @${other.username}` })
    const glance = (events: readonly { readonly channels: readonly string[]; readonly body: unknown }[]) =>
      events.map(({ channels, body }) => [...channels, z.object({ type: z.string() }).parse(body).type])
    expect(glance(await streams.messagesTo(one))).toEqual([
      ['user:notification', 'follow'],
      ['user:notification', 'mention'],
    ])
    expect(glance(await streams.messagesTo(other))).toEqual([['user', 'mention']])
  })

  it('filtered notifications are not published, and `notifications_merged` is sent once they are accepted', async () => {
    const [person, stranger] = [await here('user', 'user:notification'), await given.account()]
    await as(person).patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    await given.status({ by: stranger, text: `@${person.username}` })
    expect(await streams.messagesTo(person)).toEqual([])
    const { body } = await as(person).get('/api/v1/notifications/requests')
    const [request] = z.array(z.object({ id: z.string() })).parse(body)
    await as(person).post(`/api/v1/notifications/requests/${request?.id}/accept`)
    expect(await streams.messagesTo(person)).toMatchObject([
      { event: 'notifications_merged', channels: ['user', 'user:notification'] },
    ])
  })

  it('notifications are published once for a repeated interaction', async () => {
    const author = await here('user:notification')
    const { id } = await given.status({ by: author })
    const fan = await given.account()
    for (let time = 0; time < 2; time += 1) await as(fan).post(`/api/v1/statuses/${id}/favourite`)
    expect(await streams.messagesTo(author)).toHaveLength(1)
  })
})

describe('conversations', () => {
  it('conversations are published to every participant, each with the others and their own unread state [T-735]', async () => {
    const [author, named] = [await here('direct'), await here('direct', 'user')]
    await relation.follow(named, author)
    const { id } = await direct(author, [named])
    for (const person of [author, named]) {
      const told = (await streams.messagesTo(person)).filter(({ event }) => event === 'conversation')
      expect(told).toMatchObject([{ channels: ['direct'], key: `conversation ${id}` }])
      expect(told.map(({ body }) => body)).toEqual(await conversationsOf(person))
    }
    expect((await streams.messagesTo(named)).map(({ event }) => event).toSorted()).toEqual([
      'conversation',
      'notification',
      'update',
    ])
  })

  it('conversations are published neither to non-participants, nor for posts that are not direct', async () => {
    const [author, stranger] = [await here('direct'), await here('direct')]
    await relation.follow(stranger, author)
    await given.status({ by: author })
    await direct(author, [await given.account()])
    expect(await streams.messagesTo(stranger)).toEqual([])
    expect(await streams.messagesTo(author)).toHaveLength(1)
  })
})

describe('filters', () => {
  it('a change of five keywords in one request is one event without payload, after the filter cache was cleared [T-736]', async () => {
    const person = await here('user')
    const filter = await givenFilter(person, { words: ['one', 'two', 'three'] })
    streams.forget()
    const { status } = await as(person).put(`/api/v2/filters/${filter.id}`, {
      title: 'birds',
      keywords_attributes: [
        ...filter.keywords.map(({ id }, index) => ({ id, keyword: `wren ${index}` })),
        { keyword: 'four' },
        { keyword: 'five' },
      ],
    })
    expect(status).toBe(200)
    expect(await streams.messagesTo(person)).toMatchObject([
      { event: 'filters_changed', payload: null, channels: ['user'] },
    ])
    expect(streams.calls.map(({ method }) => method)).toEqual(['clearRules', 'deliver'])
  })

  it('filters are published when a status joins one and when it leaves', async () => {
    const { id } = await given.status({ by: await given.account() })
    const person = await here('user')
    const filter = await givenFilter(person)
    streams.forget()
    const added = await as(person).post(`/api/v2/filters/${filter.id}/statuses`, { status_id: id })
    expect(await streams.messagesTo(person)).toMatchObject([{ event: 'filters_changed' }])
    streams.forget()
    await as(person).delete(`/api/v2/filters/statuses/${idOf(added.body)}`)
    expect(await streams.messagesTo(person)).toMatchObject([{ event: 'filters_changed' }])
  })

  it('failed changes of filters are not published', async () => {
    const person = await here('user')
    const filter = await givenFilter(person, { words: ['one'] })
    streams.forget()
    const refused = await as(person).put(`/api/v2/filters/${filter.id}`, {
      title: 'birds',
      keywords_attributes: [{ keyword: 'two' }, { id: '1', keyword: 'not theirs' }],
    })
    expect(refused.status).toBe(404)
    expect(await streams.messagesTo(person)).toEqual([])
    expect(streams.calls).toEqual([])
  })

  it('two changes of filters are two events', async () => {
    const person = await here('user')
    const { id } = await givenFilter(person, { words: ['one'] })
    streams.forget()
    for (const title of ['birds', 'more birds']) await as(person).put(`/api/v2/filters/${id}`, { title })
    expect(new Set((await streams.messagesTo(person)).map(({ key }) => key)).size).toBe(2)
  })
})

describe('announcements', () => {
  it('announcements, reactions and their end are published to all subscribers of home, as each reads them [T-737]', async () => {
    const [one, other, elsewhere] = [await here('user'), await here('user'), await here('direct')]
    const id = await announced('We will be away at noon.')
    for (const person of [one, other]) {
      const { body } = await as(person).get('/api/v1/announcements')
      const read = z.array(z.looseObject({ id: z.string() })).parse(body)
      const told = await streams.messagesTo(person)
      expect(told).toMatchObject([{ event: 'announcement', channels: ['user'] }])
      expect(told.map(({ body }) => body)).toEqual(read.filter((announcement) => announcement.id === id))
    }
    streams.forget()
    await as(one).put(`/api/v1/announcements/${id}/reactions/%F0%9F%90%A6`)
    await as(one).delete(`/api/v1/announcements/${id}/reactions/%F0%9F%90%A6`)
    await removeAnnounced(id)
    expect((await streams.messagesTo(other)).map(({ event, body }) => [event, body])).toEqual([
      ['announcement.reaction', { name: '🐦', count: 1, announcement_id: id }],
      ['announcement.reaction', { name: '🐦', count: 0, announcement_id: id }],
      ['announcement.delete', id],
    ])
    expect(await streams.messagesTo(elsewhere)).toEqual([])
  })
})
