import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { filterStatuses, statuses } from '../../../src/db/schema'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { givenFilter } from '../../support/given-filter'
import { context } from '../../support/test-app'

const words = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `word ${from + index}`)
const refusal = (error: string) => ({ status: 422, body: { error: `Validation failed: ${error}` } })

async function storedStatuses(by: TestAccount, count: number): Promise<readonly number[]> {
  const { db, ids } = context()
  const made = Array.from({ length: count }, () => ids.next())
  await db.run(sql`insert into ${statuses} (id, account_id, local, visibility, conversation_id, created_at)
    select value, ${by.id}, 1, 'private', value, 0 from json_each(${JSON.stringify(made)})`)
  return made
}

async function fill(filterId: number, statusIds: readonly number[]): Promise<void> {
  await context().db.run(sql`insert into ${filterStatuses} (id, filter_id, status_id)
    select value, ${filterId}, value from json_each(${JSON.stringify(statusIds)})`)
}

describe('all filters of an account', () => {
  let alice: TestAccount
  beforeAll(async () => {
    alice = await given.account()
  })
  const add = (id: string, keyword: string) => as(alice).post(`/api/v2/filters/${id}/keywords`, { keyword })

  it('all filters of an account allow two thousand keywords together', async () => {
    const filters = []
    for (const index of [0, 1, 2]) filters.push(await givenFilter(alice, { words: words(500, 500 * index) }))
    const last = await givenFilter(alice, { words: words(499) })
    expect((await add(last.id, 'the last')).status).toBe(200)
    const full = refusal('Keywords of all filters are too many (maximum is 2000)')
    const another = { title: 'More', context: ['home'], keywords_attributes: [{ keyword: 'one' }] }
    expect(await as(alice).post('/api/v2/filters', another)).toMatchObject(full)
    const [first] = filters[0]?.keywords ?? []
    expect((await as(alice).delete(`/api/v2/filters/keywords/${first?.id}`)).status).toBe(200)
    expect((await add(filters[0]?.id ?? '', 'room again')).status).toBe(200)
    expect((await givenFilter(alice)).keywords).toEqual([])
  })

  it('all filters of an account allow a bounded number of bytes of keywords together [T-326]', async () => {
    const bob = await given.account()
    const long = (index: number) => `${index}${'漢'.repeat(500)}`
    const { id } = await givenFilter(bob, { words: Array.from({ length: 87 }, (_, index) => long(index)) })
    const longer = { keyword: long(100) }
    expect(await as(bob).post(`/api/v2/filters/${id}/keywords`, longer)).toMatchObject(
      refusal('Keywords of all filters are too many (maximum is 2000)'),
    )
    expect((await as(bob).post(`/api/v2/filters/${id}/keywords`, { keyword: 'short' })).status).toBe(200)
  })

  it('all filters of an account allow two thousand statuses together', async () => {
    const carol = await given.account()
    const [one, other] = [await givenFilter(carol), await givenFilter(carol)]
    await fill(Number(one.id), await storedStatuses(carol, 1_999))
    const [first, second] = [await given.status({ by: carol }), await given.status({ by: carol })]
    const put = (status_id: string) => as(carol).post(`/api/v2/filters/${other.id}/statuses`, { status_id })
    expect((await put(first.id)).status).toBe(200)
    expect(await put(second.id)).toMatchObject(
      refusal('Statuses of all filters are too many (maximum is 2000)'),
    )
  })
})
