import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { auditLog } from '../../src/db/schema'
import { as } from '../support/as'
import { given } from '../support/given'
import { givenStaff } from '../support/given-staff'
import { givenStrike } from '../support/given-strike'
import { context } from '../support/test-app'

const setup = as('a-setup-token-for-tests')
const Listed = z.object({ reports: z.array(z.looseObject({ id: z.string() })), next: z.number().nullable() })
const Appeals = z.object({
  appeals: z.array(z.looseObject({ id: z.string(), text: z.string(), state: z.string() })),
})

async function reported() {
  const [alice, bob] = [await given.account(), await given.account()]
  const status = await given.status({ by: bob, text: 'Buy seeds' })
  const body = { account_id: bob.id, comment: 'Spam', status_ids: [status.id] }
  const { id } = Object((await as(alice).post('/api/v1/reports', body)).body)
  return { id: String(id), bob, status }
}

async function isListed(id: string, resolved = false): Promise<boolean> {
  let before: number | null = null
  do {
    const { body } = await setup.post('/setup/reports/list', { resolved, before })
    const { reports, next } = Listed.parse(body)
    if (reports.some((report) => report.id === id)) return true
    before = next
  } while (before !== null)
  return false
}

describe('the set-up routes about reports', () => {
  it('refuse members', async () => {
    const alice = await given.account()
    for (const path of [
      'reports/note',
      'members/note',
      'members/history',
      'reports/list',
      'reports/show',
      'reports/resolve',
      'appeals/list',
      'appeals/decide',
    ])
      expect((await as(alice).post(`/setup/${path}`, {})).status, path).toBe(403)
  })

  it('note what others should know, and show it in the history of the account', async () => {
    const { id, bob } = await reported()
    const strike = await givenStrike(bob, { action: 'none', text: 'Be kind' })
    const mia = await givenStaff({ permissions: ['manageReports'] })
    expect((await setup.post('/setup/reports/note', { id, text: 'A shop' })).status).toBe(200)
    expect((await setup.post('/setup/members/note', { username: bob.username, text: 'Watch' })).status).toBe(
      200,
    )
    expect((await as(mia).get(`/api/fieldfare/v1/admin/reports/${id}/notes`)).body).toMatchObject([
      { content: 'A shop', username: '', account_id: null },
    ])
    const history = await setup.post('/setup/members/history', { username: bob.username })
    expect(history.body).toMatchObject({
      entries: [
        { type: 'note', note: { content: 'Watch' } },
        { type: 'strike', strike: { id: String(strike), text: 'Be kind' } },
        { type: 'report_about', report: { id, comment: 'Spam' } },
      ],
      next: null,
    })
    const refused = [
      ['reports/note', { id, text: ' ' }, 422],
      ['reports/note', { id: '7', text: 'x' }, 404],
      ['members/note', { username: 'nobody_at_all', text: 'x' }, 404],
      ['members/history', { username: 'nobody_at_all' }, 404],
    ] as const
    for (const [path, body, status] of refused)
      expect((await setup.post(`/setup/${path}`, body)).status, path).toBe(status)
  })

  it('list, show, resolve, reopen and assign them, which is logged for the operator', async () => {
    const { id, bob, status } = await reported()
    const mia = await givenStaff({ permissions: ['manageReports'] })
    await as(bob).delete(`/api/v1/statuses/${status.id}`)
    expect(await isListed(id)).toBe(true)
    expect((await setup.post('/setup/reports/show', { id })).body).toMatchObject({
      report: { id, comment: 'Spam', target_account: { username: bob.username } },
      evidence: [{ content: '<p>Buy seeds</p>', deleted: true }],
    })
    const steps = [
      ['assign', { username: `@${mia.username}` }],
      ['assign', { username: null }],
      ['resolve', {}],
      ['reopen', {}],
      ['resolve', {}],
    ] as const
    for (const [name, more] of steps)
      expect((await setup.post(`/setup/reports/${name}`, { id, ...more })).status).toBe(200)
    expect([await isListed(id), await isListed(id, true)]).toEqual([false, true])
    const log = await context()
      .db.select()
      .from(auditLog)
      .where(eq(auditLog.targetId, Number(id)))
    expect(log.map(({ action, accountId, username }) => [action, accountId, username])).toEqual(
      ['assign', 'unassign', 'resolve', 'reopen', 'resolve'].map((action) => [action, null, '']),
    )
  })

  it('delete what was reported, and resolve the report', async () => {
    const { id, bob, status } = await reported()
    const answer = await setup.post('/setup/reports/statuses/delete', { id, text: 'No seeds' })
    expect(answer.status).toBe(200)
    expect(await isListed(id, true)).toBe(true)
    expect((await as(bob).get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    expect((await as(bob).get('/api/fieldfare/v1/strikes')).body).toMatchObject([
      { action: 'delete_statuses', text: 'No seeds' },
    ])
    expect((await setup.post('/setup/reports/statuses/delete', { id })).status).toBe(409)
    expect((await setup.post('/setup/reports/statuses/delete', { id: 7 })).status).toBe(404)
  })

  it('assign none to members who may not manage reports, and find no unknown ones', async () => {
    const { id, bob } = await reported()
    expect((await setup.post('/setup/reports/assign', { id, username: bob.username })).status).toBe(422)
    for (const name of ['show', 'resolve', 'reopen'])
      expect((await setup.post(`/setup/reports/${name}`, { id: 7 })).status).toBe(404)
  })
})

describe('the set-up routes about appeals', () => {
  it('list and decide them', async () => {
    const bob = await given.account()
    const strikeId = await givenStrike(bob, { action: 'silence' })
    await as(bob).post(`/api/fieldfare/v1/strikes/${strikeId}/appeal`, { text: `Not ${bob.username}` })
    const mine = async (all: boolean) => {
      const { appeals } = Appeals.parse((await setup.post('/setup/appeals/list', { all })).body)
      return appeals.find(({ text }) => text === `Not ${bob.username}`)
    }
    const { id } = (await mine(false)) ?? {}
    expect((await setup.post('/setup/appeals/decide', { id, verdict: 'approve' })).status).toBe(200)
    expect((await setup.post('/setup/appeals/decide', { id, verdict: 'reject' })).status).toBe(409)
    expect(await mine(false)).toBeUndefined()
    expect(await mine(true)).toMatchObject({ state: 'approved' })
  })
})
