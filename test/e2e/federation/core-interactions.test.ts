import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Account, CredentialAccount, Relationship } from '../../../src/contract/entities/account'
import { Poll } from '../../../src/contract/entities/status'
import { Context } from '../../../src/contract/entities/status-details'
import { Conversation } from '../../../src/contract/entities/timelines'
import { arrival, as, eventually, follows } from './support/api'
import type { Instance, Person } from './support/instance'
import { openWorld, type World } from './support/world'

let world: World
let a: Instance
let b: Instance

beforeAll(async () => {
  world = await openWorld('a', 'b')
  a = world.instance('a')
  b = world.instance('b')
})
afterAll(() => world?.close())

let made = 0
/** Two people who never met, one on each server. */
async function strangers(): Promise<{ alice: Person; bob: Person }> {
  made += 1
  const [alice, bob] = await Promise.all([a.member(`alice${made}`), b.member(`bob${made}`)])
  return { alice, bob }
}

/** Alice follows Bob. */
async function acquainted() {
  const { alice, bob } = await strangers()
  const bobAtA = await follows(alice, bob)
  const aliceAtB = (await as(bob).find(alice.handle)).id
  return { alice, bob, bobAtA, aliceAtB }
}

describe('finding and following', () => {
  it('finds an account by handle, with profile and page', async () => {
    const { alice, bob } = await strangers()
    const found = await as(alice).find(bob.handle)
    expect(found).toMatchObject({ acct: bob.handle, uri: bob.uri, url: `${b.origin}/@${bob.username}` })
  })

  it('follows an unlocked account: both sides store it, and the followed account is notified', async () => {
    const { alice, bob, aliceAtB } = await acquainted()
    const followers = await as(bob).followers(bob.id)
    expect(followers.map(({ acct }) => acct)).toEqual([alice.handle])
    const [event] = await as(bob).notifications()
    expect(event).toMatchObject({ type: 'follow', account: { id: aliceAtB } })
  })

  it('requests to follow a locked account, which accepts one and rejects one', async () => {
    const { alice, bob } = await strangers()
    const dora = await a.member(`dora${made}`)
    await as(bob).patch('/api/v1/accounts/update_credentials', CredentialAccount, { locked: true })
    const { id } = await as(alice).find(bob.handle)
    expect(await as(alice).follow(id)).toMatchObject({ requested: true, following: false })
    await as(dora).follow(id)
    const requests = await eventually(async () => {
      const all = await as(bob).get('/api/v1/follow_requests', Account.array())
      expect(all.map(({ acct }) => acct).toSorted()).toEqual([alice.handle, dora.handle])
      return all
    })
    for (const { id: asker, acct } of requests) {
      const verb = acct === alice.handle ? 'authorize' : 'reject'
      await as(bob).post(`/api/v1/follow_requests/${asker}/${verb}`, Relationship)
    }
    await eventually(async () => expect(await as(alice).relationship(id)).toMatchObject({ following: true }))
    await eventually(async () =>
      expect(await as(dora).relationship(id)).toMatchObject({ following: false, requested: false }),
    )
  })

  it('unfollows: the other side removes the follow, and nothing more arrives', async () => {
    const { alice, bob, bobAtA } = await acquainted()
    const second = await a.member(`other${made}`)
    await follows(second, bob)
    await as(alice).unfollow(bobAtA)
    await eventually(async () =>
      expect((await as(bob).followers(bob.id)).map(({ acct }) => acct)).toEqual([second.handle]),
    )
    const { uri } = await as(bob).write('After the farewell')
    await arrival(() => as(second).received(uri))
    expect(await as(alice).received(uri)).toBeNull()
  })
})

describe('posting', () => {
  it.each(['public', 'unlisted', 'private'] as const)(
    'delivers a %s post to followers unchanged',
    async (visibility) => {
      const { alice, bob } = await acquainted()
      const text = { spoiler_text: 'Birds', language: 'en', sensitive: true }
      const written = await as(bob).write('A wren & a <b>robin</b> in #Morning', { visibility, ...text })
      const came = await arrival(() => as(alice).received(written.uri))
      expect(came).toMatchObject({ visibility, ...text, url: written.url })
      expect(came.created_at).toBe(written.created_at)
      expect(came.content).toContain('A wren &amp; a &lt;b&gt;robin&lt;/b&gt;')
      expect(came.tags).toMatchObject([{ name: 'morning' }])
    },
  )

  it('shows a private post to followers only', async () => {
    const { alice, bob, bobAtA } = await acquainted()
    const stranger = await a.member(`stranger${made}`)
    const written = await as(bob).write('Only for you', { visibility: 'private' })
    const came = await arrival(() => as(alice).received(written.uri))
    expect(await as(stranger).outcome(`/api/v1/statuses/${came.id}`)).toBe(404)
    expect(await as(stranger).statusesOf(bobAtA)).toEqual([])
    const document = await b.fetch(new URL(written.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect(document.status).toBe(404)
  })

  it('delivers a direct post to its recipients only, followers or not', async () => {
    const { alice, bob } = await strangers()
    const other = await a.member(`other${made}`)
    await as(other).find(bob.handle)
    const written = await as(bob).write(`@${alice.handle} only you`, { visibility: 'direct' })
    const event = await arrival(async () =>
      (await as(alice).notifications()).find(({ type }) => type === 'mention'),
    )
    expect(event.status).toMatchObject({ uri: written.uri, visibility: 'direct' })
    expect(event.filtered).toBe(true)
    expect(event.status?.mentions.map(({ acct }) => acct)).toEqual([alice.username])
    expect(await as(other).outcome(`/api/v1/statuses/${event.status?.id}`)).toBe(404)
  })
})

describe('a thread between two servers', () => {
  it('a thread between two servers keeps one conversation of direct posts on each side', async () => {
    const { alice, bob } = await strangers()
    const conversationsOf = (person: Person) => as(person).get('/api/v1/conversations', Conversation.array())
    await as(alice).find(bob.handle)
    await as(alice).write(`@${bob.handle} psst`, { visibility: 'direct' })
    const came = await arrival(async () => (await conversationsOf(bob))[0])
    expect(came).toMatchObject({ unread: true, accounts: [{ acct: alice.handle }] })
    const more = { visibility: 'direct', in_reply_to_id: came.last_status?.id }
    const answer = await as(bob).write(`@${alice.handle} what?`, more)
    await eventually(async () => {
      const found = await conversationsOf(alice)
      const accounts = [{ acct: bob.handle }]
      expect(found).toMatchObject([{ unread: true, accounts, last_status: { uri: answer.uri } }])
    })
    await as(bob).erase(answer.id)
    await eventually(async () => {
      const [found, ...others] = await conversationsOf(alice)
      expect(found?.last_status?.content).toContain('psst')
      expect(others).toEqual([])
    })
  })

  it('replies: the author is notified, and both sides show one thread', async () => {
    const { alice, bob } = await acquainted()
    const written = await as(bob).write('Who sings there?')
    const came = await arrival(() => as(alice).received(written.uri))
    const answer = await as(alice).write(`@${bob.handle} A wren.`, { in_reply_to_id: came.id })
    const event = await arrival(async () =>
      (await as(bob).notifications()).find(({ type }) => type === 'mention'),
    )
    expect(event.status).toMatchObject({ uri: answer.uri, in_reply_to_id: written.id })
    const thread = await as(bob).get(`/api/v1/statuses/${written.id}/context`, Context)
    expect(thread.descendants.map(({ uri }) => uri)).toEqual([answer.uri])
    expect(await as(bob).status(written.id)).toMatchObject({ replies_count: 1 })
  })

  it('favourites and reblogs, and undoes both', async () => {
    const { alice, bob, aliceAtB } = await acquainted()
    const written = await as(bob).write('A rare one')
    const { id } = await arrival(() => as(alice).received(written.uri))
    await as(alice).act(id, 'favourite')
    await as(alice).act(id, 'reblog')
    await eventually(async () =>
      expect(await as(bob).status(written.id)).toMatchObject({ favourites_count: 1, reblogs_count: 1 }),
    )
    const event = await as(bob).notifications()
    const told = event.map(({ type, account }) => `${type} ${account.id}`)
    expect(told.toSorted()).toEqual([`favourite ${aliceAtB}`, `follow ${aliceAtB}`, `reblog ${aliceAtB}`])
    await as(alice).act(id, 'unfavourite')
    await as(alice).act(id, 'unreblog')
    await eventually(async () =>
      expect(await as(bob).status(written.id)).toMatchObject({ favourites_count: 0, reblogs_count: 0 }),
    )
  })

  it('delivers a reblog of a local account to followers there', async () => {
    const { alice, bob } = await acquainted()
    const author = await b.member(`author${made}`)
    const written = await as(author).write('Seen by few')
    const reblog = await as(bob).act(written.id, 'reblog')
    const came = await arrival(() => as(alice).received(reblog.uri))
    expect(came).toMatchObject({ account: { acct: bob.handle }, reblog: { uri: written.uri } })
  })

  it('votes from the other server, and receives the tally', async () => {
    const { alice, bob } = await acquainted()
    const poll = { options: ['Wren', 'Robin'], expires_in: 3600, multiple: false }
    const written = await as(bob).write('Which one?', { poll })
    const came = await arrival(() => as(alice).received(written.uri))
    expect(came.poll?.options.map(({ title }) => title)).toEqual(['Wren', 'Robin'])
    await as(alice).post(`/api/v1/polls/${came.poll?.id}/votes`, Poll, { choices: [1] })
    await eventually(async () => {
      const { poll: counted } = await as(bob).status(written.id)
      expect(counted).toMatchObject({
        votes_count: 1,
        voters_count: 1,
        options: [{ votes_count: 0 }, { votes_count: 1 }],
      })
    })
    const second = await b.member(`voter${made}`)
    const { poll: ours } = await as(second).status(written.id)
    await as(second).post(`/api/v1/polls/${ours?.id}/votes`, Poll, { choices: [0] })
    await eventually(async () =>
      expect((await as(alice).status(came.id)).poll).toMatchObject({
        votes_count: 2,
        voted: true,
        own_votes: [1],
      }),
    )
    expect(await as(bob).statusesOf(bob.id)).toHaveLength(1)
  })

  it('deletes on both servers', async () => {
    const { alice, bob } = await acquainted()
    const written = await as(bob).write('Not for long')
    const came = await arrival(() => as(alice).received(written.uri))
    await as(bob).erase(written.id)
    await eventually(async () => expect(await as(alice).outcome(`/api/v1/statuses/${came.id}`)).toBe(404))
    const document = await b.fetch(new URL(written.uri).pathname, {
      headers: { accept: 'application/activity+json' },
    })
    expect(document.status).toBe(410)
  })
})

describe('profiles and blocks', () => {
  it('delivers profile changes to followers', async () => {
    const { alice, bob, bobAtA } = await acquainted()
    const changes = {
      display_name: 'Bob of the Hedge',
      note: 'Counts wrens',
      fields_attributes: [{ name: 'Bird', value: 'Wren' }],
    }
    await as(bob).patch('/api/v1/accounts/update_credentials', CredentialAccount, changes)
    await eventually(async () => {
      const shown = await as(alice).get(`/api/v1/accounts/${bobAtA}`, Account)
      expect(shown).toMatchObject({ display_name: 'Bob of the Hedge', fields: [{ name: 'Bird' }] })
      expect(shown.note).toContain('Counts wrens')
    })
  })

  it('ends both follows with a block, and refuses everything after it', async () => {
    const { alice, bob, bobAtA, aliceAtB } = await acquainted()
    await follows(bob, alice)
    await as(bob).block(aliceAtB)
    await eventually(async () =>
      expect(await as(alice).relationship(bobAtA)).toMatchObject({
        following: false,
        followed_by: false,
        blocked_by: true,
      }),
    )
    await as(alice).write(`@${bob.handle} still there?`)
    const witness = await b.member(`witness${made}`)
    await as(alice).write(`@${witness.handle} are you there?`)
    await arrival(async () => (await as(witness).notifications()).find(({ type }) => type === 'mention'))
    expect((await as(bob).notifications()).filter(({ type }) => type === 'mention')).toEqual([])
    await as(bob).unblock(aliceAtB)
    await eventually(async () =>
      expect(await as(alice).relationship(bobAtA)).toMatchObject({ blocked_by: false }),
    )
  })
})

it('logs no errors on either server', () => {
  expect([...a.complaints(), ...b.complaints()]).toEqual([])
})
