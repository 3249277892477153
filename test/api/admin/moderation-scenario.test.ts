import { asc, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { AdminReport } from '../../../src/contract/entities/admin/report'
import { AdminAppeal } from '../../../src/contract/entities/strike'
import { accountDeletions, accounts, auditLog } from '../../../src/db/schema'
import { as } from '../../support/as'
import { Browser } from '../../support/browser'
import { runCourierAlarms } from '../../support/courier'
import { given } from '../../support/given'
import { fakeMailScenario } from '../../support/given-mail'
import { knownPeer } from '../../support/given-peer'
import { importedStatus } from '../../support/given-remote'
import { givenOwner } from '../../support/given-staff'
import { givenMember, password } from '../../support/members'
import { context, settleLateWork } from '../../support/test-app'

const admin = '/api/v1/admin'
const own = '/api/fieldfare/v1/admin'

describe('a wave of spam, and a decision too much', () => {
  it('is reported, limited and undone, with every step in the audit log', async () => {
    const [mia, alice, bob] = [await givenOwner(), await given.account(), await givenMember()]
    const office = fakeMailScenario()

    // Spam comes from elsewhere, and is reported with a copy to its server.
    const peer = await knownPeer()
    const spam = [await importedStatus(peer), await importedStatus(peer)]
    for (const { id } of spam)
      await office.post(alice, '/api/v1/reports', {
        account_id: peer.id,
        status_ids: [id],
        category: 'spam',
        forward: true,
      })
    await settleLateWork()
    await runCourierAlarms()
    expect(peer.received().filter(({ type }) => type === 'Flag')).toHaveLength(2)
    const open = await as(mia).get(`${admin}/reports?target_account_id=${peer.id}`)
    const reports = AdminReport.array().parse(open.body)
    expect(reports.map(({ category, statuses }) => [category, statuses.length])).toEqual([
      ['spam', 1],
      ['spam', 1],
    ])

    // The domain is limited, the reports are resolved.
    const block = await as(mia).post(`${admin}/domain_blocks`, { domain: peer.host, severity: 'silence' })
    expect(block.status).toBe(200)
    for (const { id } of reports) await as(mia).post(`${admin}/reports/${id}/resolve`)
    const peerRow = () => context().db.select().from(accounts).where(sql`${accounts.id} = ${peer.id}`)
    expect((await peerRow())[0]?.silencedAt).not.toBeNull()

    // A member is reported, suspended for it, and loses every door but one.
    const status = await given.status({ by: bob, text: 'Look at my seeds' })
    const reported = await office.post(alice, '/api/v1/reports', {
      account_id: bob.id,
      status_ids: [status.id],
    })
    const action = { type: 'suspend', text: 'Spam', report_id: Object(reported.body).id }
    const acted = await office.post(mia, `${admin}/accounts/${bob.id}/action`, action)
    expect(acted.status).toBe(200)
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(403)
    expect((await as(alice).get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    const browser = new Browser(office.overrides)
    expect((await browser.signIn(bob.username, password)).location).toBe('/settings/strikes')
    expect((await browser.get('/settings/strikes')).html).toContain('Look at my seeds')

    // The appeal is approved, and everything is as before.
    await browser.fill('/settings/strikes', { text: 'These are my own pictures' })
    const appeals = AdminAppeal.array().parse((await as(mia).get(`${own}/appeals`)).body)
    const appeal = appeals.find(({ strike }) => strike.target_account_id === String(bob.id))
    const approved = await office.post(mia, `${own}/appeals/${appeal?.id}/approve`)
    expect(approved.body).toMatchObject({ state: 'approved', strike: { action: 'suspend' } })
    expect((await as(bob).get('/api/v1/timelines/home')).status).toBe(200)
    expect((await as(alice).get(`/api/v1/statuses/${status.id}`)).status).toBe(200)
    const due = context().db.select().from(accountDeletions).where(sql`account_id = ${bob.id}`)
    expect(await due).toEqual([])
    await as(mia).delete(`${admin}/domain_blocks/${Object(block.body).id}`)
    await settleLateWork()
    expect((await peerRow())[0]?.silencedAt).toBeNull()

    const mails = (await office.deliver()).filter(({ to }) => to === bob.email).map(({ subject }) => subject)
    expect(mails).toEqual([
      'The moderators of fieldfare.test suspended your account',
      'Your appeal on fieldfare.test is approved',
    ])
    const log = await context()
      .db.select()
      .from(auditLog)
      .where(sql`account_id = ${mia.id}`)
      .orderBy(asc(auditLog.id))
    expect(log.map(({ action, targetType }) => `${action} ${targetType}`)).toEqual([
      'create domain_block',
      'resolve report',
      'resolve report',
      'resolve report',
      'suspend account',
      'unsuspend account',
      'approve appeal',
      'delete domain_block',
    ])
  })
})
