import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { users } from '../../../src/db/schema'
import { assetPath } from '../../../src/lib/assets'
import { anonymous, as } from '../../support/as'
import { freshName, given } from '../../support/given'
import { clock, context } from '../../support/test-app'

describe('GET /api/v1/accounts/:id', () => {
  it('GET accounts/:id anonymous → 200, in one round trip [T-191]', async () => {
    const alice = await given.account({ displayName: 'Alice', noteHtml: '<p>hi</p>' })
    const answer = await anonymous.get(`/api/v1/accounts/${alice.id}`)
    expect(answer.body).toMatchObject({ id: String(alice.id), display_name: 'Alice', note: '<p>hi</p>' })
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=15')
  })

  it('unknown, unconfirmed or unapproved local user → 404 [T-192]', async () => {
    const unconfirmed = await given.account({ user: { confirmedAt: null } })
    const unapproved = await given.account({ user: { approved: false } })
    for (const id of ['1', 'nonsense', '-5', '99999999999999999999', unconfirmed.id, unapproved.id]) {
      const answer = await anonymous.get(`/api/v1/accounts/${id}`)
      expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    }
  })

  it('user being deleted → 404 [T-193]', async () => {
    const bob = await given.account()
    await context().db.delete(users).where(sql`account_id = ${bob.id}`)
    expect((await anonymous.get(`/api/v1/accounts/${bob.id}`)).status).toBe(404)
    expect((await anonymous.get(`/api/v1/accounts/${bob.id}/statuses`)).status).toBe(404)
  })

  it('GET accounts/:id with a token lacking read:accounts → 403 [T-194]', async () => {
    const alice = await given.account({ scopes: 'read:statuses' })
    const answer = await as(alice).get(`/api/v1/accounts/${alice.id}`)
    expect(answer.status).toBe(403)
  })

  it('GET accounts/:id of a suspended account → 200 with suspended true and blanked profile [T-195]', async () => {
    const bob = await given.account({
      displayName: 'Bob',
      noteHtml: '<p>x</p>',
      suspendedAt: clock.now(),
      locked: true,
      avatar: { key: 'a.webp' },
      fields: [{ name: 'a', value: 'b', html: 'b', verifiedAt: null }],
    })
    const { status, body } = await anonymous.get(`/api/v1/accounts/${bob.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      suspended: true,
      display_name: '',
      note: '',
      fields: [],
      locked: false,
      username: bob.username,
      avatar: `https://fieldfare.test${assetPath('avatar.webp')}`,
    })
  })

  it('GET accounts/:id of a silenced account → limited true [T-196]', async () => {
    const bob = await given.account({ silencedAt: clock.now() })
    expect((await anonymous.get(`/api/v1/accounts/${bob.id}`)).body).toMatchObject({ limited: true })
  })

  it('shows that moderators mark the media of an account as sensitive, and of no other', async () => {
    const [bob, carol] = [await given.account({ sensitizedAt: clock.now() }), await given.account()]
    const shown = async ({ id }: { id: number }) => (await anonymous.get(`/api/v1/accounts/${id}`)).body
    expect(await shown(bob)).toMatchObject({ sensitized: true })
    expect(await shown(carol)).not.toHaveProperty('sensitized')
  })

  it('GET accounts/:id of a moved account → moved holds the new Account (not nested further) [T-197]', async () => {
    const third = await given.account()
    const second = await given.account({ movedToAccountId: third.id })
    const first = await given.account({ movedToAccountId: second.id })
    const { body } = await anonymous.get(`/api/v1/accounts/${first.id}`)
    expect(body).toMatchObject({ moved: { id: String(second.id) } })
    expect(body).not.toHaveProperty('moved.moved')
  })
})

describe('GET /api/v1/accounts', () => {
  it('GET accounts?id[]=… → known accounts only, unknown ids left out [T-198]', async () => {
    const [a, b, hidden] = [await given.account(), await given.account(), await given.account(unconfirmed)]
    const query = [b.id, 12, a.id, hidden.id, b.id, 'x'].map((id) => `id[]=${id}`).join('&')
    const answer = await anonymous.get(`/api/v1/accounts?${query}`)
    expect(answer.body).toMatchObject([{ id: String(b.id) }, { id: String(a.id) }])
    expect(answer.body).toHaveLength(2)
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
  })

  it('over 40 ids → 422 [T-199]', async () => {
    const query = (length: number) => Array.from({ length }, (_, index) => `id[]=${index + 1}`).join('&')
    expect((await anonymous.get(`/api/v1/accounts?${query(41)}`)).status).toBe(422)
    expect((await anonymous.get(`/api/v1/accounts?${query(1000)}`)).status).toBe(422)
    expect(await anonymous.get(`/api/v1/accounts?${query(40)}`)).toMatchObject({ status: 200, body: [] })
  })

  it('returns an empty list without ids', async () => {
    expect(await anonymous.get('/api/v1/accounts')).toMatchObject({ status: 200, body: [] })
  })
})

describe('GET /api/v1/accounts/lookup', () => {
  it('GET accounts/lookup?acct=name or name@domain → Account [T-200]', async () => {
    const name = freshName('Heron')
    const alice = await given.account({ username: name })
    const far = await given.remoteAccount()
    const spellings = [
      name,
      name.toLowerCase(),
      `@${name}`,
      `${name}@fieldfare.test`,
      `@${name}@FIELDFARE.test`,
    ]
    for (const acct of spellings) {
      const { body, costs } = await anonymous.get(`/api/v1/accounts/lookup?acct=${acct}`)
      expect(body).toMatchObject({ id: String(alice.id) })
      expect(costs.trips).toBeLessThanOrEqual(1)
    }
    const { body } = await anonymous.get(`/api/v1/accounts/lookup?acct=${far.username}@ELSEWHERE.test`)
    expect(body).toMatchObject({ id: String(far.id), acct: `${far.username}@elsewhere.test` })
  })

  it('unknown → 404; never resolves over the network [T-201]', async () => {
    const hidden = await given.account(unconfirmed)
    const far = await given.remoteAccount()
    const unknown = [
      'nobody',
      'nobody@nowhere.test',
      '@',
      '@@',
      'a@b@c',
      'ü',
      '%00',
      '',
      'a b',
      "' or 1=1 --",
    ]
    for (const acct of [...unknown, hidden.username, far.username]) {
      const answer = await anonymous.get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(acct)}`)
      expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    }
  })

  it('GET /api/v1/accounts/lookup requires the handle', async () => {
    expect((await anonymous.get('/api/v1/accounts/lookup')).status).toBe(400)
    expect((await anonymous.get('/api/v1/accounts/lookup?acct[]=a')).status).toBe(422)
  })
})

const unconfirmed = { user: { confirmedAt: null } }
