import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Evidence } from '../../../src/contract/entities/admin/evidence'
import { AdminReport } from '../../../src/contract/entities/admin/report'
import { execute } from '../../../src/db/query'
import {
  auditLog,
  bookmarks,
  conversationMutes,
  favourites,
  reports,
  statusMentions,
} from '../../../src/db/schema'
import { loadRules, saveRules } from '../../../src/domain/instance/rules'
import { operator } from '../../../src/domain/policy/permissions'
import { receiveReport } from '../../../src/domain/reports/receive'
import { resolveReport } from '../../../src/domain/reports/update'
import { createWebhook, deleteWebhook } from '../../../src/domain/webhooks/change'
import type { OutboxEntry } from '../../../src/ports/services'
import { as } from '../../support/as'
import { fediverse } from '../../support/fediverse'
import { freshName, given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { givenStaff } from '../../support/given-staff'
import { storedQuote, storedStatus } from '../../support/given-stored'
import { clock, context } from '../../support/test-app'

const path = '/api/v1/admin/reports'

/** A report of a new account about a new account, with some of its statuses. */
async function reported(options: { readonly statuses?: number; readonly visibility?: string } = {}) {
  const [alice, bob] = [await given.account(), await given.account()]
  const made = []
  for (let count = 0; count < (options.statuses ?? 0); count += 1)
    made.push(await given.status({ by: bob, text: `Buy seeds ${count}` }))
  const answer = await as(alice).post('/api/v1/reports', {
    account_id: bob.id,
    comment: 'Sells seeds',
    status_ids: made.map(({ id }) => id),
  })
  expect(answer.status).toBe(200)
  const { id } = AdminReport.pick({ id: true }).parse({ id: Object(answer.body).id })
  return { id, alice, bob, statuses: made.map((status) => status.id) }
}

/** Marks statuses in every way that a page shows its reader. */
async function markedBy({ id: accountId }: TestAccount, marked: readonly { readonly id: number }[]) {
  const { db, ids } = context()
  for (const { id: statusId } of marked) {
    const mark = { accountId, statusId }
    await db.batch([
      db.insert(favourites).values({ ...mark, id: ids.next() }),
      db.insert(bookmarks).values({ ...mark, id: ids.next() }),
      db.insert(statusMentions).values(mark),
      db.insert(conversationMutes).values({ accountId, conversationId: statusId }),
    ])
    await storedStatus({ accountId, reblogOfId: statusId })
  }
}

describe('GET /api/v1/admin/reports', () => {
  let mia: TestAccount
  beforeAll(async () => {
    mia = await givenStaff({ permissions: ['manageReports'] })
  })

  it('lists unresolved reports, resolved ones with resolved=true, and both for one account [T-900]', async () => {
    const { id, alice, bob } = await reported({ statuses: 1 })
    const of = async (query: string) => {
      const { body } = await as(mia).get(`${path}?${query}`)
      return AdminReport.array()
        .parse(body)
        .map((report) => report.id)
    }
    expect(await of('')).toContain(id)
    expect(await of(`account_id=${alice.id}`)).toEqual([id])
    expect(await of(`target_account_id=${bob.id}`)).toEqual([id])
    expect(await of(`account_id=${alice.id}&target_account_id=${bob.id}&resolved=false`)).toEqual([id])
    expect(await of(`account_id=${bob.id}`)).toEqual([])
    expect(await of(`target_account_id=${bob.id}&resolved=true`)).toEqual([])
    await as(mia).post(`${path}/${id}/resolve`)
    expect(await of('')).not.toContain(id)
    expect(await of(`target_account_id=${bob.id}&resolved=true`)).toEqual([id])
    expect(await of('resolved=true')).toContain(id)
    expect(await of(`account_id=${alice.id}`)).toEqual([])
  })

  it('by_target_domain filters by the server of the reported account, page by page', async () => {
    const host = `${freshName('spam')}.test`
    const [one, two] = [
      await given.remoteAccount({ domain: host }),
      await given.remoteAccount({ domain: host }),
    ]
    const made: string[] = []
    for (const target of [one, await given.remoteAccount(), two, await given.account()]) {
      const answer = await as(await given.account()).post('/api/v1/reports', { account_id: target.id })
      made.push(Object(answer.body).id)
    }
    await Promise.all(
      Array.from({ length: 61 }, async () =>
        as(await given.account()).post('/api/v1/reports', { account_id: mia.id }),
      ),
    )
    const found: string[] = []
    for (let at: string | undefined = `${path}?by_target_domain=${host.toUpperCase()}`; at !== undefined; ) {
      const answer = await as(mia).get(at)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
      found.push(
        ...AdminReport.array()
          .parse(answer.body)
          .map(({ id }) => id),
      )
      at = answer.links.next
    }
    expect(found).toEqual([made[2], made[0]])
    expect(
      (await as(mia).get(`${path}?by_target_domain=${host}&target_account_id=${one.id}`)).body,
    ).toMatchObject([{ id: made[0] }])
    expect((await as(mia).get(`${path}?by_target_domain=nowhere.test&limit=1`)).body).toEqual([])
  })

  it('shows reporter, target and content', async () => {
    const { id, alice, bob, statuses } = await reported({ statuses: 2 })
    const { body } = await as(mia).get(`${path}/${id}`)
    expect(body).toMatchObject({
      id,
      action_taken: false,
      action_taken_at: null,
      category: 'other',
      comment: 'Sells seeds',
      forwarded: false,
      account: { id: String(alice.id), email: alice.email },
      target_account: { id: String(bob.id), email: bob.email },
      assigned_account: null,
      action_taken_by_account: null,
      statuses: statuses.map((status) => ({ id: status })),
      rules: [],
    })
  })

  it('pages newest first, in both directions', async () => {
    const bob = await given.account()
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) {
      const answer = await as(await given.account()).post('/api/v1/reports', { account_id: bob.id })
      made.unshift(Object(answer.body).id)
    }
    const idsAt = async (at: string | undefined) => {
      const answer = await as(mia).get(at ?? '')
      return {
        links: answer.links,
        ids: AdminReport.array()
          .parse(answer.body)
          .map(({ id }) => id),
      }
    }
    const newest = await idsAt(`${path}?target_account_id=${bob.id}&limit=2`)
    expect(newest.ids).toEqual(made.slice(0, 2))
    const older = await idsAt(newest.links.next)
    expect(older.ids).toEqual(made.slice(2, 4))
    const oldest = await idsAt(older.links.next)
    expect(oldest.ids).toEqual(made.slice(4))
    expect(oldest.links.next).toBeUndefined()
    expect((await idsAt(oldest.links.prev)).ids).toEqual(made.slice(2, 4))
  })

  it('reads at most 400 rows for a page, and links the next one', async () => {
    const bob = await given.account()
    await relation.follow(mia, bob)
    const reporters = await given.accounts(30)
    for (const reporter of reporters) {
      const named: { readonly id: number }[] = []
      for (let count = 0; count < 4; count += 1) named.push({ id: await storedStatus({ accountId: bob.id }) })
      await markedBy(mia, named)
      await context()
        .db.insert(reports)
        .values({
          id: context().ids.next(),
          accountId: reporter.id,
          targetAccountId: bob.id,
          statusIds: named.map(({ id }) => id),
          createdAt: clock.now(),
          updatedAt: clock.now(),
        })
    }
    const seen: string[] = []
    let next: string | undefined = `${path}?target_account_id=${bob.id}`
    while (next !== undefined) {
      const answer = await as(mia).get(next)
      expect(answer.costs.trips).toBeLessThanOrEqual(3)
      expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
      expect(answer.costs.rowsWritten).toBe(0)
      seen.push(
        ...AdminReport.array()
          .parse(answer.body)
          .map(({ id }) => id),
      )
      next = answer.links.next
    }
    expect(new Set(seen).size).toBe(30)
    expect(seen).toHaveLength(30)
  })

  it('answers 404 for an unknown report', async () => {
    for (const id of ['7', 'x']) expect((await as(mia).get(`${path}/${id}`)).status).toBe(404)
    for (const step of ['resolve', 'reopen', 'assign_to_self', 'unassign'])
      expect((await as(mia).post(`${path}/7/${step}`)).status).toBe(404)
    expect((await as(mia).put(`${path}/7`, { category: 'spam' })).status).toBe(404)
  })
})

const auditOf = (id: string) =>
  context()
    .db.select()
    .from(auditLog)
    .where(eq(auditLog.targetId, Number(id)))
    .orderBy(auditLog.id)

describe('actions of moderators on a report', () => {
  let mia: TestAccount
  let ida: TestAccount
  beforeAll(async () => {
    mia = await givenStaff({ permissions: ['manageReports'] })
    ida = await givenStaff({ permissions: ['manageReports'] })
  })

  it('resolve / reopen / assign_to_self / unassign → Report with the new state, logged [T-901]', async () => {
    const { id, bob } = await reported()
    const step = async (name: string) => (await as(mia).post(`${path}/${id}/${name}`)).body
    expect(await step('assign_to_self')).toMatchObject({ assigned_account: { id: String(mia.id) } })
    expect(await step('resolve')).toMatchObject({
      action_taken: true,
      action_taken_at: clock.now().toISOString(),
      action_taken_by_account: { id: String(mia.id) },
    })
    expect(await step('reopen')).toMatchObject({
      action_taken: false,
      action_taken_at: null,
      action_taken_by_account: null,
    })
    expect(await step('unassign')).toMatchObject({ assigned_account: null })
    expect(await auditOf(id)).toMatchObject(
      [
        { action: 'assign_to_self', newValues: { assigned_account_id: String(mia.id) } },
        { action: 'resolve', oldValues: { resolved: false }, newValues: { resolved: true } },
        { action: 'reopen', oldValues: { resolved: true }, newValues: { resolved: false } },
        { action: 'unassign', newValues: { assigned_account_id: null } },
      ].map((entry) => ({ ...entry, accountId: mia.id, targetType: 'report', targetLabel: bob.username })),
    )
  })

  it('assigns a report to a moderator by name, and to no other member', async () => {
    const { id, bob } = await reported()
    const assign = (username: string) =>
      as(mia).post(`/api/fieldfare/v1/admin/reports/${id}/assign`, { username })
    expect((await assign(`@${ida.username}`)).body).toMatchObject({
      assigned_account: { id: String(ida.id) },
    })
    expect((await assign(bob.username)).status).toBe(422)
    expect(
      (await as(mia).post('/api/fieldfare/v1/admin/reports/7/assign', { username: ida.username })).status,
    ).toBe(404)
    expect(await auditOf(id)).toMatchObject([{ action: 'assign', accountId: mia.id }])
  })

  it('PUT admin/reports/:id category, rule_ids → changed and logged [T-902]', async () => {
    await saveRules(context(), operator, [
      { text: 'Be kind to birds', hint: '' },
      { text: 'No seeds', hint: 'None' },
    ])
    const [one, two] = await execute(context().db, loadRules(context()))
    const { id } = await reported()
    const put = (body: Readonly<Record<string, unknown>>) => as(mia).put(`${path}/${id}`, body)
    expect((await put({ category: 'spam' })).body).toMatchObject({ category: 'spam', rules: [] })
    const ruled = await as(mia).patch(`${path}/${id}`, { rule_ids: [two?.id, one?.id] })
    expect(ruled.body).toMatchObject({
      category: 'violation',
      rules: [{ text: 'Be kind to birds' }, { text: 'No seeds', hint: 'None' }],
    })
    expect((await put({ category: 'legal' })).body).toMatchObject({ category: 'legal', rules: [] })
    for (const wrong of [{ category: 'nonsense' }, { category: 'violation' }, { rule_ids: [7] }])
      expect((await put(wrong)).status).toBe(422)
    const actions = (await auditOf(id)).map(({ action, oldValues, newValues }) => [
      action,
      oldValues['category'],
      newValues['category'],
    ])
    expect(actions).toEqual([
      ['update', 'other', 'spam'],
      ['update', 'spam', 'violation'],
      ['update', 'violation', 'legal'],
    ])
  })

  it('one of two concurrent actions has an effect and the other gets a conflict', async () => {
    const { id } = await reported()
    const both = await Promise.all([mia, ida].map((one) => as(one).post(`${path}/${id}/resolve`)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await auditOf(id)).toHaveLength(1)
    const loser = both.find(({ status }) => status === 409)
    expect(loser?.body).toEqual({ error: expect.stringMatching(/report/) })
    const late = both[0]?.status === 200 ? ida : mia
    expect((await as(late).post(`${path}/${id}/resolve`)).status).toBe(409)
  })

  it('a repeated action changes and logs nothing', async () => {
    const { id } = await reported()
    for (const step of ['reopen', 'unassign', 'resolve', 'resolve'])
      expect((await as(mia).post(`${path}/${id}/${step}`)).status).toBe(200)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['resolve'])
  })

  it('emits an event for webhooks where there are any, like the report itself', async () => {
    const [peer, bob] = [await given.peer(), await given.account()]
    const facts: unknown[] = []
    const ctx = {
      ...context(),
      outbox: {
        drain: (entries: readonly OutboxEntry[]) => facts.push(...entries.map(({ event }) => event)),
      },
    }
    const uris = [fediverse.local(bob).uri]
    const reporter = { id: peer.id, domain: peer.host }
    await receiveReport(ctx, reporter, { uri: `${peer.uri}/reports/0`, uris, comment: 'before' })
    expect(facts).toEqual([])
    const webhook = await createWebhook(ctx, operator, {
      url: 'https://receiver.test/hook',
      events: ['report.created', 'report.updated'],
      template: '',
    })
    const other = await given.account()
    await receiveReport(ctx, reporter, {
      uri: `${peer.uri}/reports/1`,
      uris: [fediverse.local(other).uri],
      comment: '',
    })
    const [stored] = await ctx.db.select().from(reports).where(eq(reports.targetAccountId, other.id))
    const reportId = stored?.id ?? 0
    await resolveReport(ctx, operator, reportId)
    await deleteWebhook(ctx, operator, webhook.id)
    expect(facts).toEqual([
      { kind: 'report.created', reportId },
      { kind: 'report.updated', reportId },
    ])
  })
})

describe('evidence', () => {
  let mia: TestAccount
  beforeAll(async () => {
    mia = await givenStaff({ permissions: ['manageReports'] })
  })
  const evidenceOf = async (id: string) => {
    const answer = await as(mia).get(`/api/fieldfare/v1/admin/reports/${id}/evidence`)
    expect(answer.costs.trips).toBe(1)
    return Evidence.array().parse(answer.body)
  }

  it('keeps the reported content when its author edits or deletes it', async () => {
    const { id, bob, statuses } = await reported({ statuses: 2 })
    const [edited = '', deleted = ''] = statuses
    await as(bob).put(`/api/v1/statuses/${edited}`, { status: 'I love birds' })
    await as(bob).delete(`/api/v1/statuses/${deleted}`)
    const report = AdminReport.parse((await as(mia).get(`${path}/${id}`)).body)
    expect(report.statuses.map((status) => status.id)).toEqual([edited])
    expect(await evidenceOf(id)).toMatchObject([
      { status_id: edited, deleted: false, content: '<p>Buy seeds 0</p>', account_id: String(bob.id) },
      { status_id: deleted, deleted: true, content: '<p>Buy seeds 1</p>', visibility: 'public' },
    ])
  })

  it('shows statuses with the marks and filters of the requesting moderator', async () => {
    const { id, statuses } = await reported({ statuses: 2 })
    const [marked = '', plain = ''] = statuses
    await as(mia).post('/api/v2/filters', {
      title: 'Spam',
      context: ['home'],
      keywords_attributes: [{ keyword: 'seeds 0' }],
    })
    for (const act of ['favourite', 'reblog', 'bookmark', 'mute'])
      await as(mia).post(`/api/v1/statuses/${marked}/${act}`)
    const seen = (is: boolean) => ({ favourited: is, reblogged: is, bookmarked: is, muted: is })
    const expected = {
      id,
      statuses: [
        { id: marked, ...seen(true), filtered: [{ filter: { title: 'Spam' } }] },
        { id: plain, ...seen(false), filtered: [] },
      ],
    }
    expect((await as(mia).get(`${path}/${id}`)).body).toMatchObject(expected)
    for (const step of ['assign_to_self', 'unassign', 'resolve', 'reopen'])
      expect((await as(mia).post(`${path}/${id}/${step}`)).body).toMatchObject(expected)
    expect((await as(mia).put(`${path}/${id}`, { category: 'spam' })).body).toMatchObject(expected)
    const listed = AdminReport.array().parse((await as(mia).get(path)).body)
    expect(listed.find((report) => report.id === id)).toMatchObject(expected)

    const other = await givenStaff({ permissions: ['manageReports'] })
    expect((await as(other).get(`${path}/${id}`)).body).toMatchObject({
      statuses: [
        { id: marked, ...seen(false), filtered: [] },
        { id: plain, ...seen(false) },
      ],
    })
  })

  it('shows of a quoted status only the public part, also to a follower of its author', async () => {
    const { bob } = await reported()
    const [alice, carol] = [await given.account(), await given.account()]
    await as(mia).post(`/api/v1/accounts/${carol.id}/follow`)
    const secret = await given.status({ by: carol, visibility: 'private', text: 'Nest in the oak' })
    const status = await given.status({ by: bob, text: 'Look' })
    await storedQuote({ statusId: Number(status.id), accountId: bob.id, quotedId: Number(secret.id) })
    const body = { account_id: bob.id, status_ids: [status.id] }
    const { id } = Object((await as(alice).post('/api/v1/reports', body)).body)
    const answer = await as(mia).get(`${path}/${id}`)
    expect(answer.body).toMatchObject({ statuses: [{ id: status.id, quote: { quoted_status: null } }] })
  })

  it('shows moderators what the reporter could see, including private statuses and suspended accounts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const direct = await given.status({ by: bob, visibility: 'direct', text: `@${alice.username} psst` })
    const body = { account_id: bob.id, status_ids: [direct.id] }
    const { id } = Object((await as(alice).post('/api/v1/reports', body)).body)
    await given.env.DB.prepare('update accounts set suspended_at = 1 where id = ?').bind(bob.id).run()
    const answer = await as(mia).get(`${path}/${id}`)
    expect(answer.body).toMatchObject({
      statuses: [{ id: direct.id, visibility: 'direct' }],
      target_account: { suspended: true },
    })
    expect(await evidenceOf(id)).toMatchObject([{ status_id: direct.id }])
  })
})
