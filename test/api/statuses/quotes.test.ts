import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { FederatedEvent } from '../../../src/messages/events'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { relation } from '../../support/given-relationships'
import { clock } from '../../support/test-app'

const Posted = z.looseObject({ id: z.string() })
const List = z.array(Posted)

let alice: TestAccount
let bob: TestAccount
let id: string

beforeEach(async () => {
  alice = await given.account()
  bob = await given.account()
  id = (await given.status({ by: alice })).id
})

async function quote(by: TestAccount, fields: Record<string, unknown> = {}) {
  const body = { status: 'so true', quoted_status_id: id, ...fields }
  return Posted.parse((await as(by).post('/api/v1/statuses', body)).body).id
}

function recording() {
  const told: FederatedEvent[] = []
  const delivery = { federate: async (event: FederatedEvent) => void told.push(event) }
  return { told, options: { overrides: { delivery } } }
}

const policyOf = (status: string) => `/api/v1/statuses/${status}/interaction_policy`

describe('PUT statuses/:id/interaction_policy', () => {
  it('the author changes quote_approval; the same value again is not published [T-570]', async () => {
    const { told, options } = recording()
    for (const method of ['PUT', 'PATCH'] as const) {
      const body = { quote_approval_policy: method === 'PUT' ? 'nobody' : 'followers' }
      const changed = await as(alice).call(method, policyOf(id), body, options)
      const automatic = method === 'PUT' ? [] : ['followers']
      expect(changed).toMatchObject({ status: 200, body: { quote_approval: { automatic } } })
      await as(alice).call(method, policyOf(id), body, options)
    }
    await as(alice).put(policyOf(id), {}, options)
    expect(told.map(({ kind }) => kind)).toEqual(['status.updated', 'status.updated'])
    const { body } = await as(bob).post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
    expect(body).toMatchObject({ error: expect.any(String) })
  })

  it('ignores a wider quote policy on followers-only posts [T-571]', async () => {
    const hidden = await given.status({ by: alice, visibility: 'private' })
    const { body } = await as(alice).put(policyOf(hidden.id), { quote_approval_policy: 'public' })
    expect(body).toMatchObject({ quote_approval: { automatic: [] } })
  })

  it('PUT statuses/:id/interaction_policy is 403 to others, 404 without access, 401 without a token, 422 for an invalid policy [T-572]', async () => {
    const hidden = await given.status({ by: alice, visibility: 'private' })
    const body = { quote_approval_policy: 'nobody' }
    expect((await as(bob).put(policyOf(id), body)).status).toBe(403)
    expect((await as(bob).put(policyOf(hidden.id), body)).status).toBe(404)
    expect((await anonymous.put(policyOf(id), body)).status).toBe(401)
    expect((await as(alice).put(policyOf(id), { quote_approval_policy: 'friends' })).status).toBe(422)
  })
})

describe('GET statuses/:id/quotes', () => {
  it('lists quotes of it that are visible to the reader [T-573]', async () => {
    const carol = await given.account()
    const open = await quote(bob)
    const closed = await quote(bob, { visibility: 'private' })
    const listed = async (who: TestAccount) =>
      List.parse((await as(who).get(`/api/v1/statuses/${id}/quotes`)).body).map((one) => one.id)
    expect(await listed(bob)).toEqual([closed, open])
    expect(await listed(carol)).toEqual([open])
    await relation.follow(carol, bob)
    expect(await listed(carol)).toEqual([closed, open])
    await relation.mute(carol, bob)
    expect(await listed(carol)).toEqual([])
    expect((await anonymous.get(`/api/v1/statuses/${id}/quotes`)).status).toBe(401)
  })

  it('GET statuses/:id/quotes has pages, and is 404 for a hidden status', async () => {
    const made = [await quote(bob), await quote(bob), await quote(bob)].toReversed()
    const first = await as(alice).get(`/api/v1/statuses/${id}/quotes?limit=2`)
    expect(List.parse(first.body).map((one) => one.id)).toEqual(made.slice(0, 2))
    const rest = await as(alice).get(first.links['next'] ?? '')
    expect(List.parse(rest.body).map((one) => one.id)).toEqual(made.slice(2))
    const hidden = await given.status({ by: alice, visibility: 'private' })
    expect((await as(bob).get(`/api/v1/statuses/${hidden.id}/quotes`)).status).toBe(404)
  })
})

describe('an edit of a status that quotes', () => {
  it('an edit of a status that quotes can remove its text, keeps its quote, and is published as an edit', async () => {
    const quoting = await quote(bob)
    const changed = await as(bob).put(`/api/v1/statuses/${quoting}`, { status: '', spoiler_text: 'birds' })
    expect(changed).toMatchObject({
      status: 200,
      body: { spoiler_text: 'birds', quote: { state: 'accepted', quoted_status: { id } } },
    })
  })
})

describe('an edit of a status that is quoted', () => {
  it('notifies accounts that quote it, with their own post, of the last edit only', async () => {
    const quoting = await quote(bob)
    for (const status of ['changed', 'changed again']) {
      clock.advance(1_000)
      await as(alice).put(`/api/v1/statuses/${id}`, { status })
    }
    expect((await as(bob).get('/api/v1/notifications?types[]=quoted_update')).body).toMatchObject([
      { type: 'quoted_update', account: { id: String(alice.id) }, status: { id: quoting } },
    ])
  })
})

describe('POST statuses/:id/quotes/:quoting/revoke', () => {
  const revoke = (by: TestAccount, quoting: string) =>
    as(by).post(`/api/v1/statuses/${id}/quotes/${quoting}/revoke`)

  it('the quoted author removes the quote [T-574]', async () => {
    const quoting = await quote(bob)
    for (let times = 0; times < 2; times += 1)
      expect(await revoke(alice, quoting)).toMatchObject({
        status: 200,
        body: { id: quoting, content: '<p>so true</p>', quote: { state: 'revoked', quoted_status: null } },
      })
    expect((await as(bob).get(`/api/v1/statuses/${id}`)).body).toMatchObject({ quotes_count: 0 })
    expect((await as(bob).get(`/api/v1/statuses/${id}/quotes`)).body).toEqual([])
    expect((await as(alice).get('/api/v1/notifications?types[]=quote')).body).toEqual([])
  })

  it('other accounts get 403, requests without a token 401, and statuses without the quote 404 [T-575]', async () => {
    const quoting = await quote(bob)
    expect((await revoke(bob, quoting)).status).toBe(403)
    const path = `/api/v1/statuses/${id}/quotes/${quoting}/revoke`
    expect((await anonymous.post(path)).status).toBe(401)
    const other = await given.status({ by: bob })
    expect((await revoke(alice, other.id)).status).toBe(404)
    const hidden = await quote(bob, { visibility: 'private' })
    expect((await revoke(alice, hidden)).status).toBe(404)
  })
})
