import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { AccountHistoryEntry, ModerationNote } from '../../../src/contract/entities/admin/account'
import { auditLog } from '../../../src/db/schema'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenStaff, staffPosition } from '../../support/given-staff'
import { givenStrike } from '../../support/given-strike'
import { context } from '../../support/test-app'

const admin = '/api/fieldfare/v1/admin'

describe('notes of moderators', () => {
  let mia: TestAccount
  let bob: TestAccount
  beforeAll(async () => {
    mia = await givenStaff({ permissions: ['manageReports'] })
    bob = await given.account()
  })
  const note = async (path: string, content: string, by = mia) =>
    ModerationNote.parse((await as(by).post(`${admin}/${path}/notes`, { content })).body)

  it('shows notes with accounts and reports, newest first', async () => {
    const report = Object(
      (await as(await given.account()).post('/api/v1/reports', { account_id: bob.id })).body,
    )
    for (const path of [`accounts/${bob.id}`, `reports/${report.id}`]) {
      const made = [await note(path, 'Sells seeds '), await note(path, 'Stopped')]
      const answer = await as(mia).get(`${admin}/${path}/notes`)
      expect(answer.body).toMatchObject([
        { id: made[1]?.id, content: 'Stopped', account_id: String(mia.id), username: mia.username },
        { id: made[0]?.id, content: 'Sells seeds' },
      ])
      expect(answer.costs.trips).toBe(1)
    }
  })

  it('refuses notes that are empty, too long, or about nothing', async () => {
    const write = (path: string, content?: string) => as(mia).post(`${admin}/${path}/notes`, { content })
    for (const content of [undefined, ' ', 'x'.repeat(2_001)])
      expect((await write(`accounts/${bob.id}`, content)).status).toBe(422)
    for (const path of ['accounts/7', 'reports/7']) {
      expect((await write(path, 'Hello')).status).toBe(404)
      expect((await as(mia).get(`${admin}/${path}/notes`)).status).toBe(404)
    }
  })

  it('deletes notes by their author or a higher role, with a log entry', async () => {
    const equal = await givenStaff({ permissions: ['manageReports'] })
    const higher = await givenStaff({ permissions: ['manageReports'], position: staffPosition + 1 })
    const [own, other] = [await note(`accounts/${bob.id}`, 'One'), await note(`accounts/${bob.id}`, 'Two')]
    const remove = (by: TestAccount, { id }: { readonly id: string }) => as(by).delete(`${admin}/notes/${id}`)
    expect((await remove(equal, own)).status).toBe(403)
    expect((await remove(mia, own)).status).toBe(200)
    expect((await remove(higher, other)).status).toBe(200)
    expect((await remove(mia, own)).status).toBe(404)
    const log = await context().db.select().from(auditLog).where(eq(auditLog.targetId, bob.id))
    const deletions = log.filter(({ action }) => action === 'delete_note')
    expect(deletions.map(({ accountId, oldValues }) => [accountId, oldValues['note_id']])).toEqual([
      [mia.id, own.id],
      [higher.id, other.id],
    ])
  })
})

describe('the history of an account', () => {
  it('lists reports by and about the account, strikes and notes in one list, by pages', async () => {
    const mia = await givenStaff({ permissions: ['manageReports'] })
    const [alice, bob] = [await given.account(), await given.account()]
    const report = async (by: TestAccount, about: TestAccount, comment: string) =>
      Object((await as(by).post('/api/v1/reports', { account_id: about.id, comment })).body).id
    const about = await report(alice, bob, 'Sells seeds')
    const strike = await givenStrike(bob, { action: 'silence', reportId: Number(about) })
    const by = await report(bob, alice, 'Revenge')
    await as(mia).post(`${admin}/accounts/${bob.id}/notes`, { content: 'Watch' })
    const path = `${admin}/accounts/${bob.id}/history`
    const answer = await as(mia).get(path)
    expect(answer.body).toMatchObject([
      { type: 'note', note: { content: 'Watch' }, report: null, strike: null },
      { type: 'report_by', id: by, report: { comment: 'Revenge', target_account_id: String(alice.id) } },
      { type: 'strike', id: String(strike), strike: { action: 'silence', report_id: about } },
      { type: 'report_about', id: about, report: { comment: 'Sells seeds', account_id: String(alice.id) } },
    ])
    expect(answer.costs.trips).toBe(1)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
    const older = await as(mia).get((await as(mia).get(`${path}?limit=3`)).links.next ?? '')
    expect(
      AccountHistoryEntry.array()
        .parse(older.body)
        .map(({ id }) => id),
    ).toEqual([about])
    expect((await as(mia).get(`${admin}/accounts/7/history`)).status).toBe(404)
  })
})
