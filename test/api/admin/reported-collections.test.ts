import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CollectionEvidence } from '../../../src/contract/entities/admin/evidence'
import { WrappedCollection } from '../../../src/contract/entities/collection'
import { AdminStrike, Strike } from '../../../src/contract/entities/report'
import { auditLog, collections, reports, users } from '../../../src/db/schema'
import { storeCollection } from '../../../src/domain/collections/remote'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { storedCollection } from '../../support/given-collection'
import { discoverableAccount } from '../../support/given-discoverable'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { givenRole, givenStaff } from '../../support/given-staff'
import { signedIn } from '../../support/members'
import { context, settleLateWork } from '../../support/test-app'

const { db } = context()
const Named = z.object({ id: z.string() })

let moderator: TestAccount
let author: TestAccount
let member: TestAccount
let follower: KnownPeer

beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers', 'manageReports', 'manageAppeals'] })
})
beforeEach(async () => {
  author = await given.account()
  member = await discoverableAccount()
  follower = await knownPeer()
  await relation.follow(follower, author)
})

async function collected(fields: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Birds', description: 'Buy <seeds>', account_ids: [String(member.id)], ...fields }
  const answer = await as(author).post('/api/v1/collections', body)
  await sentByCouriers()
  return WrappedCollection.parse(answer.body).collection.id
}

async function reported(
  collection_ids: readonly (string | number)[],
  { target = author, ...more }: Record<string, unknown> & { readonly target?: { readonly id: number } } = {},
): Promise<string> {
  const body = { account_id: String(target.id), collection_ids: collection_ids.map(String), ...more }
  const answer = await as(await given.account()).post('/api/v1/reports', body)
  expect(answer.status).toBe(200)
  return Named.parse(answer.body).id
}

const actOnReport = (id: string, body: Record<string, unknown>, by = moderator) =>
  as(by).post(`/api/fieldfare/v1/admin/reports/${id}/statuses/action`, body)

async function rowOf(id: number | string) {
  const [row] = await db
    .select()
    .from(collections)
    .where(eq(collections.id, Number(id)))
  return row
}

async function evidenceOf(report: string) {
  const answer = await as(moderator).get(`/api/fieldfare/v1/admin/reports/${report}/collections`)
  return CollectionEvidence.array().parse(answer.body)
}

async function ownStrikes() {
  return Strike.array().parse((await as(author).get('/api/fieldfare/v1/strikes')).body)
}

const activities = () => follower.received().map(({ type, object }) => [type, Object(object).type ?? null])

describe('reported collections', () => {
  it('shows reported collections to moderators as they were, also after changes and deletion', async () => {
    const id = await collected()
    const report = await reported([id])
    await as(author).patch(`/api/v1/collections/${id}`, { name: 'Innocent' })
    await as(author).delete(`/api/v1/collections/${id}`)
    expect(await evidenceOf(report)).toMatchObject([
      {
        collection_id: id,
        account_id: String(author.id),
        name: 'Birds',
        description: 'Buy &lt;seeds&gt;',
        members: [member.username],
        sensitive: false,
        deleted: true,
        url: `https://fieldfare.test/collections/${id}`,
      },
    ])
    const path = `/api/fieldfare/v1/admin/reports/${report}/collections`
    expect((await as(author).get(path)).status).toBe(403)
    expect((await as(moderator).get(path.replace(report, '7'))).status).toBe(404)
  })

  it('shows reported collections on the page of the report without any e-mail address [T-1024]', async () => {
    const report = await reported([await collected()])
    const role = await givenRole({ permissions: ['manageReports'] })
    const { browser } = await signedIn({ user: { roleId: role } })
    const { status, html } = await browser.get(`/admin/reports/${report}`)
    expect([status, html.includes('Birds')]).toEqual([200, true])
    const addresses = await db.select({ email: users.email }).from(users)
    expect(addresses.length).toBeGreaterThan(2)
    expect(addresses.filter(({ email }) => html.includes(email))).toEqual([])
  })

  it('deletes them with the reported statuses: strike, evidence, Delete, log entry', async () => {
    const [id, kept] = [await collected(), await collected({ name: 'Fish' })]
    const status = await given.status({ by: author })
    const report = await reported([id], { status_ids: [String(status.id)] })
    const answer = await actOnReport(report, { type: 'delete', text: 'No seeds' })
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(8)
    const strike = AdminStrike.parse(answer.body)
    expect(strike).toMatchObject({ action: 'delete_statuses', status_ids: [String(status.id)] })
    expect([await rowOf(id), (await rowOf(kept))?.name]).toEqual([undefined, 'Fish'])
    await sentByCouriers()
    // A deleted collection is taken from those that its owner shows.
    expect(activities().slice(-2)).toEqual([
      ['Remove', null],
      ['Delete', 'Tombstone'],
    ])
    const notices = await as(member).get('/api/v1/notifications?types[]=added_to_collection')
    expect(notices.body).toMatchObject([{ collection: { name: 'Fish' } }])
    expect(await ownStrikes()).toMatchObject([
      { evidence: [{ deleted: true }], collections: [{ collection_id: id, deleted: true, name: 'Birds' }] },
    ])
    expect((await as(moderator).get(`/api/v1/admin/reports/${report}`)).body).toMatchObject({
      action_taken: true,
    })
    const [entry] = await db.select().from(auditLog).where(eq(auditLog.targetId, author.id))
    expect(entry?.newValues).toMatchObject({ collection_ids: [id], status_ids: [String(status.id)] })
  })

  it.each(['delete', 'mark_as_sensitive'])('%s takes few statements for many collections', async (type) => {
    const stored = []
    for (let count = 0; count < 30; count += 1)
      stored.push((await storedCollection({ by: author, of: [member] })).id)
    const report = await reported(stored)
    const answer = await actOnReport(report, { type })
    expect(answer.status).toBe(200)
    expect(answer.costs.statements).toBeLessThanOrEqual(40)
    await settleLateWork()
    const left = await Promise.all(stored.map(rowOf))
    expect(left.map((row) => row?.sensitive)).toEqual(
      stored.map(() => (type === 'delete' ? undefined : true)),
    )
    const notices = await as(member).get('/api/v1/notifications?types[]=collection_update&limit=80')
    expect(notices.body).toHaveLength(type === 'delete' ? 0 : 30)
  })

  it('marks them as sensitive, and an appeal unmarks those not marked before', async () => {
    const [id, marked] = [await collected(), await collected({ name: 'Fish', sensitive: true })]
    const report = await reported([id, marked])
    const answer = await actOnReport(report, { type: 'mark_as_sensitive' })
    const strike = AdminStrike.parse(answer.body)
    expect(strike).toMatchObject({ action: 'mark_statuses_as_sensitive', status_ids: [] })
    expect([(await rowOf(id))?.sensitive, (await rowOf(marked))?.sensitive]).toEqual([true, true])
    await sentByCouriers()
    expect(activities().at(-1)).toEqual(['Update', 'FeaturedCollection'])
    const updates = await as(member).get('/api/v1/notifications?types[]=collection_update')
    expect(updates.body).toMatchObject([{ collection: { id } }])
    await as(author).post(`/api/fieldfare/v1/strikes/${strike.id}/appeal`, { text: 'Harmless' })
    const [appeal] = Named.array().parse((await as(moderator).get('/api/fieldfare/v1/admin/appeals')).body)
    const approved = await as(moderator).post(`/api/fieldfare/v1/admin/appeals/${appeal?.id}/approve`)
    expect(approved.status).toBe(200)
    expect([(await rowOf(id))?.sensitive, (await rowOf(marked))?.sensitive]).toEqual([false, true])
  })

  it('deletes collections of a remote account locally and permanently, and marks only locally', async () => {
    const peer = await knownPeer()
    const document = {
      uri: `${peer.uri}/collections/1`,
      author: peer.uri,
      url: null,
      name: 'Offers',
      descriptionHtml: '<p>Seeds</p>',
      language: null,
      sensitive: false,
      discoverable: true,
      tag: null,
      publishedAt: null,
      updatedAt: null,
    }
    expect(await storeCollection(context(), peer.id, document)).toBe(true)
    const [row] = await db.select().from(collections).where(eq(collections.uri, document.uri))
    const marking = await reported([row?.id ?? 0], { target: peer })
    expect((await actOnReport(marking, { type: 'mark_as_sensitive' })).status).toBe(200)
    expect(await rowOf(row?.id ?? 0)).toMatchObject({ sensitive: true })
    const report = await reported([row?.id ?? 0], { target: peer })
    expect((await actOnReport(report, { type: 'delete' })).status).toBe(200)
    await sentByCouriers()
    expect(peer.received()).toEqual([])
    expect(await evidenceOf(report)).toMatchObject([{ description: '<p>Seeds</p>', deleted: true }])
    expect(await storeCollection(context(), peer.id, document)).toBe(false)
    expect(await db.select().from(collections).where(eq(collections.uri, document.uri))).toEqual([])
  })

  it('acts on named collections alone, and not on them where statuses are named', async () => {
    const [id, named] = [await collected(), await collected({ name: 'Fish' })]
    const status = await given.status({ by: author })
    const report = await reported([id], { status_ids: [String(status.id)] })
    const path = `/api/fieldfare/v1/admin/accounts/${author.id}/statuses/action`
    const alone = await as(moderator).post(path, { type: 'delete', collection_ids: [named] })
    expect(alone).toMatchObject({ status: 200, body: { status_ids: [] } })
    expect([await rowOf(named), (await rowOf(id))?.name]).toEqual([undefined, 'Birds'])
    const other = await actOnReport(report, { type: 'delete', status_ids: [String(status.id)] })
    expect(other.status).toBe(200)
    expect(await rowOf(id)).toBeDefined()
  })

  it('refuses collections of others, marked ones, and too many; one of two moderators acts', async () => {
    const id = await collected()
    const foreign = await storedCollection({ by: await given.account() })
    const path = `/api/fieldfare/v1/admin/accounts/${author.id}/statuses/action`
    const refused = async (body: Record<string, unknown>) =>
      (await as(moderator).post(path, { type: 'mark_as_sensitive', ...body })).status
    expect(await refused({ collection_ids: [id, String(foreign.id)] })).toBe(422)
    expect(await refused({ collection_ids: Array.from({ length: 101 }, (_, at) => String(at + 1)) })).toBe(
      422,
    )
    expect(await refused({ collection_ids: [] })).toBe(422)
    const other = await givenStaff({ permissions: ['manageUsers', 'manageReports'] })
    const report = await reported([id])
    const both = await Promise.all(
      [moderator, other].map((by) => actOnReport(report, { type: 'mark_as_sensitive' }, by)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await refused({ collection_ids: [id] })).toBe(409)
  })

  it('stores collections of a Flag by another server, with their owner', async () => {
    const id = await collected()
    const peer = await given.peer()
    const uri = `${fediverse.local(author).uri}/collections/${id}`
    expect((await peer.send(peer.flag([uri], 'Adverts'))).status).toBe(202)
    const [report] = await db.select().from(reports).where(eq(reports.targetAccountId, author.id))
    expect(report).toMatchObject({ collectionIds: [Number(id)], statusIds: [], forwarded: null })
    expect(await evidenceOf(String(report?.id))).toMatchObject([{ collection_id: id, deleted: false }])
  })
})
