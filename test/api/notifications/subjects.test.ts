import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { WrappedCollection } from '../../../src/contract/entities/collection'
import {
  GroupedNotificationsResults,
  Notification,
  type NotificationType,
} from '../../../src/contract/entities/notification'
import { accounts, annualReports, collectionItems, follows, reports, users } from '../../../src/db/schema'
import { generateReport } from '../../../src/domain/annual-reports/generate'
import { Changes, commit } from '../../../src/domain/core/changes'
import { notifySevered, severFollows } from '../../../src/domain/relationships/sever'
import { as } from '../../support/as'
import { freshName, given, type TestAccount } from '../../support/given'
import { listening } from '../../support/given-filter'
import { relation } from '../../support/given-relationships'
import { storedNotification } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

/** Notifications that are about something else than a status, each by what really makes it. */

const setup = as('a-setup-token-for-tests')
const open = () => given.account({ discoverable: true })
const moderator = () => given.account({ user: { roleId: 1 } })
const waiting = () => given.account({ user: { approved: false } })
const approve = ({ id }: TestAccount) => setup.post(`/api/v1/admin/accounts/${id}/approve`)
const act = ({ id }: TestAccount, type: string, text: string, options = {}) =>
  setup.post(`/api/v1/admin/accounts/${id}/action`, { type, text }, options)
const warn = (target: TestAccount, text = 'x', options = {}) => act(target, 'none', text, options)
const report = (by: TestAccount, whose: { readonly id: number }, comment = '') =>
  as(by).post('/api/v1/reports', { account_id: String(whose.id), comment })

async function list(viewer: TestAccount, type?: NotificationType, query = '') {
  const wanted = type === undefined ? '' : `types[]=${type}`
  const { body } = await as(viewer).get(`/api/v1/notifications?${wanted}${query}`)
  return Notification.array().parse(body)
}

async function groups(viewer: TestAccount, type: NotificationType, query = '') {
  const { body } = await as(viewer).get(`/api/v2/notifications?types[]=${type}${query}`)
  return GroupedNotificationsResults.parse(body).notification_groups
}

const noRole = ({ id }: TestAccount) =>
  context().db.update(users).set({ roleId: null }).where(eq(users.accountId, id))

describe('severed_relationships', () => {
  async function acquainted(domain: string) {
    const alice = await given.account()
    const [there, also] = [await given.remoteAccount({ domain }), await given.remoteAccount({ domain })]
    await relation.follow(alice, there)
    await relation.follow(alice, also)
    await relation.follow(there, alice)
    return alice
  }
  const eventOf = (type: string, target_name: string) => ({
    type,
    target_name,
    purged: false,
    followers_count: 1,
    following_count: 2,
    created_at: clock.now().toISOString(),
  })

  it('notifies the account that blocks a domain of its lost relationships [T-423]', async () => {
    const domain = `${freshName('loud')}.test`
    const alice = await acquainted(domain)
    await as(alice).post('/api/v1/domain_blocks', { domain })
    const [told] = await list(alice, 'severed_relationships')
    expect(told).toMatchObject({
      account: { id: String(alice.id) },
      group_key: `ungrouped-${told?.id}`,
      event: eventOf('user_domain_block', domain),
    })
    expect(await groups(alice, 'severed_relationships')).toMatchObject([
      { event: told?.event, sample_account_ids: [String(alice.id)] },
    ])
  })

  it('notifies nobody without lost relationships', async () => {
    const alice = await given.account()
    await as(alice).post('/api/v1/domain_blocks', { domain: `${freshName('empty')}.test` })
    expect(await list(alice)).toEqual([])
  })

  it('notifies every account that lost a relationship when the operator suspends a server [T-424]', async () => {
    const domain = `${freshName('gone')}.test`
    const alice = await acquainted(domain)
    const [bob, carol] = [await given.account(), await given.account()]
    await relation.follow(await given.remoteAccount({ domain: `sub.${domain}` }), bob)
    await setup.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend' })
    expect(await list(alice)).toMatchObject([{ event: eventOf('domain_block', domain) }])
    expect(await list(bob)).toMatchObject([{ event: { followers_count: 1, following_count: 0 } }])
    expect(await list(carol)).toEqual([])
  })

  it('severed_relationships keeps its counts when the lost accounts are deleted', async () => {
    const domain = `${freshName('brief')}.test`
    const alice = await acquainted(domain)
    await setup.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend' })
    await context().db.delete(accounts).where(eq(accounts.domain, domain))
    expect(await list(alice)).toMatchObject([{ event: { followers_count: 1, following_count: 2 } }])
  })

  it('severed_relationships can be about a suspended account', async () => {
    const [alice, gone] = [await given.account(), await given.remoteAccount()]
    await relation.follow(alice, gone)
    const [ctx, changes] = [context(), new Changes()]
    const id = ctx.ids.next()
    const [{ followId } = { followId: 0 }] = await ctx.db
      .select({ followId: follows.id })
      .from(follows)
      .where(eq(follows.targetAccountId, gone.id))
    severFollows(ctx, changes, {
      id,
      type: 'account_suspension',
      target: `${gone.username}@${gone.domain}`,
      ending: [{ id: followId, accountId: alice.id, otherId: gone.id, followed: true }],
    })
    notifySevered(ctx, changes, id, [alice.id])
    await commit(ctx, changes)
    expect(await list(alice)).toMatchObject([
      { event: { type: 'account_suspension', target_name: `${gone.username}@${gone.domain}` } },
    ])
  })
})

describe('moderation_warning', () => {
  it('moderation_warning has the text of the operator [T-425]', async () => {
    const alice = await given.account()
    await warn(alice, 'Please be <kind>.')
    const [told] = await list(alice, 'moderation_warning')
    expect(told).toMatchObject({
      account: { id: String(alice.id) },
      moderation_warning: {
        action: 'none',
        text: 'Please be <kind>.',
        status_ids: null,
        appeal: null,
        target_account: { id: String(alice.id) },
        created_at: clock.now().toISOString(),
      },
    })
    expect(await groups(alice, 'moderation_warning')).toMatchObject([
      { moderation_warning: told?.moderation_warning },
    ])
  })

  it('waits for locked accounts, and is repeated with every warning', async () => {
    const alice = await given.account()
    await act(alice, 'disable', 'Spam')
    expect((await as(alice).get('/api/v1/notifications')).status).toBe(403)
    await setup.post(`/api/v1/admin/accounts/${alice.id}/enable`)
    await warn(alice, 'Once more')
    const told = await list(alice)
    expect(told.map(({ moderation_warning: warning }) => [warning?.action, warning?.text])).toEqual([
      ['none', 'Once more'],
      ['disable', 'Spam'],
    ])
  })

  it('moderation_warning is streamed to connected clients', async () => {
    const alice = await given.account()
    const { published, options } = listening()
    await warn(alice, 'x', options)
    const [told] = await list(alice)
    expect(published).toContainEqual({ kind: 'notifications.made', ids: [Number(told?.id)] })
  })
})

describe('admin.sign_up', () => {
  it('notifies staff of new accounts, as one group, and nobody else [T-426]', async () => {
    const [mia, alice] = [await moderator(), await given.account()]
    const [first, second, late] = [await waiting(), await waiting(), await waiting()]
    await approve(first)
    await approve(second)
    expect((await list(mia)).map(({ type, account }) => [type, Number(account.id)])).toEqual([
      ['admin.sign_up', second.id],
      ['admin.sign_up', first.id],
    ])
    const [group, ...more] = await groups(mia, 'admin.sign_up')
    expect([group, more]).toMatchObject([
      {
        notifications_count: 2,
        sample_account_ids: [String(second.id), String(first.id)],
        group_key: expect.stringMatching(/^admin\.sign_up-\d+$/),
      },
      [],
    ])
    const members = `/api/v2/notifications/${group?.group_key}/accounts`
    expect((await as(mia).get(members)).body).toMatchObject([{ id: String(second.id) }, {}])
    expect(await groups(mia, 'admin.sign_up', '&grouped_types[]=follow')).toHaveLength(2)
    expect(await list(alice)).toEqual([])
    await as(mia).post(`/api/v2/notifications/${group?.group_key}/dismiss`)
    await approve(late)
    expect(await list(mia)).toMatchObject([{ account: { id: String(late.id) } }])
  })

  it('admin.sign_up is hidden from former staff', async () => {
    const mia = await moderator()
    await approve(await waiting())
    const [told] = await list(mia)
    expect(told?.type).toBe('admin.sign_up')
    const [group] = await groups(mia, 'admin.sign_up')
    await noRole(mia)
    expect(await list(mia)).toEqual([])
    expect(await groups(mia, 'admin.sign_up')).toEqual([])
    const path = `/api/v2/notifications/${group?.group_key}`
    expect((await as(mia).get(path)).status).toBe(404)
    expect((await as(mia).get(`${path}/accounts`)).body).toEqual([])
    expect((await as(mia).get(`/api/v1/notifications/${told?.id}`)).status).toBe(404)
    expect((await as(mia).get('/api/v1/notifications/unread_count')).body).toEqual({ count: 0 })
  })
})

describe('admin.report', () => {
  it('notifies staff of a report, and neither its target nor others [T-427]', async () => {
    const [mia, alice, bob] = [await moderator(), await given.account(), await given.account()]
    const { id: status } = await given.status({ by: bob, visibility: 'private' })
    await as(alice).post('/api/v1/reports', { account_id: bob.id, comment: 'rude', status_ids: [] })
    const [told] = await list(mia)
    expect(told).toMatchObject({
      type: 'admin.report',
      account: { id: String(alice.id) },
      report: { comment: 'rude', target_account: { id: String(bob.id) }, action_taken: false },
    })
    expect(JSON.stringify(told)).not.toContain(status)
    expect(await groups(mia, 'admin.report')).toMatchObject([
      { report: told?.report, sample_account_ids: [String(alice.id)] },
    ])
    for (const other of [alice, bob]) expect(await list(other)).toEqual([])
    await noRole(mia)
    expect(await list(mia)).toEqual([])
    expect((await as(mia).get(`/api/v1/notifications/${told?.id}`)).status).toBe(404)
  })

  it('notifies again once the earlier one was resolved', async () => {
    const [mia, alice, bob] = [await moderator(), await given.account(), await given.account()]
    await report(alice, bob, 'one')
    await report(await given.account(), bob, 'two')
    expect((await list(mia)).map((one) => one.report?.comment)).toEqual(['one'])
    await context()
      .db.update(reports)
      .set({ actionTakenAt: clock.now() })
      .where(eq(reports.targetAccountId, bob.id))
    await report(alice, bob, 'three')
    expect((await list(mia)).map((one) => one.report?.comment)).toEqual(['three', 'one'])
  })

  it('does not notify moderators of their own reports, nor of reports by accounts they block', async () => {
    const [mia, alice] = [await moderator(), await given.account()]
    await report(mia, await given.account())
    await relation.block(mia, alice)
    await report(alice, await given.account())
    expect(await list(mia)).toEqual([])
  })
})

describe('annual_report', () => {
  it('notifies once that the report of a year is available', async () => {
    const alice = await given.account()
    const ctx = context()
    await ctx.db
      .insert(annualReports)
      .values({ accountId: alice.id, year: 2026, shareKey: 'key', requestedAt: clock.now() })
    for (const _ of [1, 2]) await generateReport(ctx, { accountId: alice.id, year: 2026 })
    expect(await list(alice)).toMatchObject([{ type: 'annual_report', account: { id: String(alice.id) } }])
    expect(await groups(alice, 'annual_report')).toMatchObject([{ annual_report: { year: '2026' } }])
  })
})

describe('notifications about collections', () => {
  const path = '/api/v1/collections'
  async function collected(owner: TestAccount, of: readonly TestAccount[], draft = {}) {
    const account_ids = of.map(({ id }) => String(id))
    const { body } = await as(owner).post(path, { name: 'Birds', account_ids, ...draft })
    return WrappedCollection.parse(body).collection
  }

  it('added_to_collection notifies an added account, at once or later', async () => {
    const [alice, bob, carol] = [await open(), await open(), await open()]
    const { id } = await collected(alice, [bob, alice])
    const [told] = await list(bob)
    expect(told).toMatchObject({
      type: 'added_to_collection',
      account: { id: String(alice.id) },
      collection: { id, name: 'Birds', item_count: 2 },
    })
    expect(await groups(bob, 'added_to_collection')).toMatchObject([{ collection: told?.collection }])
    await as(alice).post(`${path}/${id}/items`, { account_id: String(carol.id) })
    expect(await list(carol)).toMatchObject([{ collection: { id, item_count: 3 } }])
    expect(await list(alice)).toEqual([])
  })

  it('added_to_collection disappears with the membership, and returns with it', async () => {
    const [alice, bob] = [await open(), await open()]
    const { id, items } = await collected(alice, [bob])
    await as(alice).delete(`${path}/${id}/items/${items[0]?.id}`)
    expect(await list(bob)).toEqual([])
    expect(await groups(bob, 'added_to_collection')).toEqual([])
    await as(alice).post(`${path}/${id}/items`, { account_id: String(bob.id) })
    expect(await list(bob)).toHaveLength(1)
    await as(alice).delete(`${path}/${id}`)
    expect(await list(bob)).toEqual([])
  })

  it('the policy filters added_to_collection, and not collection_update', async () => {
    const [alice, bob] = [await open(), await open()]
    await as(bob).patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    const { id } = await collected(alice, [bob])
    expect(await list(bob)).toEqual([])
    expect(await list(bob, undefined, '&include_filtered=true')).toMatchObject([
      { type: 'added_to_collection', filtered: true },
    ])
    await as(alice).patch(`${path}/${id}`, { name: 'Other birds' })
    expect(await list(bob)).toMatchObject([{ type: 'collection_update' }])
  })

  it.each<[string, Readonly<Record<string, unknown>>, number]>([
    ['name', { name: 'Owls' }, 1],
    ['description', { description: 'They see by night' }, 1],
    ['sensitive', { sensitive: true }, 1],
    ['tag', { tag_name: 'owls' }, 1],
    ['language', { language: 'de' }, 0],
    ['discoverable', { discoverable: false }, 0],
    ['the same name', { name: 'Birds' }, 0],
  ])('collection_update: a change of %s notifies its members', async (_what, patch, count) => {
    const [alice, bob, out] = [await open(), await open(), await open()]
    const { id } = await collected(alice, [bob, out])
    await context()
      .db.update(collectionItems)
      .set({ state: 'revoked' })
      .where(eq(collectionItems.accountId, out.id))
    await as(alice).patch(`${path}/${id}`, patch)
    const told = await list(bob, 'collection_update')
    expect(told).toHaveLength(count)
    for (const one of told)
      expect(one).toMatchObject({ account: { id: String(alice.id) }, collection: { id, local: true } })
    for (const other of [alice, out]) expect(await list(other)).toEqual([])
  })

  it('collection_update: only the last of several changes notifies', async () => {
    const [alice, bob] = [await open(), await open()]
    const { id } = await collected(alice, [bob])
    await as(alice).patch(`${path}/${id}`, { name: 'One' })
    const [first] = await list(bob, 'collection_update')
    clock.advance(1_000)
    await as(alice).patch(`${path}/${id}`, { name: 'Two' })
    const told = await list(bob, 'collection_update')
    expect(told).toMatchObject([{ collection: { name: 'Two' } }])
    expect(told[0]?.id).not.toBe(first?.id)
  })

  it('notifications about collections are hidden with suspended accounts, and visible to their receivers only', async () => {
    const [alice, bob] = [await open(), await open()]
    await collected(alice, [bob])
    const [told] = await list(bob)
    for (const path of [`v1/notifications/${told?.id}`, `v2/notifications/${told?.group_key}`]) {
      expect((await as(bob).get(`/api/${path}`)).status).toBe(200)
      expect((await as(await moderator()).get(`/api/${path}`)).status).toBe(404)
    }
    await context().db.update(accounts).set({ suspendedAt: clock.now() }).where(eq(accounts.id, alice.id))
    expect(await list(bob)).toEqual([])
    expect(await groups(bob, 'added_to_collection')).toEqual([])
  })

  it('notifications about collections are neither stored nor shown across a block', async () => {
    const [alice, bob, carol] = [await open(), await open(), await open()]
    await collected(alice, [bob, carol])
    await as(bob).post(`/api/v1/accounts/${alice.id}/block`)
    expect(await list(bob)).toEqual([])
    await relation.block(alice, carol)
    expect(await list(carol)).toEqual([])
  })
})

describe('types unknown to an app', () => {
  it('types unknown to an app are described in text to apps that list known types, and not sent to others', async () => {
    const [alice, bob] = [await open(), await open()]
    await as(alice).post('/api/v1/collections', { name: 'A & B', account_ids: [String(bob.id)] })
    const [plain] = await list(bob)
    expect(plain).not.toHaveProperty('fallback')
    const [told] = await list(bob, undefined, '&supported_types[]=mention')
    expect(told?.fallback).toEqual({
      title: `<span class="h-card" translate="no"><a href="https://fieldfare.test/@${alice.username}" class="u-url mention">@<span>${alice.username}</span></a></span> added you to a collection`,
      summary: 'A &amp; B',
      details: null,
      description: null,
    })
    const one = await as(bob).get(`/api/v1/notifications/${told?.id}?supported_types[]=mention`)
    expect(one.body).toMatchObject({ fallback: told?.fallback })
    const query = '&supported_types[]=mention'
    expect(await groups(bob, 'added_to_collection', query)).toMatchObject([{ fallback: told?.fallback }])
    const [known] = await list(bob, undefined, '&supported_types[]=added_to_collection')
    expect(known).not.toHaveProperty('fallback')
  })

  it('later types have a text, and types known to every app have none', async () => {
    const [mia, bob] = [await moderator(), await open()]
    const domain = `${freshName('far')}.test`
    await relation.follow(mia, await given.remoteAccount({ domain }))
    await as(mia).post('/api/v1/domain_blocks', { domain })
    await warn(mia, 'a < b')
    await approve(await waiting())
    await report(bob, await given.account(), 'so & so')
    await storedNotification({ accountId: mia.id, type: 'follow', fromAccountId: bob.id })
    const told = await list(mia, undefined, '&supported_types[]=nothing')
    expect(told.map(({ type, fallback }) => [type, fallback?.summary])).toEqual([
      ['follow', undefined],
      ['admin.report', 'so &amp; so'],
      ['admin.sign_up', null],
      ['moderation_warning', 'a &lt; b'],
      ['severed_relationships', '0 of your followers, and 1 whom you followed'],
    ])
  })
})

describe('lists of all types', () => {
  it('lists of notifications of all types accept new types in types[] and exclude_types[], and count them', async () => {
    const alice = await given.account()
    await warn(alice)
    await storedNotification({ accountId: alice.id, type: 'follow', fromAccountId: (await open()).id })
    expect(await list(alice, 'moderation_warning')).toHaveLength(1)
    expect(await list(alice, undefined, '&exclude_types[]=moderation_warning')).toMatchObject([
      { type: 'follow' },
    ])
    for (const version of ['v1', 'v2']) {
      const count = `/api/${version}/notifications/unread_count`
      expect((await as(alice).get(count)).body).toEqual({ count: 2 })
      expect((await as(alice).get(`${count}?types[]=moderation_warning`)).body).toEqual({ count: 1 })
    }
  })

  it('lists of notifications of all types return a page with everything in one round trip', async () => {
    const mia = await moderator()
    await warn(mia)
    for (let n = 0; n < 3; n += 1) await report(await given.account(), await given.account())
    await approve(await waiting())
    const owner = await open()
    await context().db.update(accounts).set({ discoverable: true }).where(eq(accounts.id, mia.id))
    await as(owner).post('/api/v1/collections', { name: 'Staff', account_ids: [String(mia.id)] })
    const answer = await as(mia).get('/api/v1/notifications')
    expect(answer.body).toHaveLength(6)
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(200)
  })
})
