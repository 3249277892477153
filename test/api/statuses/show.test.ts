import { describe, expect, it } from 'vitest'
import { visibilities } from '../../../src/db/schema/statuses'
import { anonymous, as } from '../../support/as'
import { idsOf } from '../../support/body-ids'
import { expectCosts } from '../../support/expect-costs'
import { given } from '../../support/given'
import { relation } from '../../support/given-relationships'

const missing = { status: 404, body: { error: 'Record not found' } }
const path = (id: string) => `/api/v1/statuses/${id}`

describe('GET statuses/:id', () => {
  it('shows a public one to anybody, in one round trip [T-576]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const { id } = await given.status({ by: alice, text: 'Open to all' })
    const open = await anonymous.get(path(id))
    const personal = await as(bob).get(path(id))
    expect(open).toMatchObject({ status: 200, body: { id, content: '<p>Open to all</p>' } })
    expect(open.body).not.toHaveProperty('favourited')
    expect(personal.body).toMatchObject({ id, favourited: false, reblogged: false, muted: false })
    expectCosts(open.costs, { trips: 1, rowsWritten: 0 })
    expectCosts(personal.costs, { trips: 1, rowsWritten: 0 })
    expect(personal.costs.rowsRead).toBeLessThanOrEqual(40)
  })

  it('GET statuses/:id is 404 for others when private or direct, anonymous or not [T-577]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    for (const visibility of ['private', 'direct'] as const) {
      const { id } = await given.status({ by: alice, visibility })
      expect(await anonymous.get(path(id))).toMatchObject(missing)
      expect(await as(bob).get(path(id))).toMatchObject(missing)
      expect((await as(alice).get(path(id))).body).toMatchObject({ id, visibility })
    }
  })

  it('GET statuses/:id is 404 for accounts the author blocks, whatever the visibility [T-578]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    await relation.block(alice, bob)
    for (const visibility of visibilities) {
      const { id } = await given.status({ by: alice, visibility, text: `Not for @${bob.username}` })
      expect(await as(bob).get(path(id))).toMatchObject(missing)
    }
  })

  it('GET statuses/:id is 404 for an unknown or invalid id', async () => {
    for (const id of ['1', '0', 'abc', '-1']) expect(await anonymous.get(path(id))).toMatchObject(missing)
  })
})

describe('GET statuses?id[]=', () => {
  it('shows visible ones in the requested order, and leaves out the rest [T-579]', async () => {
    const [alice, bob] = [await given.account(), await given.account()]
    const first = await given.status({ by: alice })
    const hidden = await given.status({ by: alice, visibility: 'private' })
    const second = await given.status({ by: alice })
    const asked = [second.id, hidden.id, '1', first.id, first.id]
    const answer = await as(bob).get(`/api/v1/statuses?${asked.map((id) => `id[]=${id}`).join('&')}`)
    expect(idsOf(answer)).toEqual([second.id, first.id])
    expect(answer.costs.trips).toBeLessThanOrEqual(1)
    expect((await anonymous.get('/api/v1/statuses')).body).toEqual([])
  })

  it('GET statuses?id[]= is 422 for more than 20 ids [T-580]', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id[]=${index + 1}`).join('&')
    expect((await anonymous.get(`/api/v1/statuses?${ids(20)}`)).status).toBe(200)
    expect((await anonymous.get(`/api/v1/statuses?${ids(21)}`)).status).toBe(422)
  })
})
