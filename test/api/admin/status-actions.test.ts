import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AdminStrike, Strike } from '../../../src/contract/entities/report'
import { accountWarnings, auditLog, reports, statuses } from '../../../src/db/schema'
import { pruneReceivedActivities } from '../../../src/domain/core/received-activities'
import { importStatus } from '../../../src/domain/statuses/remote/import'
import { pruneTombstones } from '../../../src/domain/statuses/remote/receive-edit'
import type { RemoteAttachment } from '../../../src/domain/statuses/remote/remote-status'
import type { Overrides } from '../../../src/wire'
import { as } from '../../support/as'
import { sentByCouriers } from '../../support/courier'
import { fakeMailer } from '../../support/fake-mailer'
import { fakeQueue } from '../../support/fake-queue'
import { addSubscriber, FakeStreams } from '../../support/fake-streams'
import { given, type TestAccount } from '../../support/given'
import { type KnownPeer, knownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { importedStatus, remotePost } from '../../support/given-remote'
import { givenStaff } from '../../support/given-staff'
import { storedUpload } from '../../support/given-upload'
import { clock, context } from '../../support/test-app'

const { db } = context()
const seeds: RemoteAttachment = {
  type: 'image',
  url: 'https://elsewhere.test/seeds.png',
  previewUrl: null,
  description: null,
  blurhash: null,
  meta: {},
}

const board = new FakeStreams()

let moderator: TestAccount
let author: TestAccount
let follower: KnownPeer
beforeAll(async () => {
  moderator = await givenStaff({ permissions: ['manageUsers', 'manageReports', 'manageAppeals'] })
})
beforeEach(async () => {
  author = await given.account({ user: { lastActiveAt: null } })
  follower = await knownPeer()
  await relation.follow(follower, author)
})

const act = (
  target: { readonly id: number },
  body: Record<string, unknown>,
  overrides = {},
  by = moderator,
) => as(by).post(`/api/fieldfare/v1/admin/accounts/${target.id}/statuses/action`, body, { overrides })
const actOnReport = (id: string, body: Record<string, unknown>, by = moderator) =>
  as(by).post(`/api/fieldfare/v1/admin/reports/${id}/statuses/action`, body)

async function post(body: Record<string, unknown> = {}): Promise<string> {
  const answer = await as(author).post('/api/v1/statuses', { status: 'Buy seeds', ...body })
  await sentByCouriers()
  return z.object({ id: z.string() }).parse(answer.body).id
}

async function illustrated(more: Record<string, unknown> = {}): Promise<string> {
  return post({ media_ids: [await storedUpload(author)], ...more })
}

async function reported(status_ids: readonly string[], target: { readonly id: number } = author) {
  const body = { account_id: String(target.id), comment: 'Spam', status_ids }
  const reporter = await given.account()
  await relation.follow(reporter, target)
  const answer = await as(reporter).post('/api/v1/reports', body)
  expect(answer.status).toBe(200)
  return z.object({ id: z.string() }).parse(answer.body).id
}

const activities = () =>
  follower.received().map(({ type, object }) => [type, Object(object).sensitive ?? null])

async function rowOf(id: number | string) {
  const [row] = await db
    .select()
    .from(statuses)
    .where(eq(statuses.id, Number(id)))
  return row
}

async function strikesOf({ id }: { readonly id: number }) {
  return db.select().from(accountWarnings).where(eq(accountWarnings.targetAccountId, id))
}

async function auditOf({ id }: { readonly id: number }) {
  const found = await db.select().from(auditLog).where(eq(auditLog.targetId, id)).orderBy(auditLog.id)
  return found.map(({ action, username, newValues }) => ({ action, username, newValues }))
}

async function isResolved(id: string) {
  const [row] = await db
    .select()
    .from(reports)
    .where(eq(reports.id, Number(id)))
  return row?.actionTakenAt != null
}

describe('deleting statuses', () => {
  it('deletes statuses of a report with a strike and evidence, resolves it, sends a Delete and is logged', async () => {
    const [status, other] = [await illustrated(), await post()]
    const report = await reported([status])
    const office = fakeMailer()
    const answer = await act(
      author,
      { type: 'delete', text: 'No seeds', report_id: report },
      office.overrides,
    )
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(5)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
    expect(AdminStrike.parse(answer.body)).toMatchObject({
      action: 'delete_statuses',
      text: 'No seeds',
      status_ids: [status],
      report_id: report,
    })
    await sentByCouriers()
    expect([await rowOf(status), (await rowOf(other))?.id]).toEqual([undefined, Number(other)])
    expect((await as(author).get(`/api/v1/statuses/${status}`)).status).toBe(404)
    expect(activities().map(([type]) => type)).toEqual(['Create', 'Create', 'Delete'])
    expect(await isResolved(report)).toBe(true)
    const own = Strike.array().parse((await as(author).get('/api/fieldfare/v1/strikes')).body)
    expect(own).toMatchObject([
      { evidence: [{ status_id: status, deleted: true, content: '<p>Buy seeds</p>' }] },
    ])
    const told = await as(author).get('/api/v1/notifications?types[]=moderation_warning')
    expect(told.body).toMatchObject([{ moderation_warning: { action: 'delete_statuses', text: 'No seeds' } }])
    expect(
      (await office.deliver()).map(({ to, text }) => [to, text.includes('deleted posts of yours')]),
    ).toEqual([[author.email, true]])
    const after = { strike_id: own[0]?.id, status_ids: [status], report_id: report }
    expect(await auditOf(author)).toEqual([
      { action: 'delete_statuses', username: moderator.username, newValues: after },
    ])
  })

  it('updates counts, and keeps statuses of other accounts', async () => {
    const ids = [await post(), await post({ visibility: 'private' })]
    await reported(ids.slice(1))
    const before = z.object({ statuses_count: z.number() })
    const count = async () =>
      before.parse((await as(author).get('/api/v1/accounts/verify_credentials')).body).statuses_count
    expect(await count()).toBe(2)
    expect((await act(author, { type: 'delete', status_ids: ids })).status).toBe(200)
    expect(await count()).toBe(0)
  })

  it('undoes a reblog, and streams it', async () => {
    const original = await given.status({ by: await given.account() })
    const reblog = await as(author).post(`/api/v1/statuses/${original.id}/reblog`)
    const { id } = z.object({ id: z.string() }).parse(reblog.body)
    await sentByCouriers()
    await addSubscriber(author, 'user')
    board.forget()
    expect((await act(author, { type: 'delete', status_ids: [id] })).status).toBe(200)
    await sentByCouriers()
    expect(activities().map(([type]) => type)).toEqual(['Announce', 'Undo'])
    expect((await rowOf(original.id))?.reblogsCount).toBe(0)
    const streamed = (await board.messagesTo(author)).map(({ event, body }) => [event, body])
    expect(streamed).toContainEqual(['delete', id])
  })

  it('requires only the permission for reports on a route of reports', async () => {
    const mia = await givenStaff({ permissions: ['manageReports'] })
    const [one, two] = [await post(), await post()]
    const report = await reported([one, two])
    expect((await act(author, { type: 'delete', report_id: report }, {}, mia)).status).toBe(403)
    const answer = await actOnReport(report, { type: 'delete', status_ids: [one] }, mia)
    expect(answer).toMatchObject({ status: 200, body: { status_ids: [one] } })
    expect([await rowOf(one), (await rowOf(two))?.id]).toEqual([undefined, Number(two)])
    expect((await actOnReport('7', { type: 'delete' }, mia)).status).toBe(404)
  })

  it('deletes a remote status locally and permanently, without an activity', async () => {
    const peer = await knownPeer()
    const remote = remotePost(peer)
    const { id } = await importedStatus(peer, remote)
    expect((await act(peer, { type: 'delete', status_ids: [String(id)] })).status).toBe(200)
    await sentByCouriers()
    expect(peer.received()).toEqual([])
    clock.advance(60 * 86_400_000)
    await pruneReceivedActivities(context())
    await pruneTombstones(context())
    const again = await importStatus(context(), peer.id, { status: remote, occasion: 'fetched' })
    expect([again.kind, await rowOf(id)]).not.toContain('stored')
    expect(await strikesOf(peer)).toMatchObject([{ action: 'delete_statuses', statusIds: [id] }])
  })

  it('deletes more than one invocation can', async () => {
    const ids: string[] = []
    for (let n = 0; n < 45; n += 1) ids.push((await given.status({ by: author })).id)
    const queue = fakeQueue()
    const answer = await act(author, { type: 'delete', status_ids: ids }, { jobs: queue.ctx.jobs })
    expect(answer.status).toBe(200)
    expect(answer.costs.statements).toBeLessThanOrEqual(48)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(2_000)
    expect(await rowOf(ids[44] ?? '')).toBeDefined()
    expect(await queue.work()).not.toContain('rejected')
    for (const id of ids) expect(await rowOf(id)).toBeUndefined()
    expect(await strikesOf(author)).toHaveLength(1)
  })

  it('gives two concurrent moderators one result and one conflict', async () => {
    const other = await givenStaff({ permissions: ['manageUsers'] })
    const status = await post()
    const answers = await Promise.all(
      [moderator, other].map((one) => act(author, { type: 'delete', status_ids: [status] }, {}, one)),
    )
    expect(answers.map(({ status: code }) => code).toSorted()).toEqual([200, 409])
    expect(await strikesOf(author)).toHaveLength(1)
  })

  it('a status stays deleted when an appeal is approved', async () => {
    const status = await post()
    await act(author, { type: 'delete', status_ids: [status] })
    await approveAppeal()
    expect(await strikesOf(author)).toMatchObject([{ overruledAt: clock.now() }])
    expect(await rowOf(status)).toBeUndefined()
  })
})

/** Appeals against the only strike of the author, and approves. */
async function approveAppeal(overrides: Overrides = {}) {
  const [strike] = await strikesOf(author)
  await as(author).post(`/api/fieldfare/v1/strikes/${strike?.id}/appeal`, { text: 'It was art' })
  const listed = await as(moderator).get('/api/fieldfare/v1/admin/appeals?limit=80')
  const Appeals = z.array(z.object({ id: z.string(), strike: z.object({ id: z.string() }) }))
  const appeal = Appeals.parse(listed.body).find((one) => one.strike.id === String(strike?.id))
  const answer = await as(moderator).post(
    `/api/fieldfare/v1/admin/appeals/${appeal?.id}/approve`,
    {},
    { overrides },
  )
  expect(answer.status).toBe(200)
  await sentByCouriers()
}

describe('marking statuses as sensitive', () => {
  it('edits statuses with media, sends an Update, and an approved appeal undoes new marks', async () => {
    const [plain, marked, text] = [await illustrated(), await illustrated({ sensitive: true }), await post()]
    const answer = await act(author, { type: 'mark_as_sensitive', status_ids: [plain, marked, text] })
    expect(answer.status).toBe(200)
    expect(answer.costs.trips).toBeLessThanOrEqual(6)
    await sentByCouriers()
    const states = async () =>
      Promise.all([plain, marked, text].map(async (id) => (await rowOf(id))?.sensitive))
    expect(await states()).toEqual([true, true, false])
    expect(activities().slice(3)).toEqual([['Update', true]])
    const shown = await as(author).get(`/api/v1/statuses/${plain}`)
    expect(shown.body).toMatchObject({ sensitive: true, edited_at: expect.any(String) })
    expect(await strikesOf(author)).toMatchObject([{ action: 'mark_statuses_as_sensitive' }])
    await approveAppeal()
    expect(await states()).toEqual([false, true, false])
    expect(activities().slice(4)).toEqual([['Update', false]])
    expect((await auditOf(author)).map(({ action }) => action)).toEqual([
      'mark_statuses_as_sensitive',
      'unmark_statuses_as_sensitive',
    ])
  })

  it('keeps a warning that the author added later', async () => {
    const status = await illustrated()
    await act(author, { type: 'mark_as_sensitive', status_ids: [status] })
    clock.advance(1_000)
    await as(author).put(`/api/v1/statuses/${status}`, { status: 'Buy seeds', spoiler_text: 'Seeds' })
    await approveAppeal()
    expect(await rowOf(status)).toMatchObject({ sensitive: true, spoilerText: 'Seeds' })
  })

  it('changes only the local copy of a remote status', async () => {
    const peer = await knownPeer()
    const { id } = await importedStatus(peer, { attachments: [seeds] })
    const report = await reported([String(id)], peer)
    expect((await actOnReport(report, { type: 'mark_as_sensitive' })).status).toBe(200)
    await sentByCouriers()
    expect(await rowOf(id)).toMatchObject({ sensitive: true, editedAt: null })
    expect(peer.received()).toEqual([])
    expect(await isResolved(report)).toBe(true)
  })

  it('marks and unmarks more than one invocation can', async () => {
    const ids: string[] = []
    for (let n = 0; n < 25; n += 1) ids.push(await illustrated())
    const queue = fakeQueue()
    const overrides = { jobs: queue.ctx.jobs }
    await act(author, { type: 'mark_as_sensitive', status_ids: ids }, overrides)
    const marked = async () => (await Promise.all(ids.map(rowOf))).filter((row) => row?.sensitive).length
    expect(await marked()).toBeLessThan(25)
    expect(await queue.work()).not.toContain('retry')
    expect(await marked()).toBe(25)
    await approveAppeal(overrides)
    expect(await marked()).toBeGreaterThan(0)
    expect(await queue.work()).not.toContain('retry')
    expect(await marked()).toBe(0)
  })

  it('gives two moderators one result and one conflict, concurrent or in sequence', async () => {
    const status = await illustrated()
    const mark = () => act(author, { type: 'mark_as_sensitive', status_ids: [status] })
    const answers = await Promise.all([mark(), mark()])
    expect(answers.map(({ status: code }) => code).toSorted()).toEqual([200, 409])
    expect((await mark()).status).toBe(409)
    expect(await strikesOf(author)).toHaveLength(1)
  })
})

describe('actions on statuses', () => {
  it('never reach statuses that the moderator may not read, unless they are reported', async () => {
    const secret = await post({ visibility: 'private' })
    const direct = await post({ visibility: 'direct' })
    for (const id of [secret, direct]) {
      expect((await act(author, { type: 'delete', status_ids: [id] })).status).toBe(422)
      const warning = { type: 'none', status_ids: [id] }
      expect((await as(moderator).post(`/api/v1/admin/accounts/${author.id}/action`, warning)).status).toBe(
        422,
      )
    }
    await relation.follow(moderator, author)
    expect((await act(author, { type: 'delete', status_ids: [secret] })).status).toBe(200)
    expect(await rowOf(direct)).toBeDefined()
  })

  it('refuses invalid combinations and changes nothing', async () => {
    const [status, bob] = [await post(), await given.account()]
    const foreign = await given.status({ by: bob })
    const [report, elsewhere] = [await reported([status]), await reported([], bob)]
    for (const [body, code] of [
      [{ status_ids: [status] }, 422],
      [{ type: 'crush', status_ids: [status] }, 422],
      [{ type: 'delete' }, 422],
      [{ type: 'delete', status_ids: [foreign.id] }, 422],
      [{ type: 'delete', status_ids: [status, '7'] }, 422],
      [{ type: 'delete', status_ids: Array.from({ length: 101 }, (_, n) => String(n)) }, 422],
      [{ type: 'delete', report_id: '7' }, 404],
      [{ type: 'delete', report_id: elsewhere, status_ids: [status] }, 422],
      [{ type: 'delete', status_ids: [status], warning_preset_id: '7' }, 404],
      [{ type: 'delete', status_ids: [status], text: 'x'.repeat(10_001) }, 422],
      [{ type: 'mark_as_sensitive', status_ids: [status] }, 422],
    ] as const)
      expect((await act(author, body)).status, JSON.stringify(body)).toBe(code)
    expect((await actOnReport(elsewhere, { type: 'delete' })).status).toBe(422)
    expect(await strikesOf(author)).toEqual([])
    expect([await isResolved(report), await isResolved(elsewhere)]).toEqual([false, false])
    await actOnReport(report, { type: 'delete', send_email_notification: false })
    expect((await actOnReport(report, { type: 'delete' })).status).toBe(409)
    expect((await as(author).get('/api/v1/notifications')).body).toEqual([])
  })
})
