import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../../support/as'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

const path = '/api/v1/accounts/relationships'

describe('GET /api/v1/accounts/relationships', () => {
  it('one Relationship per known id in the order asked, duplicates once, in one round trip [T-212]', async () => {
    const [alice, bob, far] = [await given.account(), await given.account(), await given.remoteAccount()]
    await relation.follow(alice, bob, { showReblogs: false, notify: true, languages: ['en'] })
    await relation.followRequest(alice, far)
    const answer = await as(alice).get(`${path}?id[]=${far.id}&id[]=${bob.id}&id[]=${far.id}&id[]=77&id[]=x`)
    expect(answer.body).toEqual([
      { ...stranger, id: String(far.id), requested: true, showing_reblogs: true },
      { ...stranger, id: String(bob.id), following: true, notifying: true, languages: ['en'] },
    ])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.costs.statements).toBeLessThanOrEqual(2)
  })

  it('relationship right after follow/block/mute/note → already shows the change [T-213]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const now = async () => (await as(alice).get(`${path}?id=${bob.id}`)).body
    const steps = [
      ['follow', {}, { following: true }],
      ['mute', {}, { muting: true, following: true }],
      ['note', { comment: 'a bird' }, { note: 'a bird', muting: true }],
      ['block', {}, { blocking: true, following: false, note: 'a bird' }],
      ['unblock', {}, { blocking: false }],
    ] as const
    for (const [verb, body, change] of steps) {
      const answer = await as(alice).post(`/api/v1/accounts/${bob.id}/${verb}`, body)
      expect(answer.body).toMatchObject(change)
      expect(await now()).toEqual([answer.body])
    }
  })

  it('shows actions of the other accounts', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.follow(bob, alice)
    await relation.followRequest(bob, alice)
    await relation.block(bob, alice)
    const { body } = await as(alice).get(`${path}?id=${bob.id}`)
    expect(body).toMatchObject([
      { followed_by: true, requested_by: true, blocked_by: true, following: false },
    ])
  })

  it('suspended left out unless with_suspended [T-214]', async () => {
    const [alice, gone] = [await given.account(), await given.account({ suspendedAt: clock.now() })]
    expect((await as(alice).get(`${path}?id[]=${gone.id}`)).body).toEqual([])
    const { body } = await as(alice).get(`${path}?id[]=${gone.id}&with_suspended=true`)
    expect(body).toMatchObject([{ id: String(gone.id) }])
  })

  it('leaves out unconfirmed accounts', async () => {
    const [alice, hidden] = [await given.account(), await given.account({ user: { confirmedAt: null } })]
    expect((await as(alice).get(`${path}?id[]=${hidden.id}`)).body).toEqual([])
  })

  it('id=1 (scalar) → array with one element; without id → [] [T-215]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    expect((await as(alice).get(`${path}?id=${bob.id}`)).body).toMatchObject([{ id: String(bob.id) }])
    expect((await as(alice).get(path)).body).toEqual([])
  })

  it('does not count an expired mute', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.mute(alice, bob, { expiresAt: new Date(clock.now().getTime() - 1) })
    expect((await as(alice).get(`${path}?id=${bob.id}`)).body).toMatchObject([
      { muting: false, muting_notifications: false, muting_expires_at: null },
    ])
  })

  it('GET /api/v1/accounts/relationships accepts a thousand ids', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const ids = [...Array.from({ length: 999 }, (_, index) => index + 1), bob.id]
    const answer = await as(alice).get(`${path}?${ids.map((id) => `id[]=${id}`).join('&')}`)
    expect(answer.body).toMatchObject([{ id: String(bob.id) }])
  })

  it('reads few rows for forty accounts', async () => {
    const alice = await given.account()
    const others = await Promise.all(Array.from({ length: 40 }, () => given.remoteAccount()))
    await Promise.all(others.map((other) => relation.follow(alice, other)))
    const answer = await as(alice).get(`${path}?${others.map(({ id }) => `id[]=${id}`).join('&')}`)
    expect(answer.body).toHaveLength(40)
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
  })

  it('requires a user with read:follows', async () => {
    expect((await anonymous.get(path)).status).toBe(401)
    const scoped = await given.account({ scopes: 'read:accounts' })
    expect((await as(scoped).get(path)).status).toBe(403)
    const app = await given.token({ scopes: 'read' })
    expect((await as(app).get(path)).status).toBe(422)
  })
})

const stranger = {
  following: false,
  showing_reblogs: false,
  notifying: false,
  languages: null,
  followed_by: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
}
