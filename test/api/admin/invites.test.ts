import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { invites } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { invite } from '../../support/given-invite'
import { givenOwner } from '../../support/given-staff'
import { clock, context } from '../../support/test-app'

const path = '/api/fieldfare/v1/admin/invites'

describe('invitations for administrators', () => {
  let owner: TestAccount
  let alice: TestAccount
  beforeAll(async () => {
    owner = await givenOwner()
    alice = await given.account()
  })
  afterEach(async () => {
    await context().db.delete(invites)
  })

  it('lists invitations of every member with their state, without comments, page by page', async () => {
    const bob = await given.account()
    const usable = await invite(alice, { maxUses: 5, uses: 2, comment: 'for my aunt' })
    const used = await invite(bob, { maxUses: 1, uses: 1 })
    await invite(bob, { expiresAt: clock.now() })
    const answer = await as(owner).get(`${path}?limit=2`)
    expect(answer.body).toMatchObject([{ state: 'expired' }, { id: String(used.id), state: 'used_up' }])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    const next = await as(owner).get(answer.links.next ?? '')
    expect(next.body).toMatchObject([
      {
        id: String(usable.id),
        url: `https://fieldfare.test/invite/${usable.code}`,
        account_id: String(alice.id),
        username: alice.username,
        state: 'usable',
        uses: 2,
        max_uses: 5,
      },
    ])
    expect(JSON.stringify(next.body)).not.toContain('aunt')
  })

  it('expires single invitations', async () => {
    const [first, second] = [await invite(alice), await invite(alice)]
    const answer = await as(owner).post(`${path}/${first.id}/expire`)
    expect(answer).toMatchObject({ status: 200, body: { state: 'expired' } })
    expect((await anonymous.get(`/invite/${first.code}`)).status).toBe(401)
    expect((await anonymous.get(`/invite/${second.code}`)).status).toBe(200)
    clock.advance(1_000)
    expect((await as(owner).post(`${path}/${first.id}/expire`)).body).toEqual(answer.body)
    expect((await as(owner).post(`${path}/1/expire`)).status).toBe(404)
  })

  it('expires all invitations at once', async () => {
    const made = [await invite(alice), await invite(await given.account())]
    expect((await as(owner).post(`${path}/expire_all`)).body).toEqual({ expired: 2 })
    for (const { code } of made) expect((await anonymous.get(`/invite/${code}`)).status).toBe(401)
    expect((await as(owner).post(`${path}/expire_all`)).body).toEqual({ expired: 0 })
  })

  it('logs every change', async () => {
    const { id } = await invite(alice)
    await as(owner).post(`${path}/${id}/expire`)
    await invite(alice)
    await as(owner).post(`${path}/expire_all`)
    const log = await as(owner).get('/api/fieldfare/v1/admin/audit_log?target_type=invite&limit=2')
    expect(log.body).toMatchObject([
      { action: 'expire_all', after: { count: 1 } },
      { action: 'expire', target_label: alice.username, before: { expires_at: null } },
    ])
  })
})
