import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { Notification } from '../../../src/contract/entities/notification'
import { AdminAppeal, AdminStrike, Strike } from '../../../src/contract/entities/report'
import { accounts, accountWarnings, auditLog, users } from '../../../src/db/schema'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { emailedAccount, fakeMailScenario } from '../../support/given-mail'
import { givenOwner, givenRole, givenStaff, staffPosition } from '../../support/given-staff'
import { givenStrike } from '../../support/given-strike'
import { clock, context } from '../../support/test-app'

const own = '/api/fieldfare/v1/strikes'
const path = '/api/fieldfare/v1/admin/appeals'
const day = 86_400_000

const appeal = (by: TestAccount, strikeId: number, text = 'I sold no seeds') =>
  as(by).post(`${own}/${strikeId}/appeal`, { text })

async function appealed(options: Parameters<typeof givenStrike>[1] = {}) {
  const bob = await given.account()
  const strikeId = await givenStrike(bob, options)
  expect((await appeal(bob, strikeId)).status).toBe(200)
  return { bob, strikeId }
}

async function appealOf(reader: TestAccount, strikeId: number) {
  const all = AdminAppeal.array().parse((await as(reader).get(`${path}?all=true&limit=80`)).body)
  const found = all.find(({ strike }) => strike.id === String(strikeId))
  if (found === undefined) throw new Error('The appeal is not listed')
  return found
}

describe('strikes of the viewer', () => {
  it('lists strikes with text, evidence and appeal, and only to the member', async () => {
    const [bob, eve] = [await given.account(), await given.account()]
    const status = await given.status({ by: bob, text: 'Buy seeds' })
    const statusIds = [Number(status.id)]
    const strikeId = await givenStrike(bob, { action: 'silence', text: 'No seeds', statusIds })
    await as(bob).delete(`/api/v1/statuses/${status.id}`)
    const answer = await as(bob).get(own)
    expect(answer.body).toMatchObject([
      {
        id: String(strikeId),
        action: 'silence',
        text: 'No seeds',
        status_ids: [status.id],
        appeal: null,
        appealable: true,
        overruled_at: null,
        evidence: [{ status_id: status.id, deleted: true, content: '<p>Buy seeds</p>' }],
      },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    expect((await as(eve).get(own)).body).toEqual([])
    expect((await appeal(eve, strikeId)).status).toBe(404)
  })

  it('accepts one appeal with a text that is neither empty nor too long', async () => {
    const bob = await given.account()
    const strikeId = await givenStrike(bob)
    for (const text of ['', '  \n', 'x'.repeat(2_001)])
      expect((await appeal(bob, strikeId, text)).status).toBe(422)
    const answer = await appeal(bob, strikeId, 'x'.repeat(2_000))
    expect(answer).toMatchObject({ status: 200, body: { appealable: false, appeal: { state: 'pending' } } })
    expect(await appeal(bob, strikeId)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: You have appealed against this decision already' },
    })
  })

  it('accepts an appeal for twenty days', async () => {
    const bob = await given.account()
    const [early, late] = [await givenStrike(bob), await givenStrike(bob)]
    clock.advance(20 * day)
    expect((await appeal(bob, early)).status).toBe(200)
    clock.advance(1)
    expect(await appeal(bob, late)).toMatchObject({
      status: 422,
      body: { error: 'Validation failed: It is too late to appeal against this decision' },
    })
    expect(Strike.array().parse((await as(bob).get(own)).body)[0]).toMatchObject({ appealable: false })
  })

  it('keeps one of two concurrent appeals', async () => {
    const bob = await given.account()
    const strikeId = await givenStrike(bob)
    const both = await Promise.all([appeal(bob, strikeId, 'One'), appeal(bob, strikeId, 'Two')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})

describe('appeals before moderators', () => {
  let mia: TestAccount
  beforeAll(async () => {
    mia = await givenStaff({ permissions: ['manageAppeals'] })
  })

  it('notifies moderators of appeals, and mails those who did not opt out', async () => {
    const roleId = await givenRole({ permissions: ['manageAppeals'] })
    const ada = await emailedAccount({}, { user: { roleId } })
    const cleo = await emailedAccount({ 'admin.appeal': false }, { user: { roleId } })
    const office = fakeMailScenario()
    const bob = await given.account()
    const strikeId = await givenStrike(bob)
    await office.post(bob, `${own}/${strikeId}/appeal`, { text: 'I sold no seeds' })
    for (const one of [ada, cleo]) {
      const told = Notification.array().parse((await as(one).get('/api/v1/notifications')).body)
      expect(told.map(({ type, account }) => [type, account.id])).toEqual([['admin.appeal', String(bob.id)]])
    }
    const mails = (await office.deliver()).filter(({ to }) => [ada.email, cleo.email].includes(to))
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, `@${bob.username}@fieldfare.test appeals against a decision of the moderators`],
    ])
  })

  it('lists appeals until they are decided', async () => {
    const { bob, strikeId } = await appealed({ action: 'silence', text: 'No seeds' })
    const answer = await as(mia).get(path)
    expect(answer.costs.trips).toBeLessThanOrEqual(3)
    const [first] = AdminAppeal.array().parse(answer.body)
    expect(first).toMatchObject({
      text: 'I sold no seeds',
      state: 'pending',
      decided_at: null,
      overruled_at: null,
      strike: { id: String(strikeId), action: 'silence', target_account_id: String(bob.id) },
    })
    const rejected = await as(mia).post(`${path}/${first?.id}/reject`)
    expect(rejected.body).toMatchObject({
      state: 'rejected',
      decided_by_account_id: String(mia.id),
      decided_at: clock.now().toISOString(),
      strike: { overruled_at: null },
    })
    const waiting = AdminAppeal.array().parse((await as(mia).get(path)).body)
    expect(waiting.map(({ id }) => id)).not.toContain(first?.id)
  })

  it('approving an appeal undoes the action and overrules the strike', async () => {
    const bob = await given.account({ silencedAt: clock.now(), sensitizedAt: clock.now() })
    const strikes = [
      await givenStrike(bob, { action: 'silence' }),
      await givenStrike(bob, { action: 'sensitive' }),
    ]
    for (const strikeId of strikes) {
      await appeal(bob, strikeId)
      const { id } = await appealOf(mia, strikeId)
      const answer = await as(mia).post(`${path}/${id}/approve`)
      expect(answer.body).toMatchObject({
        state: 'approved',
        overruled_at: clock.now().toISOString(),
        strike: { overruled_at: clock.now().toISOString() },
      })
    }
    const { db } = context()
    expect(await db.select().from(accounts).where(eq(accounts.id, bob.id))).toMatchObject([
      { silencedAt: null, sensitizedAt: null },
    ])
    const [warning] = await db
      .select()
      .from(accountWarnings)
      .where(eq(accountWarnings.id, strikes[0] ?? 0))
    expect(warning?.overruledAt).toEqual(clock.now())
    const log = await db.select().from(auditLog).where(eq(auditLog.accountId, mia.id)).orderBy(auditLog.id)
    expect(
      log.slice(-4).map(({ action, targetType, targetLabel }) => [action, targetType, targetLabel]),
    ).toEqual([
      ['unsilence', 'account', bob.username],
      ['approve', 'appeal', bob.username],
      ['unsensitive', 'account', bob.username],
      ['approve', 'appeal', bob.username],
    ])
    expect(Strike.array().parse((await as(bob).get(own)).body)[0]).toMatchObject({
      appeal: { state: 'approved' },
    })
    const told = Notification.array().parse((await as(bob).get('/api/v1/notifications')).body)
    expect(told[0]?.moderation_warning).toMatchObject({
      appeal: { text: 'I sold no seeds', state: 'approved' },
    })
  })

  it('approving an appeal enables disabled members', async () => {
    const { bob, strikeId } = await appealed({ action: 'disable' })
    const { db } = context()
    await db.update(users).set({ disabledAt: clock.now() }).where(eq(users.accountId, bob.id))
    expect((await as(bob).get(own)).status).toBe(403)
    const { id } = await appealOf(mia, strikeId)
    await as(mia).post(`${path}/${id}/approve`)
    expect((await as(bob).get(own)).status).toBe(200)
  })

  it('decides an appeal once: one of two concurrent decisions gets a conflict', async () => {
    const { bob, strikeId } = await appealed({ action: 'silence' })
    await context().db.update(accounts).set({ silencedAt: clock.now() }).where(eq(accounts.id, bob.id))
    const { id } = await appealOf(mia, strikeId)
    const both = await Promise.all(
      ['approve', 'reject'].map((verdict) => as(mia).post(`${path}/${id}/${verdict}`)),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [row] = await context().db.select().from(accounts).where(eq(accounts.id, bob.id))
    expect(row?.silencedAt === null).toBe(both[0]?.status === 200)
    expect((await as(mia).post(`${path}/${id}/approve`)).status).toBe(409)
    expect((await as(mia).post(`${path}/7/approve`)).status).toBe(404)
  })

  it('appeals of moderators are decided by a higher role, never by themselves', async () => {
    const higher = await givenStaff({ permissions: ['manageAppeals'], position: staffPosition + 1 })
    const strikeId = await givenStrike(higher)
    await appeal(higher, strikeId)
    const { id } = await appealOf(mia, strikeId)
    for (const one of [mia, higher]) expect((await as(one).post(`${path}/${id}/approve`)).status).toBe(403)
    expect((await as(await givenOwner()).post(`${path}/${id}/approve`)).status).toBe(200)
  })

  it('mails the decision to the member', async () => {
    const office = fakeMailScenario()
    const bob = await emailedAccount({})
    const ids = [await givenStrike(bob, { action: 'silence' }), await givenStrike(bob, { action: 'silence' })]
    for (const [index, strikeId] of ids.entries()) {
      await appeal(bob, strikeId)
      const { id } = await appealOf(mia, strikeId)
      await office.post(mia, `${path}/${id}/${index === 0 ? 'approve' : 'reject'}`)
    }
    const mails = (await office.deliver()).filter(({ to }) => to === bob.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your appeal on fieldfare.test is approved',
      'Your appeal on fieldfare.test is rejected',
    ])
    expect(mails[0]?.text).toContain('https://fieldfare.test/settings/strikes')
  })
})

describe('the list of strikes', () => {
  it('shows the strikes of an account to moderators, newest first, by pages', async () => {
    const mia = await givenStaff({ permissions: ['manageReports'] })
    const bob = await given.account()
    const ids = [await givenStrike(bob), await givenStrike(bob), await givenStrike(bob)]
      .map(String)
      .toReversed()
    const list = `/api/fieldfare/v1/admin/strikes?target_account_id=${bob.id}&limit=2`
    const first = await as(mia).get(list)
    expect(first.costs.trips).toBeLessThanOrEqual(3)
    expect(first.costs.rowsRead).toBeLessThanOrEqual(400)
    expect(
      AdminStrike.array()
        .parse(first.body)
        .map(({ id }) => id),
    ).toEqual(ids.slice(0, 2))
    const next = await as(mia).get(first.links.next ?? '')
    expect(
      AdminStrike.array()
        .parse(next.body)
        .map(({ id }) => id),
    ).toEqual(ids.slice(2))
  })
})
