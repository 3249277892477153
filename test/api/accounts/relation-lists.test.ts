import { describe, expect, it } from 'vitest'
import { anonymous, as } from '../../support/as'
import { idNumbersOf } from '../../support/body-ids'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

describe.each([
  { list: 'followers', tie: (owner: Named, other: Named) => relation.follow(other, owner) },
  { list: 'following', tie: (owner: Named, other: Named) => relation.follow(owner, other) },
])('GET /api/v1/accounts/:id/$list', ({ list, tie }) => {
  const path = (owner: Named, query = '') => `/api/v1/accounts/${owner.id}/${list}${query}`

  it('newest first, internal cursor in Link, in one round trip [T-202]', async () => {
    const [owner, ...others] = await given.accounts(5)
    if (owner === undefined) throw new Error('nobody')
    const cursors: number[] = []
    for (const other of others) cursors.push(await tie(owner, other))
    const first = await anonymous.get(path(owner, '?limit=2'))
    expect(idNumbersOf(first.body)).toEqual([others[3]?.id, others[2]?.id])
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect(first.links.next).toBe(path(owner, `?limit=2&max_id=${cursors[2]}`))
    expect(first.links.prev).toBe(path(owner, `?limit=2&since_id=${cursors[3]}`))
    const second = await anonymous.get(first.links.next ?? '')
    expect(idNumbersOf(second.body)).toEqual([others[1]?.id, others[0]?.id])
    const third = await anonymous.get(second.links.next ?? '')
    expect(third.body).toEqual([])
    expect(third.headers.get('link')).toBeNull()
    const newer = await anonymous.get(path(owner, `?since_id=${cursors[1]}`))
    expect(idNumbersOf(newer.body)).toEqual([others[3]?.id, others[2]?.id])
    const above = await anonymous.get(path(owner, `?limit=1&min_id=${cursors[1]}`))
    expect(idNumbersOf(above.body)).toEqual([others[2]?.id])
  })

  it('viewer blocked by the account → [] [T-203]', async () => {
    const [owner, viewer, other] = await trio()
    await tie(owner, other)
    await relation.block(owner, viewer)
    expect((await as(viewer).get(path(owner))).body).toEqual([])
    expect(idNumbersOf((await anonymous.get(path(owner))).body)).toEqual([other.id])
  })

  it('accounts the viewer blocks → left out; own list shows muted accounts too [T-204]', async () => {
    const [owner, viewer, other] = await trio()
    const [blocked, muted, blocking] = await trio()
    for (const account of [other, blocked, muted, blocking]) await tie(owner, account)
    await relation.block(viewer, blocked)
    await relation.block(blocking, viewer)
    await relation.mute(viewer, muted)
    await relation.mute(owner, muted)
    expect(idNumbersOf((await as(viewer).get(path(owner))).body)).toEqual([other.id])
    const own = idNumbersOf((await as(owner).get(path(owner))).body)
    expect(own).toEqual([blocking.id, muted.id, blocked.id, other.id])
  })

  it('account hides collections and viewer is someone else → [] [T-205]', async () => {
    const owner = await given.account({ hideCollections: true })
    const other = await given.account()
    await tie(owner, other)
    expect((await anonymous.get(path(owner))).body).toEqual([])
    expect((await as(other).get(path(owner))).body).toEqual([])
    expect(idNumbersOf((await as(owner).get(path(owner))).body)).toEqual([other.id])
  })

  it('account pending → 404; suspended → [] [T-206]', async () => {
    const pending = await given.account({ user: { approved: false } })
    const gone = await given.account({ suspendedAt: clock.now() })
    await tie(gone, await given.account())
    expect((await anonymous.get(path(pending))).status).toBe(404)
    expect((await anonymous.get(path({ id: 6 }))).status).toBe(404)
    expect((await anonymous.get(path(gone))).body).toEqual([])
  })

  it('never shows unconfirmed or suspended accounts, and continues after them', async () => {
    const owner = await given.account()
    const [old, pending, gone] = [
      await given.account(),
      await given.account({ user: { confirmedAt: null } }),
      await given.account({ suspendedAt: clock.now() }),
    ]
    for (const account of [old, gone, pending]) await tie(owner, account)
    const first = await anonymous.get(path(owner, '?limit=1'))
    expect(first.body).toEqual([])
    const second = await anonymous.get(first.links.next ?? '')
    expect(idNumbersOf(second.body)).toEqual([old.id])
  })

  it('accepts unusual limits and cursors', async () => {
    const [owner, other] = await given.accounts(2)
    if (owner === undefined || other === undefined) throw new Error('nobody')
    await tie(owner, other)
    for (const query of [
      '?limit=-1',
      '?limit=99999999',
      '?max_id=x',
      '?since_id=-4',
      '?min_id=1e400',
      '?max_id[]=1',
    ])
      expect(idNumbersOf((await anonymous.get(path(owner, query))).body)).toEqual([other.id])
    expect((await anonymous.get(path(owner, '?limit=0'))).body).toEqual([])
  })

  it('reads few rows for a page of 20', async () => {
    const owner = await given.account()
    for (const other of await given.accounts(20)) await tie(owner, other)
    const answer = await as(owner).get(path(owner, '?limit=20'))
    expect(answer.costs.rowsRead).toBeLessThanOrEqual(400)
  })
})

describe('GET /api/v1/accounts/:id/endorsements', () => {
  it('featured accounts of that account, newest first [T-207]', async () => {
    const [owner, a, b] = await trio()
    for (const account of [a, b]) {
      await relation.follow(owner, account)
      await as(owner).post(`/api/v1/accounts/${account.id}/endorse`)
    }
    const answer = await anonymous.get(`/api/v1/accounts/${owner.id}/endorsements`)
    expect(idNumbersOf(answer.body)).toEqual([b.id, a.id])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    await relation.block(owner, a)
    expect((await as(a).get(`/api/v1/accounts/${owner.id}/endorsements`)).body).toEqual([])
  })

  it('GET endorsements → own endorsed accounts; none → [] [T-208]', async () => {
    const [alice, bob] = await trio()
    expect((await as(alice).get('/api/v1/endorsements')).body).toEqual([])
    await relation.follow(alice, bob)
    await as(alice).post(`/api/v1/accounts/${bob.id}/endorse`)
    expect(idNumbersOf((await as(alice).get('/api/v1/endorsements')).body)).toEqual([bob.id])
  })
})

describe.each([
  { path: '/api/v1/blocks', tie: relation.block },
  { path: '/api/v1/mutes', tie: relation.mute },
  { path: '/api/v1/follow_requests', tie: (me: Named, other: Named) => relation.followRequest(other, me) },
])('GET $path', ({ path, tie }) => {
  it('accounts, newest first; max_id and since_id work on the internal id; only requested number with limit [T-209]', async () => {
    const [alice, a, b] = await trio()
    const older = await tie(alice, a)
    const newer = await tie(alice, b)
    const first = await as(alice).get(`${path}?limit=1`)
    expect(idNumbersOf(first.body)).toEqual([b.id])
    expect(first.costs.trips).toBeLessThanOrEqual(1)
    expect(first.links.next).toBe(`${path}?limit=1&max_id=${newer}`)
    expect(idNumbersOf((await as(alice).get(first.links.next ?? '')).body)).toEqual([a.id])
    expect(idNumbersOf((await as(alice).get(`${path}?since_id=${older}`)).body)).toEqual([b.id])
  })

  it('leaves suspended accounts out, and hides another account’s list', async () => {
    const [alice, bob] = await trio()
    await tie(alice, await given.account({ suspendedAt: clock.now() }))
    expect((await as(alice).get(path)).body).toEqual([])
    await tie(bob, alice)
    expect((await as(alice).get(path)).body).toEqual([])
    expect((await anonymous.get(path)).status).toBe(401)
  })
})

describe('POST /api/v1/follow_requests/:id/authorize and /reject', () => {
  it('POST authorize → followed_by true [T-210]', async () => {
    const [alice, bob] = [await given.account({ locked: true }), await given.account()]
    await as(bob).post(`/api/v1/accounts/${alice.id}/follow`, { reblogs: false, notify: true })
    const { body } = await as(alice).post(`/api/v1/follow_requests/${bob.id}/authorize`)
    expect(body).toMatchObject({ followed_by: true, requested_by: false })
    const seen = await as(bob).get(`/api/v1/accounts/relationships?id=${alice.id}`)
    expect(seen.body).toMatchObject([{ following: true, showing_reblogs: false, notifying: true }])
    expect((await anonymous.get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject({ followers_count: 1 })
    expect((await as(alice).get('/api/v1/follow_requests')).body).toEqual([])
  })

  it('POST reject → followed_by false [T-211]', async () => {
    const [alice, bob] = [await given.account({ locked: true }), await given.account()]
    await relation.followRequest(bob, alice)
    const { body } = await as(alice).post(`/api/v1/follow_requests/${bob.id}/reject`)
    expect(body).toMatchObject({ followed_by: false, requested_by: false })
    expect((await anonymous.get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject({ followers_count: 0 })
  })

  it('answers 404 without a request, and counts a repeated answer once', async () => {
    const [alice, bob] = await trio()
    for (const verb of ['authorize', 'reject'])
      expect((await as(alice).post(`/api/v1/follow_requests/${bob.id}/${verb}`)).status).toBe(404)
    await relation.followRequest(bob, alice)
    const accept = () => as(alice).post(`/api/v1/follow_requests/${bob.id}/authorize`)
    const answers = await Promise.all([accept(), accept(), accept()])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect((await anonymous.get(`/api/v1/accounts/${alice.id}`)).body).toMatchObject({ followers_count: 1 })
    expect((await anonymous.get(`/api/v1/accounts/${bob.id}`)).body).toMatchObject({ following_count: 1 })
  })
})

interface Named {
  readonly id: number
}

async function trio() {
  return [await given.account(), await given.account(), await given.account()] as const
}
