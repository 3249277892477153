import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { execute } from '../../../src/db/query'
import { accounts, users } from '../../../src/db/schema'
import { subscribersOfEvent } from '../../../src/domain/streams/find-audience'
import type { LiveEvent } from '../../../src/messages/live'
import { addActiveTopics, addSubscriber, FakeStreams } from '../../support/fake-streams'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { storedNotification } from '../../support/given-stored'
import { planOf, recordingDb } from '../../support/recording-db'
import { clock, context } from '../../support/test-app'

// Fake streams: a real connection object would report that nobody is connected and remove the presence.
new FakeStreams()

/** The channels on which `person` hears of it; null: the shared ones. */
async function channelsOf(event: LiveEvent, person: TestAccount | null) {
  const found = await execute(context().db, subscribersOfEvent(context(), event))
  const own = found.filter(({ accountId }) => accountId === (person?.id ?? null))
  return own.map(({ channel }) => channel).toSorted()
}

const posted = ({ id }: { readonly id: string }) => ({ kind: 'status.posted', statusId: Number(id) }) as const

describe('a status', () => {
  it('publishes a status to connected users whose home has it', async () => {
    const [author, follower, stranger] = [await given.account(), await given.account(), await given.account()]
    await relation.follow(follower, author)
    await Promise.all([
      addSubscriber(author, 'user'),
      addSubscriber(follower, 'user', 'user:notification', 'direct', 'list:1'),
      addSubscriber(stranger, 'user'),
    ])
    const event = posted(await given.status({ by: author }))
    expect(await channelsOf(event, author)).toEqual(['user'])
    expect(await channelsOf(event, follower)).toEqual(['user'])
    expect(await channelsOf(event, stranger)).toEqual([])
  })

  it.each([
    ['locked out', { disabledAt: clock.now() }],
    ['not confirmed', { confirmedAt: null }],
    ['not let in yet', { approved: false }],
  ])('does not publish to a user who is %s', async (_, state) => {
    const author = await given.account()
    await addSubscriber(author, 'user')
    const event = posted(await given.status({ by: author }))
    expect(await channelsOf(event, author)).toEqual(['user'])
    await context().db.update(users).set(state).where(eq(users.accountId, author.id))
    expect(await channelsOf(event, author)).toEqual([])
  })

  it('does not publish to a suspended user', async () => {
    const [author, follower] = [await given.account(), await given.account()]
    await relation.follow(follower, author)
    await addSubscriber(follower, 'user')
    const event = posted(await given.status({ by: author }))
    expect(await channelsOf(event, follower)).toEqual(['user'])
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, follower.id))
    expect(await channelsOf(event, follower)).toEqual([])
  })

  it('publishes to the shared streams of its kind that have subscribers', async () => {
    const author = await given.account()
    const tag = freshName('tag')
    await addActiveTopics(
      'public',
      'public:local',
      'public:remote',
      'public:media',
      `hashtag:${tag}`,
      'hashtag:another',
    )
    const event = posted(await given.status({ by: author, text: `#${tag}` }))
    expect(await channelsOf(event, null)).toEqual([`hashtag:${tag}`, 'public', 'public:local'])
    const hidden = posted(await given.status({ by: author, text: `#${tag}`, visibility: 'unlisted' }))
    expect(await channelsOf(hidden, null)).toEqual([])
  })

  it('publishes a reply to another account to hashtag streams only', async () => {
    const [author, other] = [await given.account(), await given.account()]
    const tag = freshName('tag')
    await addActiveTopics('public', `hashtag:${tag}`, `hashtag:local:${tag}`)
    const inReplyTo = await given.status({ by: other })
    const event = posted(await given.status({ by: author, text: `#${tag}`, inReplyTo }))
    expect(await channelsOf(event, null)).toEqual([`hashtag:local:${tag}`, `hashtag:${tag}`])
  })

  it('publishes a status of a limited account to no shared stream', async () => {
    const author = await given.account({ silencedAt: clock.now() })
    await addActiveTopics('public')
    expect(await channelsOf(posted(await given.status({ by: author })), null)).toEqual([])
  })
})

it('finds shared streams by their names, however many there are', async () => {
  const { db, asked } = recordingDb()
  await execute(db, subscribersOfEvent({ ...context(), db }, { kind: 'status.posted', statusId: 1 }))
  const plan = (await Promise.all(asked.map(planOf))).flat()
  const topics = plan.filter((step) => step.includes(' topic'))
  expect(topics).toHaveLength(2)
  expect(topics.filter((step) => !step.startsWith('SEARCH topic USING PRIMARY KEY'))).toEqual([])
})

describe('a notification', () => {
  it('publishes a notification to its recipient, unless their policy filters it', async () => {
    const recipient = await given.account()
    await addSubscriber(recipient, 'user', 'user:notification', 'direct')
    const made = async (filtered: boolean) => {
      const { id: fromAccountId } = await given.account()
      const id = await storedNotification({
        accountId: recipient.id,
        fromAccountId,
        type: 'follow',
        filtered,
      })
      return { kind: 'notifications.made', ids: [id] } as const
    }
    expect(await channelsOf(await made(false), recipient)).toEqual(['user', 'user:notification'])
    expect(await channelsOf(await made(true), recipient)).toEqual([])
  })
})

describe('events of an account', () => {
  it('publishes events of an account to all its connections, whatever they subscribe to', async () => {
    const [present, absent] = [await given.account(), await given.account()]
    await addSubscriber(present)
    const changed = ({ id }: TestAccount) => ({ kind: 'rules.changed', accountId: id }) as const
    expect(await channelsOf(changed(present), present)).toEqual([''])
    expect(await channelsOf(changed(absent), absent)).toEqual([])
  })
})
