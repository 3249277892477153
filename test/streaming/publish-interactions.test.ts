import { beforeEach, describe, expect, it } from 'vitest'
import { deleteOwnAccount } from '../../src/domain/accounts/delete-own'
import { cleanUpStatuses } from '../../src/domain/cleanup/clean-up'
import { defaultCleanup, saveCleanup } from '../../src/domain/cleanup/cleanup-policy'
import { publishScheduled } from '../../src/domain/statuses/scheduled/schedule'
import { as } from '../support/as'
import { fakeQueue } from '../support/fake-queue'
import { addSubscriber, disconnectAll, FakeStreams } from '../support/fake-streams'
import { given, type TestAccount } from '../support/given'
import { relation } from '../support/given-relationships'
import { scheduledStatus } from '../support/given-scheduled'
import { clock, context } from '../support/test-app'

const streams = new FakeStreams()
const week = 7 * 86_400_000

beforeEach(async () => {
  await disconnectAll()
  streams.forget()
})

async function pair(): Promise<readonly [TestAccount, TestAccount]> {
  const [author, follower] = [await given.account(), await given.account()]
  await relation.follow(follower, author)
  await addSubscriber(follower, 'user')
  return [author, follower]
}

async function eventsOf(person: TestAccount) {
  return (await streams.messagesTo(person)).map(({ event }) => event)
}

describe('changes of a status are published', () => {
  it('publishes when a scheduled status is posted', async () => {
    const [author, follower] = await pair()
    await scheduledStatus(author, { at: clock.now(), text: 'Now.' })
    await publishScheduled(context())
    expect(await streams.messagesTo(follower)).toMatchObject([
      { event: 'update', body: { content: '<p>Now.</p>', account: { id: String(author.id) } } },
    ])
  })

  it('publishes the deletion of an old status by the clean-up', async () => {
    const [author, follower] = await pair()
    const { id } = await given.status({ by: author })
    clock.advance(2 * week)
    const policy = { ...defaultCleanup, enabled: true, minAgeSeconds: week / 1000 }
    await saveCleanup(context(), author.id, policy)
    for (let run = 0; run < 3; run += 1) await cleanUpStatuses(context())
    expect((await streams.messagesTo(follower)).map(({ event, body }) => [event, body])).toContainEqual([
      'delete',
      id,
    ])
  })

  it('publishes the deletion when its author is deleted', async () => {
    const [author, follower] = await pair()
    const { id } = await given.status({ by: author })
    const { ctx, work } = fakeQueue()
    await deleteOwnAccount(ctx, author.id)
    await work()
    expect((await streams.messagesTo(follower)).map(({ event, body }) => [event, body])).toContainEqual([
      'delete',
      id,
    ])
  })

  it('publishes nothing for a new quote policy except to its own page', async () => {
    const [author, follower] = await pair()
    const { id } = await given.status({ by: author, quotePolicy: 'nobody' })
    await as(author).put(`/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: 'public' })
    const [, changed] = await streams.messagesTo(follower)
    expect(changed).toMatchObject({
      event: 'status.update',
      body: { edited_at: null, quote_approval: { automatic: ['public'] } },
    })
  })

  it('publishes when its quote is revoked', async () => {
    const [author, follower] = await pair()
    const quoted = await given.account()
    const original = await given.status({ by: quoted, quotePolicy: 'public' })
    const { id } = await given.status({ by: author, quotedId: Number(original.id) })
    await as(quoted).post(`/api/v1/statuses/${original.id}/quotes/${id}/revoke`)
    const [, changed] = await streams.messagesTo(follower)
    expect(changed).toMatchObject({ event: 'status.update', body: { id, quote: { state: 'revoked' } } })
  })

  it('publishes nothing to others for interactions and votes', async () => {
    const [author, follower] = await pair()
    const { id } = await given.status({ by: author })
    for (const mark of ['favourite', 'bookmark']) await as(follower).post(`/api/v1/statuses/${id}/${mark}`)
    expect(await eventsOf(follower)).toEqual(['update'])
  })

  it('publishes nothing for a repeated change', async () => {
    const [author, follower] = await pair()
    const { id } = await given.status({ by: author, text: 'A wren.' })
    await as(author).put(`/api/v1/statuses/${id}`, { status: 'A wren.' })
    expect(await eventsOf(follower)).toEqual(['update'])
  })
})
