import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  accountDomainBlocks,
  accounts,
  blocks,
  follows,
  markers,
  mutes,
  statusMentions,
} from '../../../src/db/schema'
import { as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { given, type TestAccount } from '../../support/given'
import { storedNotification, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const list = async (viewer: TestAccount, query = '') =>
  idsOf(await as(viewer).get(`/api/v1/notifications${query}`))

/** Types that a person causes, with statuses or without; the other types have a file of their own. */
const interactions = [
  'mention',
  'status',
  'reblog',
  'follow',
  'follow_request',
  'favourite',
  'poll',
  'update',
  'quote',
  'quoted_update',
] as const

/** Types about the viewer's own statuses. */
const ownInteractions: ReadonlySet<string> = new Set(['favourite', 'reblog'])

/** Makes a notification of each type by `sender`; returns them newest first, with the status of each. */
async function oneOfEach(alice: TestAccount, sender: { readonly id: number }) {
  const own = await storedStatus({ accountId: alice.id })
  const theirs = await storedStatus({ accountId: sender.id })
  const made: { id: string; type: string; statusId: number | null }[] = []
  for (const type of interactions) {
    const statusId = type.startsWith('follow') ? null : ownInteractions.has(type) ? own : theirs
    const id = await storedNotification({ accountId: alice.id, type, fromAccountId: sender.id, statusId })
    made.unshift({ id: String(id), type, statusId })
  }
  return made
}

const pairing = (viewer: { readonly id: number }, target: { readonly id: number }) => ({
  id: context().ids.next(),
  accountId: viewer.id,
  targetAccountId: target.id,
  createdAt: clock.now(),
})

describe('GET notifications', () => {
  it('lists every type newest first, with the status where there is one [T-403]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const made = await oneOfEach(alice, bob)
    const answer = await as(alice).get('/api/v1/notifications')
    expect(answer.body).toMatchObject(
      made.map(({ id, type, statusId }) => ({
        id,
        type,
        group_key: `ungrouped-${id}`,
        account: { id: String(bob.id) },
        ...(statusId === null ? {} : { status: { id: String(statusId) } }),
      })),
    )
    const withStatus = JSON.stringify(answer.body).match(/"status":/g) ?? []
    expect(withStatus).toHaveLength(8)
  })

  it('returns the stored group key', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const statusId = await storedStatus({ accountId: alice.id })
    const row = { accountId: alice.id, type: 'favourite', fromAccountId: bob.id, statusId } as const
    await storedNotification({ ...row, groupKey: 'favourite-1-2' })
    const answer = await as(alice).get('/api/v1/notifications')
    expect(answer.body).toMatchObject([{ group_key: 'favourite-1-2' }])
  })

  it('filters by types[], exclude_types[] and account_id, and an unknown account has none [T-404]', async () => {
    const [alice, bob, carol] = [await given.account(), await given.account(), await given.account()]
    const made = await oneOfEach(alice, bob)
    const byCarol = await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: carol.id })
    const idsOfTypes = (...types: string[]) =>
      made.filter(({ type }) => types.includes(type)).map(({ id }) => id)
    expect(await list(alice, '?types[]=mention&types[]=poll')).toEqual(idsOfTypes('mention', 'poll'))
    expect(await list(alice, '?types[]=mention&types[]=nonsense')).toEqual(idsOfTypes('mention'))
    expect(await list(alice, '?types[]=nonsense')).toEqual([])
    expect(await list(alice, '?exclude_types[]=follow')).toEqual(
      made.filter(({ type }) => type !== 'follow').map(({ id }) => id),
    )
    expect(await list(alice, '?types[]=follow&types[]=poll&exclude_types[]=follow')).toEqual(
      idsOfTypes('poll'),
    )
    expect(await list(alice, `?account_id=${carol.id}`)).toEqual([String(byCarol)])
    expect(await list(alice, `?account_id=${carol.id}&types[]=mention`)).toEqual([])
    expect(await list(alice, '?account_id=1')).toEqual([])
    expect(await list(alice, '?account_id=abc')).toEqual([])
  })

  it('leaves out senders that are blocked, muted with notifications, domain-blocked or suspended [T-405]', async () => {
    const alice = await given.account()
    const [blocked, muted, quiet, gone] = [
      await given.account(),
      await given.account(),
      await given.account(),
      await given.account(),
    ]
    const far = await given.remoteAccount({ domain: 'loud.test' })
    const { db } = context()
    await db.insert(blocks).values(pairing(alice, blocked))
    await db
      .insert(mutes)
      .values([pairing(alice, muted), { ...pairing(alice, quiet), hideNotifications: false }])
    await db.insert(accountDomainBlocks).values({ accountId: alice.id, domain: far.domain, id: 1 })
    await db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, gone.id))
    const made = new Map<number, number>()
    for (const { id } of [blocked, muted, quiet, gone, far])
      made.set(id, await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: id }))
    const shown = String(made.get(quiet.id))
    expect(await list(alice)).toEqual([shown])
    expect((await as(alice).get(`/api/v1/notifications/${made.get(blocked.id)}`)).status).toBe(404)
    expect((await as(alice).get('/api/v1/notifications/unread_count')).body).toEqual({ count: 1 })
  })

  it('leaves out notifications about a status its viewer may no longer see', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { db } = context()
    await db.insert(follows).values(pairing(alice, bob))
    const statusId = await storedStatus({ accountId: bob.id, visibility: 'private' })
    const row = { accountId: alice.id, type: 'status', fromAccountId: bob.id, statusId } as const
    const id = String(await storedNotification(row))
    expect(await list(alice)).toEqual([id])
    await db.delete(follows).where(eq(follows.accountId, alice.id))
    expect(await list(alice)).toEqual([])
    expect((await as(alice).get(`/api/v1/notifications/${id}`)).status).toBe(404)
    await db.insert(statusMentions).values({ statusId, accountId: alice.id })
    expect(await list(alice)).toEqual([id])
    await db.insert(blocks).values(pairing(bob, alice))
    expect(await list(alice)).toEqual([])
  })

  it('returns 40 by default and 80 at most, with both Links on every page that is not empty [T-406]', async () => {
    const alice = await given.account()
    const made: string[] = []
    for (let index = 0; index < 85; index += 1) {
      const { id } = await given.remoteAccount()
      made.unshift(
        String(await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: id })),
      )
    }
    expect(await list(alice)).toEqual(made.slice(0, 40))
    expect(await list(alice, '?limit=500')).toEqual(made.slice(0, 80))
    const last = await as(alice).get(`/api/v1/notifications?limit=80&types[]=follow&max_id=${made[79]}`)
    expect(idsOf(last)).toEqual(made.slice(80))
    const kept = '/api/v1/notifications?limit=80&types%5B%5D=follow'
    expect(last.links).toEqual({ next: `${kept}&max_id=${made[84]}`, prev: `${kept}&min_id=${made[80]}` })
    const behind = await as(alice).get(last.links.next ?? '')
    expect(behind).toMatchObject({ body: [], links: {} })
    expect(await list(alice, `?limit=5&min_id=${made[20]}`)).toEqual(made.slice(15, 20))
    expect(await list(alice, `?limit=5&since_id=${made[20]}`)).toEqual(made.slice(0, 5))
  })

  it('costs one round trip, and 430 rows for a realistic page', async () => {
    const alice = await given.account()
    const people: { readonly id: number }[] = []
    for (let index = 0; index < 12; index += 1) people.push(await given.remoteAccount())
    const own: number[] = []
    for (let index = 0; index < 6; index += 1) own.push(await storedStatus({ accountId: alice.id }))
    for (let index = 0; index < 60; index += 1) {
      const from = people[index % 12]?.id ?? 0
      const row = { accountId: alice.id, fromAccountId: from }
      if (index % 5 === 0) {
        const statusId = await storedStatus({ accountId: from, local: false })
        await storedNotification({ ...row, type: 'mention', statusId })
      } else {
        const statusId = own[Math.floor(index / 12)] ?? null
        await storedNotification({ ...row, type: index % 5 === 1 ? 'reblog' : 'favourite', statusId })
      }
    }
    const answer = await as(alice).get('/api/v1/notifications')
    expect(idsOf(answer)).toHaveLength(40)
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.costs.statements).toBeLessThanOrEqual(24)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(430)
  })
})

describe('a single notification', () => {
  it('a single notification is shown to its owner, and answers 404 for another account’s and unknown ones [T-407]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const id = await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: bob.id })
    const answer = await as(alice).get(`/api/v1/notifications/${id}`)
    expect(answer).toMatchObject({ status: 200, body: { id: String(id), type: 'follow' } })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    for (const [viewer, path] of [
      [bob, id],
      [alice, id + 1],
      [alice, 'abc'],
    ] as const)
      expect(await as(viewer).get(`/api/v1/notifications/${path}`)).toMatchObject({
        status: 404,
        body: { error: 'Record not found' },
      })
  })

  it('a single notification is dismissed by its owner only; clear empties the list of the viewer alone [T-408]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const [first, second] = [
      await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: bob.id }),
      await storedNotification({ accountId: alice.id, type: 'follow_request', fromAccountId: bob.id }),
    ]
    const other = await storedNotification({ accountId: bob.id, type: 'follow', fromAccountId: alice.id })
    expect((await as(bob).post(`/api/v1/notifications/${first}/dismiss`)).status).toBe(404)
    const dismissed = await as(alice).post(`/api/v1/notifications/${first}/dismiss`)
    expect(dismissed).toMatchObject({ status: 200, body: {} })
    expect(await list(alice)).toEqual([String(second)])
    expect((await as(alice).post(`/api/v1/notifications/${first}/dismiss`)).status).toBe(404)
    expect(await as(alice).post('/api/v1/notifications/clear')).toMatchObject({ status: 200, body: {} })
    expect(await list(alice)).toEqual([])
    expect(await list(bob)).toEqual([String(other)])
  })
})

describe('GET notifications/unread_count', () => {
  it('counts notifications newer than the marker, up to the limit, without excluded types [T-409]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const made = await oneOfEach(alice, bob)
    const count = async (query = '') =>
      (await as(alice).get(`/api/v1/notifications/unread_count${query}`)).body
    expect(await count()).toEqual({ count: made.length })
    expect(await count('?limit=3')).toEqual({ count: 3 })
    expect(await count('?exclude_types[]=poll&exclude_types[]=follow')).toEqual({ count: made.length - 2 })
    expect(await count('?types[]=poll')).toEqual({ count: 1 })
    expect(await count('?account_id=1')).toEqual({ count: 0 })
    await context()
      .db.insert(markers)
      .values({
        accountId: alice.id,
        timeline: 'notifications',
        lastReadId: Number(made[2]?.id),
        version: 1,
        updatedAt: clock.now(),
      })
    expect(await count()).toEqual({ count: 2 })
  })

  it('counts to 100 by default and 1000 at most [T-410]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (let index = 0; index < 110; index += 1)
      await storedNotification({
        accountId: alice.id,
        type: 'favourite',
        fromAccountId: bob.id,
        statusId: await storedStatus({ accountId: alice.id }),
      })
    const count = async (query = '') =>
      (await as(alice).get(`/api/v1/notifications/unread_count${query}`)).body
    expect(await count()).toEqual({ count: 100 })
    expect(await count('?limit=5000')).toEqual({ count: 110 })
  })
})
