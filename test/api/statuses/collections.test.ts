import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { Status } from '../../../src/contract/entities/status'
import { collections } from '../../../src/db/schema'
import { anonymous, as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import { storedCollection } from '../../support/given-collection'
import { relation } from '../../support/given-relationships'
import { context } from '../../support/test-app'

const pageOf = (id: number) => `https://fieldfare.test/collections/${id}`

async function post(by: TestAccount, status: string): Promise<Status> {
  return Status.parse((await as(by).post('/api/v1/statuses', { status })).body)
}

async function tagged(who: TestAccount | null, id: string) {
  const status = Status.parse((await as(who).get(`/api/v1/statuses/${id}`)).body)
  return status.tagged_collections.map((one) => Number(one.id))
}

describe('collections linked in a status', () => {
  it('collections linked in a status are shown with it, as visible to the reader, also in a reblog and in lists', async () => {
    const [alice, bob, viewer] = [await given.account(), await given.account(), await given.account()]
    const { id } = await storedCollection({ by: alice, of: [bob] })
    const made = await post(bob, `Follow these! ${pageOf(id)}`)
    expect(made.tagged_collections).toMatchObject([
      { id: String(id), url: pageOf(id), item_count: 1, items: [{ account_id: String(bob.id) }] },
    ])
    await relation.block(viewer, bob)
    const read = Status.parse((await as(viewer).get(`/api/v1/statuses/${made.id}`)).body)
    expect(read.tagged_collections).toMatchObject([{ id: String(id), item_count: 0 }])
    const reblog = Status.parse((await as(alice).post(`/api/v1/statuses/${made.id}/reblog`)).body)
    expect(reblog.tagged_collections).toHaveLength(1)
    const list = await anonymous.get(`/api/v1/accounts/${bob.id}/statuses`)
    expect(list.body).toMatchObject([{ tagged_collections: [{ id: String(id) }] }])
    expect(list.costs.trips).toBeLessThanOrEqual(1)
  })

  it('collections linked in a status are those with an exactly matching address, four at most, each once', async () => {
    const alice = await given.account()
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) ids.push((await storedCollection({ by: alice })).id)
    const [first = 0] = ids
    const near = [`${pageOf(first)}/items`, `https://else.test/collections/${first}`, pageOf(1)].join(' ')
    expect((await post(alice, near)).tagged_collections).toEqual([])
    const { id } = await post(alice, [...ids, first].map(pageOf).join(' '))
    expect((await tagged(null, id)).toSorted()).toEqual(ids.slice(0, 4))
  })

  it('disappear when the collection is deleted, hidden, or removed by an edit', async () => {
    const [alice, mallory] = [await given.account(), await given.account()]
    const { id } = await storedCollection({ by: alice })
    const shown = await post(mallory, pageOf(id))
    await relation.block(alice, mallory)
    expect(await tagged(mallory, shown.id)).toEqual([])
    expect(await tagged(null, shown.id)).toEqual([id])
    const edited = await as(mallory).put(`/api/v1/statuses/${shown.id}`, { status: 'never mind' })
    expect(edited.body).toMatchObject({ tagged_collections: [] })
    expect(await tagged(null, shown.id)).toEqual([])
    const again = await post(alice, pageOf(id))
    await context().db.delete(collections).where(eq(collections.id, id))
    expect(await tagged(null, again.id)).toEqual([])
  })
})
